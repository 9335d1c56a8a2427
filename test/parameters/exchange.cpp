// Two threads hammer one Exchange: whoever reads must see whole values, never older ones again.
#include "robcogen_ros/exchange.hpp"

#include <array>
#include <cstdio>
#include <thread>

using Block = std::array<unsigned, 64>;

int main()
{
  constexpr unsigned last = 50000;
  robcogen_ros::Exchange<Block> exchange(Block{});
  std::thread writer([&exchange] {
    Block block;
    for (unsigned round = 1; round <= last; ++round) {
      block.fill(round);
      exchange.publish(block);
    }
  });
  unsigned newest = 0;
  bool sound = true;
  while (sound && newest != last) {
    const Block & block = exchange.read();
    for (const unsigned entry : block) {
      sound = sound && entry == block[0];
    }
    sound = sound && block[0] >= newest;
    newest = block[0];
  }
  writer.join();
  std::puts(sound ? "sound" : "torn or stale");
  return sound ? 0 : 1;
}
