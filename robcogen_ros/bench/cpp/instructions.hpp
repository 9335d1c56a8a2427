// Counts the instructions of a call: by the processor's own counter where it may be read, else one
// by one in a child process that is stopped after each.
#pragma once

#include <linux/perf_event.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace bench
{

/// Instructions by the processor's counter, -1 where it cannot be read.
template <typename Work>
long counted(Work && work)
{
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  const long counter = syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);
  if (counter < 0)
  {
    return -1;
  }
  const int file = static_cast<int>(counter);
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  bool good = read(file, &before, sizeof before) == sizeof before;
  work();
  good = read(file, &after, sizeof after) == sizeof after && good;
  close(file);
  return good && after > before ? static_cast<long>(after - before) : -1;
}

/// Where a stopped process goes on; -1 on processors none of whose instructions stop midway.
inline long place([[maybe_unused]] pid_t process)
{
#ifdef __x86_64__
  return ptrace(PTRACE_PEEKUSER, process, offsetof(user, regs.rip), nullptr);
#else
  return -1;
#endif
}

/// Instructions by single steps, -1 where processes may not be traced. One that repeats itself, as
/// those that fill memory do, stops each time, and counts once, as the processor counts it.
template <typename Work>
long stepped(Work && work)
{
  const pid_t child = fork();
  if (child == 0)
  {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    work();
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  long steps = 0;
  bool good = child > 0 && waitpid(child, &status, 0) == child && WIFSTOPPED(status);
  long before = -1;
  for (bool done = false; good && !done;)
  {
    good = ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 &&
           waitpid(child, &status, 0) == child && WIFSTOPPED(status);
    done = good && WSTOPSIG(status) == SIGSTOP;
    const long here = place(child);
    steps += here < 0 || here != before;
    before = here;
  }
  if (child > 0)
  {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return good ? steps : -1;
}

/// Instructions of a call: those of two calls less those of one, -1 where nothing counts them.
template <typename Call>
long instructions(Call && call)
{
  const auto once = [&] { call(); };
  const auto twice = [&] { call(), call(); };
  long one = counted(once);
  long two = counted(twice);
  if (one < 0 || two < 0)
  {
    one = stepped(once);
    two = stepped(twice);
  }
  return one < 0 || two < 0 ? -1 : two - one;
}

}  // namespace bench
