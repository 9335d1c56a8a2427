// Empties the caches of data, code and addresses, as a controller finds them after other work.
#pragma once

#include <cstddef>
#include <vector>

#include "clock.hpp"

namespace bench
{

/// Touches so much other memory, and runs so much other code, that nothing of before is cached.
class Eviction
{
public:
  /// \param bytes memory to read and write: twice the last-level cache
  explicit Eviction(std::size_t bytes) : memory_(bytes / sizeof(long), 1) {}

  void operator()()
  {
    constexpr std::size_t line = 64 / sizeof(long);
    for (std::size_t i = 0; i < memory_.size(); i += line)
    {
      ++memory_[i];
    }
    barrier();
    other_code();
  }

private:
  /// 256 KiB of code: an instruction a cache line, no-operations between.
  [[gnu::noinline]] static void other_code()
  {
    asm volatile(".rept 4096\n\tnop\n\t.balign 64\n\t.endr" ::: "memory");
  }

  std::vector<long> memory_;
};

}  // namespace bench
