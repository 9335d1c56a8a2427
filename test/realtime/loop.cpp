// loop histogram: reads times [ns], prints their histogram.
// loop late N: runs N cycles of 1 ms of which every tenth works for 2.5 ms and allocates twice.
#include <Eigen/Core>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "robcogen_ros/realtime/session.hpp"

using namespace robcogen_ros::realtime;

int main(int, char ** argv)
{
  const auto outcome = std::make_unique<Outcome>();
  if (argv[1] == std::string("histogram"))
  {
    for (std::int64_t time; std::cin >> time;)
    {
      outcome->record.wake_up.add(time);
    }
    std::cout << outcome->record.wake_up;
    return 0;
  }
  Schedule schedule;
  schedule.cycles = std::stoul(argv[2]);
  schedule.warm_up = 10;
  std::int64_t advanced = 0;
  const auto work = [&]
  {
    if (advanced % 10 == 0)
    {
      const auto waste = std::make_unique<std::string>(100, 'x');
      std::this_thread::sleep_for(std::chrono::microseconds(waste->size() * 25));
    }
  };
  run(schedule, work, [&](std::int64_t periods) { advanced += periods; }, outcome->record);
  const Record & record = outcome->record;
  std::printf(
    "%zu %zu %zu %zu\n", static_cast<std::size_t>(record.wake_up.total()),
    static_cast<std::size_t>(record.missed), static_cast<std::size_t>(advanced),
    static_cast<std::size_t>(record.allocations));
}
