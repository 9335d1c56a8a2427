// What a side of a comparison gives: a function of a robot, ready to be called.
#pragma once

#include <cstddef>

namespace bench
{

/// A function of one robot.
struct Subject
{
  /// Evaluates it at a state: its inputs one after the other.
  void (*call)(void * self, const double * state);
  void * self;
  std::size_t width;      // numbers of a state
  const double * result;  // where the last call left its result
  std::size_t size;       // numbers of the result
};

/// What a library of a side exports: makes the function of a name, of the robot in a file; whether
/// it has it.
using Open = bool(const char * robot, const char * function, Subject * subject);

constexpr const char * open_name = "robcogen_bench_open";

}  // namespace bench

#define ROBCOGEN_BENCH_SIDE extern "C" __attribute__((visibility("default")))
