// Requests of a thread to Linux, so that it wakes up on time, and which were granted.
#ifndef ROBCOGEN_ROS__REALTIME__THREAD_HPP_
#define ROBCOGEN_ROS__REALTIME__THREAD_HPP_

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace robcogen_ros::realtime
{

/// The time of the clock that never jumps [ns].
inline std::int64_t now() noexcept
{
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{1000000000} * time.tv_sec + time.tv_nsec;
}

/// Sleeps until a time of that clock [ns].
inline void sleep_until(std::int64_t due) noexcept
{
  const timespec time{due / 1000000000, due % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR)
  {
  }
}

/// Wishes of a thread.
struct Wishes
{
  int priority = 80;  ///< of SCHED_FIFO, 1 to 99; 0: usual scheduling
  int cpu = -1;       ///< the only CPU to run on; -1: any
};

/// Wishes that were granted, and why not all.
struct Grants
{
  bool fifo = false;
  bool pinned = false;
  bool locked = false;
  bool awake = false;  ///< whether CPUs are kept from deep sleep
  std::vector<std::string> notes;
};

/// Prepares the calling thread, and undoes what concerns the whole process at its end.
class Preparation
{
public:
  explicit Preparation(const Wishes & wishes)
  {
    prctl(PR_SET_TIMERSLACK, 1UL);  // of use where SCHED_FIFO is refused
    schedule(wishes.priority);
    pin(wishes.cpu);
    stay_awake();
    lock_memory();
  }
  Preparation(const Preparation &) = delete;
  Preparation & operator=(const Preparation &) = delete;

  ~Preparation()
  {
    munlockall();
    if (latency_ >= 0)
    {
      close(latency_);
    }
  }

  const Grants & grants() const noexcept { return grants_; }

private:
  void schedule(int priority)
  {
    sched_param parameters{};
    parameters.sched_priority = priority;
    const int policy = priority > 0 ? SCHED_FIFO : SCHED_OTHER;
    const int error = pthread_setschedparam(pthread_self(), policy, &parameters);
    grants_.fifo = priority > 0 && error == 0;
    if (error != 0)
    {
      refused("SCHED_FIFO", error, "give this user `rtprio 99` in /etc/security/limits.conf");
    }
  }

  void pin(int cpu)
  {
    if (cpu < 0)
    {
      return;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
    grants_.pinned = error == 0;
    if (error != 0)
    {
      refused("CPU " + std::to_string(cpu), error, "name one that `taskset -cp $$` lists");
    }
  }

  /// Keeps CPUs from sleep states that take long to leave, where the kernel lets us ask for it.
  void stay_awake()
  {
    latency_ = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    const std::int32_t none = 0;
    grants_.awake = latency_ >= 0 && write(latency_, &none, sizeof(none)) == sizeof(none);
  }

  void lock_memory()
  {
    touch_stack();
    grants_.locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    if (!grants_.locked)
    {
      refused("locked memory", errno, "give this user `memlock unlimited` in limits.conf");
    }
  }

  /// Touches the pages of the stack that the loop will use, before it starts.
  static void touch_stack() noexcept
  {
    volatile char room[256 * 1024];
    for (std::size_t i = 0; i < sizeof(room); i += 4096)
    {
      room[i] = 0;
    }
  }

  void refused(const std::string & what, int error, const std::string & advice)
  {
    grants_.notes.push_back("no " + what + ": " + std::strerror(error) + "; " + advice);
  }

  Grants grants_;
  int latency_ = -1;
};

/// Counts of the kernel for the calling thread.
struct Usage
{
  long page_faults = 0;
  long preemptions = 0;

  static Usage of_this_thread() noexcept
  {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {usage.ru_minflt + usage.ru_majflt, usage.ru_nivcsw};
  }
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__THREAD_HPP_
