// Counting what a thread allocates and frees. Include it in one source file of a program: it takes
// the place of the C library's allocator, for every library that the program loads.
#ifndef ROBCOGEN_ROS__REALTIME__ALLOCATIONS_HPP_
#define ROBCOGEN_ROS__REALTIME__ALLOCATIONS_HPP_

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace robcogen_ros::realtime
{

/// Calls of the allocator by this thread while `counting`; freeing nothing is none.
struct Allocations
{
  bool counting = false;
  std::uint64_t calls = 0;

  void note() noexcept { calls += counting ? 1 : 0; }
};
inline thread_local Allocations allocations;

#ifdef __GLIBC__
constexpr bool allocations_are_counted = true;
#else
constexpr bool allocations_are_counted = false;
#endif

}  // namespace robcogen_ros::realtime

#ifdef __GLIBC__
extern "C"
{
void * __libc_malloc(std::size_t);
void * __libc_calloc(std::size_t, std::size_t);
void * __libc_realloc(void *, std::size_t);
void * __libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);

void * malloc(std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  return __libc_malloc(size);
}

void * calloc(std::size_t count, std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  return __libc_calloc(count, size);
}

void * realloc(void * memory, std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  return __libc_realloc(memory, size);
}

void * memalign(std::size_t alignment, std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  return __libc_memalign(alignment, size);
}

void * aligned_alloc(std::size_t alignment, std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void ** memory, std::size_t alignment, std::size_t size)
{
  robcogen_ros::realtime::allocations.note();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

void free(void * memory)
{
  if (memory != nullptr)
  {
    robcogen_ros::realtime::allocations.note();
  }
  __libc_free(memory);
}
}
#endif

#endif  // ROBCOGEN_ROS__REALTIME__ALLOCATIONS_HPP_
