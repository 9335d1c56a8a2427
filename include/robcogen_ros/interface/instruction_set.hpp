/// \file
/// Sources that are compiled for several instruction sets, and how the best that a processor has is
/// called.
///
/// Such a source is compiled once for each set, with ROBCOGEN_INSTRUCTION_SET, the name of the set,
/// and for all processors with ROBCOGEN_CHOOSES and the names of the others, ROBCOGEN_X86_64_V3 and
/// so on, as well. A linker keeps one of all inline functions and templates of one name, whatever
/// they were compiled for. So what the source includes and defines lies in a namespace of the set.
/// The headers of the standard library stay outside: they are included here, and no function that
/// they define is called.
#ifndef ROBCOGEN_ROS__INTERFACE__INSTRUCTION_SET_HPP_
#define ROBCOGEN_ROS__INTERFACE__INSTRUCTION_SET_HPP_

#ifdef ROBCOGEN_INSTRUCTION_SET

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "robcogen_ros/model.h"
#include "robcogen_ros/simd/arguments.hpp"
// The types of arguments are there for callers, and once more for the set.
#undef ROBCOGEN_ROS__SIMD__ARGUMENTS_HPP_

/// The name of the calls of a set.
#define ROBCOGEN_JOINED(calls, set) calls##_##set
#define ROBCOGEN_CALLS_OF(calls, set) ROBCOGEN_JOINED(calls, set)

#ifndef ROBCOGEN_CHOOSES

/// Begins the definition of the calls of this set.
#define ROBCOGEN_CALLS(Calls)                                            \
  extern const Calls ROBCOGEN_CALLS_OF(Calls, ROBCOGEN_INSTRUCTION_SET); \
  const Calls ROBCOGEN_CALLS_OF(Calls, ROBCOGEN_INSTRUCTION_SET)

#else

/// Begins the definition of the calls that are chosen: those for all processors, also for static
/// objects that are constructed early, until the library is loaded.
#define ROBCOGEN_CALLS(Calls) static Calls chosen

#ifdef ROBCOGEN_X86_64_V2
#define ROBCOGEN_OF_V2(...) __VA_ARGS__
#else
#define ROBCOGEN_OF_V2(...)
#endif
#ifdef ROBCOGEN_X86_64_V3
#define ROBCOGEN_OF_V3(...) __VA_ARGS__
#else
#define ROBCOGEN_OF_V3(...)
#endif
#ifdef ROBCOGEN_X86_64_V4
#define ROBCOGEN_OF_V4(...) __VA_ARGS__
#else
#define ROBCOGEN_OF_V4(...)
#endif

/// True if this processor and its operating system have what a set is compiled with.
#define ROBCOGEN_HAS_V2 (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"))
#define ROBCOGEN_HAS_V3                                               \
  (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && \
   __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
#define ROBCOGEN_HAS_V4                                                                          \
  (ROBCOGEN_HAS_V3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && \
   __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&                   \
   __builtin_cpu_supports("avx512vl"))

/// Chooses those of the best set when the library is loaded; no call asks anything.
#define ROBCOGEN_CHOOSE(Calls)                                                         \
  ROBCOGEN_OF_V2(extern const Calls ROBCOGEN_CALLS_OF(Calls, x86_64_v2);)              \
  ROBCOGEN_OF_V3(extern const Calls ROBCOGEN_CALLS_OF(Calls, x86_64_v3);)              \
  ROBCOGEN_OF_V4(extern const Calls ROBCOGEN_CALLS_OF(Calls, x86_64_v4);)              \
  [[gnu::constructor(101)]] static void choose()                                       \
  {                                                                                    \
    __builtin_cpu_init();                                                              \
    ROBCOGEN_OF_V2(if (ROBCOGEN_HAS_V2) chosen = ROBCOGEN_CALLS_OF(Calls, x86_64_v2);) \
    ROBCOGEN_OF_V3(if (ROBCOGEN_HAS_V3) chosen = ROBCOGEN_CALLS_OF(Calls, x86_64_v3);) \
    ROBCOGEN_OF_V4(if (ROBCOGEN_HAS_V4) chosen = ROBCOGEN_CALLS_OF(Calls, x86_64_v4);) \
  }

#endif  // ROBCOGEN_CHOOSES

#endif  // ROBCOGEN_INSTRUCTION_SET

#endif  // ROBCOGEN_ROS__INTERFACE__INSTRUCTION_SET_HPP_
