// loop histogram: reads times [ns], prints their histogram.
// loop late N: runs N cycles of 1 ms of which every fifth works for 2.5 ms and allocates twice.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "robcogen_ros/realtime/histogram.hpp"
#include "robcogen_ros/realtime/loop.hpp"

using namespace robcogen_ros::realtime;

int main(int, char ** argv)
{
  const auto record = std::make_unique<Record>();
  if (argv[1] == std::string("histogram"))
  {
    for (std::int64_t time; std::cin >> time;)
    {
      record->wake_up.add(time);
    }
    std::cout << record->wake_up;
    return 0;
  }
  Schedule schedule;
  schedule.cycles = std::stoul(argv[2]);
  schedule.warm_up = 10;
  std::int64_t advanced = 0;
  std::size_t calls = 0;
  std::size_t slow = 0;
  const auto work = [&]
  {
    if (++calls % 5 == 0)
    {
      slow += allocations.counting ? 1 : 0;
      const auto waste = std::make_unique<std::string>(100, 'x');
      std::this_thread::sleep_for(std::chrono::microseconds(waste->size() * 25));
    }
  };
  run(schedule, work, [&](std::int64_t periods) { advanced += periods; }, *record);
  std::printf(
    "%zu %zu %zu %zu %zu\n", static_cast<std::size_t>(record->wake_up.total()),
    static_cast<std::size_t>(record->missed), static_cast<std::size_t>(advanced),
    static_cast<std::size_t>(record->allocations), slow);
}
