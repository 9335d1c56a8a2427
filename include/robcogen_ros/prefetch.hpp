/// \file
/// Prefetching of a function's own code.
///
/// A loop that wakes up once a millisecond finds its code in no cache. Straight-line code then
/// comes line after line, and each is waited for: processors foresee little of it. Prefetched,
/// lines come side by side.
#ifndef ROBCOGEN_ROS__PREFETCH_HPP_
#define ROBCOGEN_ROS__PREFETCH_HPP_

#include <type_traits>

namespace robcogen_ros
{

/// Bytes of a line of the caches.
constexpr int line_of_cache = 64;

/// Lines of a function that are there by the time that those beyond them could be prefetched.
constexpr int lines_at_hand = 20;

/// Bytes of code that an operation takes, with what moves its numbers: where multiplications and
/// additions are fused, and elsewhere.
#if defined(__FMA__)
constexpr int bytes_of_operation = 7;
#elif defined(__x86_64__)
constexpr int bytes_of_operation = 12;
#else
constexpr int bytes_of_operation = 5;
#endif

/// Prefetches a line. By the name of the instruction, since g++ takes its own function for one that
/// may throw, and drops what does no more than call it.
[[gnu::always_inline]] inline void prefetch_line(const char * line) noexcept
{
#if defined(__x86_64__)
  asm volatile("prefetcht0 %0" : : "m"(*line));
#elif defined(__aarch64__)
  asm volatile("prfm pldl1keep, %0" : : "Q"(*line));
#else
  static_cast<void>(line);
#endif
}

/// Prefetches lines of a function's code, from one of them on to another.
template <int first, int end, typename Function>
[[gnu::always_inline]] inline void prefetch_lines(Function * function) noexcept
{
  constexpr int together = 8;
  const char * code = reinterpret_cast<const char *>(function) + first * line_of_cache;
#pragma GCC unroll 1
  for (int line = first; line < end; line += together, code += together * line_of_cache)
  {
    prefetch_line(code);
    prefetch_line(code + 1 * line_of_cache);
    prefetch_line(code + 2 * line_of_cache);
    prefetch_line(code + 3 * line_of_cache);
    prefetch_line(code + 4 * line_of_cache);
    prefetch_line(code + 5 * line_of_cache);
    prefetch_line(code + 6 * line_of_cache);
    prefetch_line(code + 7 * line_of_cache);
  }
}

/// Prefetches the code of a function, from a line on to that of the last of its operations.
///
/// Nothing is prefetched of scalars other than double, whose operations may be calls.
template <typename T, int operations, int first = lines_at_hand, typename Function>
[[gnu::always_inline]] inline void prefetch(Function * function) noexcept
{
  if constexpr (std::is_same_v<T, double>)
  {
    prefetch_lines<first, operations * bytes_of_operation / line_of_cache>(function);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__PREFETCH_HPP_
