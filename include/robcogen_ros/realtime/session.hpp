// A program that measures how punctually one robot is controlled on this computer.
#ifndef ROBCOGEN_ROS__REALTIME__SESSION_HPP_
#define ROBCOGEN_ROS__REALTIME__SESSION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "robcogen_ros/realtime/load.hpp"
#include "robcogen_ros/realtime/loop.hpp"
#include "robcogen_ros/realtime/request.hpp"
#include "robcogen_ros/realtime/simulated_robot.hpp"
#include "robcogen_ros/realtime/waves.hpp"

namespace robcogen_ros::realtime
{

/// What a session gives.
struct Outcome
{
  Record record;
  Grants grants;
  double error = 0.0;  ///< largest distance of a joint from its reference [rad or m]
  bool finite = true;
};

inline std::ostream & operator<<(std::ostream & out, const Histogram & histogram)
{
  out << "{\"total\": " << histogram.total() << ", \"sum\": " << histogram.sum()
      << ", \"least\": " << histogram.least() << ", \"worst\": " << histogram.worst()
      << ", \"bins\": [";
  const char * separator = "";
  histogram.each(
    [&](auto first, auto last, auto count)
    {
      out << separator << '[' << first << ", " << last << ", " << count << ']';
      separator = ", ";
    });
  return out << "]}";
}

/// The outcome as JSON.
inline std::ostream & operator<<(std::ostream & out, const Outcome & outcome)
{
  const auto & [record, grants, error, finite] = outcome;
  const auto word = [](bool value) { return value ? "true" : "false"; };
  out << "{\"wake_up\": " << record.wake_up << ",\n\"execution\": " << record.execution
      << ",\n\"simulation\": " << record.simulation << ",\n\"missed\": " << record.missed
      << ", \"migrations\": " << record.migrations
      << ", \"page_faults\": " << record.usage.page_faults
      << ", \"preemptions\": " << record.usage.preemptions << ", \"allocations\": ";
  allocations_are_counted ? out << record.allocations : out << "null";
  out << ",\n\"fifo\": " << word(grants.fifo) << ", \"pinned\": " << word(grants.pinned)
      << ", \"locked\": " << word(grants.locked) << ", \"awake\": " << word(grants.awake)
      << ", \"tracking_error\": ";
  finite ? out << error : out << "null";
  out << ",\n\"notes\": [";
  for (std::size_t i = 0; i < grants.notes.size(); ++i)
  {
    out << (i == 0 ? "" : ", ") << '"' << grants.notes[i] << '"';
  }
  return out << "]}\n";
}

/// Controls a simulated robot as a request says, in the calling thread.
template <typename Robot>
void control(const Request & request, Outcome & outcome)
{
  using JointVector = typename Robot::JointVector;
  const auto vector = [&](const char * name) { return request.template vector<JointVector>(name); };
  const Waves<JointVector> waves{vector("center"), vector("swing"), vector("pace")};
  const JointVector kp = vector("kp");
  const JointVector kd = vector("kd");
  const JointVector limits = vector("effort_limits");
  Schedule schedule;
  schedule.period = static_cast<std::int64_t>(1e9 / request.number("rate"));
  schedule.cycles = static_cast<std::uint64_t>(request.number("cycles"));
  const double step = 1e-9 * static_cast<double>(schedule.period);

  std::int64_t periods = 0;
  JointVector effort = JointVector::Zero();
  auto wanted = waves.at(0.0);
  SimulatedRobot<Robot> robot{wanted.position, wanted.velocity};
  const auto law = [&]
  {
    wanted = waves.at(static_cast<double>(periods) * step);
    const JointVector feedback =
      kp.cwiseProduct(wanted.position - robot.q) + kd.cwiseProduct(wanted.velocity - robot.qd);
    effort = Robot::inverse_dynamics(robot.q, robot.qd, wanted.acceleration + feedback)
               .cwiseMax(-limits)
               .cwiseMin(limits);
  };
  const auto simulate = [&](std::int64_t count)
  {
    outcome.error = std::max(outcome.error, (wanted.position - robot.q).cwiseAbs().maxCoeff());
    for (std::int64_t i = 0; i < count; ++i)
    {
      robot.advance(effort, step);
    }
    periods += count;
  };

  const Wishes wishes{
    static_cast<int>(request.number("priority")), static_cast<int>(request.number("cpu"))};
  const Preparation preparation(wishes);
  run(schedule, law, simulate, outcome.record);
  outcome.grants = preparation.grants();
  outcome.finite = robot.q.allFinite() && robot.qd.allFinite();
}

/// The whole program: a request on the standard input, an outcome on the standard output.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
int session()
{
  try
  {
    const Request request(std::cin);
    const auto outcome = std::make_unique<Outcome>();
    const Load load(static_cast<int>(request.number("stress")));
    std::exception_ptr problem;
    std::thread worker(
      [&]
      {
        try
        {
          control<Robot>(request, *outcome);
        }
        catch (...)
        {
          problem = std::current_exception();
        }
      });
    worker.join();
    if (problem)
    {
      std::rethrow_exception(problem);
    }
    std::cout << *outcome;
    return 0;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__SESSION_HPP_
