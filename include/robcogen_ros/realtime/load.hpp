// Processes that keep a computer busy while something else must stay on time.
#ifndef ROBCOGEN_ROS__REALTIME__LOAD_HPP_
#define ROBCOGEN_ROS__REALTIME__LOAD_HPP_

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace robcogen_ros::realtime
{

/// Processes of usual priority that compute, stream through memory larger than the caches, and
/// have the kernel map and unmap pages. They end with this object, and with the program.
class Load
{
public:
  explicit Load(int processes)
  {
    for (int i = 0; i < processes; ++i)
    {
      const pid_t child = fork();
      if (child == 0)
      {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
      }
      if (child > 0)
      {
        children_.push_back(child);
      }
    }
  }
  Load(const Load &) = delete;
  Load & operator=(const Load &) = delete;

  ~Load()
  {
    for (const pid_t child : children_)
    {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

  int processes() const noexcept { return static_cast<int>(children_.size()); }

private:
  [[noreturn]] static void work()
  {
    std::vector<double> memory(4U << 20U, 1.0);  // 32 MB
    for (;;)
    {
      for (double & value : memory)
      {
        value = std::sqrt(value + 1.0);
      }
      constexpr std::size_t size = 4U << 20U;
      void * pages =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (pages != MAP_FAILED)
      {
        for (std::size_t i = 0; i < size; i += 4096)
        {
          static_cast<volatile char *>(pages)[i] = 1;
        }
        munmap(pages, size);
      }
    }
  }

  std::vector<pid_t> children_;
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__LOAD_HPP_
