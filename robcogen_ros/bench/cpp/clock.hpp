// The CPU time of this thread.
#pragma once

#include <ctime>

namespace bench
{

/// Nanoseconds that this thread has run.
inline double thread_nanoseconds()
{
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// What is computed before stays before, what is computed after stays after.
inline void barrier()
{
  asm volatile("" ::: "memory");
}

}  // namespace bench
