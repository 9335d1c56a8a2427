// A loop that runs a control law at a fixed rate and records how punctual it is.
#ifndef ROBCOGEN_ROS__REALTIME__LOOP_HPP_
#define ROBCOGEN_ROS__REALTIME__LOOP_HPP_

#include <sched.h>

#include <cstdint>

#include "robcogen_ros/realtime/allocations.hpp"
#include "robcogen_ros/realtime/histogram.hpp"
#include "robcogen_ros/realtime/thread.hpp"

namespace robcogen_ros::realtime
{

/// Times at which cycles begin.
struct Schedule
{
  std::int64_t period = 1000000;  ///< [ns]
  std::uint64_t cycles = 10000;
  std::uint64_t warm_up = 100;  ///< cycles before these, which are not recorded
};

/// Record of a run.
struct Record
{
  Histogram wake_up;         ///< from when a cycle was due to when it began [ns]
  Histogram execution;       ///< of the control law [ns]
  Histogram simulation;      ///< of the simulated robot, which a real one does not take [ns]
  std::uint64_t missed = 0;  ///< cycles that could not begin before the next was due
  std::uint64_t migrations = 0;
  std::uint64_t allocations = 0;
  Usage usage;
};

/// Runs the loop in the calling thread.
///
/// A cycle that is still at work when the next is due makes that one a missed cycle, which never
/// runs; the robot moves on under the efforts it has.
///
/// \param control computes and keeps the efforts: the work of a controller
/// \param simulate moves the robot on by a number of periods under the efforts that are kept
/// \param record where to write; made before memory was locked
template <typename Control, typename Simulate>
void run(const Schedule & schedule, Control && control, Simulate && simulate, Record & record)
{
  Usage before;
  int cpu = sched_getcpu();
  std::int64_t due = now() + 10 * schedule.period;
  const std::uint64_t total = schedule.warm_up + schedule.cycles;
  for (std::uint64_t cycle = 0; cycle < total;)
  {
    if (cycle >= schedule.warm_up && !allocations.counting)
    {
      before = Usage::of_this_thread();
      cpu = sched_getcpu();
      allocations.counting = true;
    }
    sleep_until(due);
    const std::int64_t woken = now();
    control();
    const std::int64_t controlled = now();
    simulate(1);
    const std::int64_t simulated = now();

    const std::int64_t late = (simulated - due) / schedule.period;
    if (late > 0)
    {
      simulate(late);
    }
    if (allocations.counting)
    {
      record.wake_up.add(woken - due);
      record.execution.add(controlled - woken);
      record.simulation.add(simulated - controlled);
      record.missed += static_cast<std::uint64_t>(late);
      const int here = sched_getcpu();
      record.migrations += here != cpu ? 1 : 0;
      cpu = here;
    }
    due += (late + 1) * schedule.period;
    cycle += allocations.counting ? static_cast<std::uint64_t>(late) + 1 : 1;
  }
  allocations.counting = false;
  record.allocations = allocations.calls;
  const Usage after = Usage::of_this_thread();
  record.usage.page_faults = after.page_faults - before.page_faults;
  record.usage.preemptions = after.preemptions - before.preemptions;
}

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__LOOP_HPP_
