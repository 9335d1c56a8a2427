// Two robots, of different joints and links, in one program that knows neither.
#include "swing.hpp"

#include <cstdio>

#include "generic/arm.hpp"
#include "generic/leg.hpp"

namespace
{

template <typename Robot>
void report(const char * title)
{
  using JointVector = typename Robot::JointVector;
  const Swing<Robot> result = swing<Robot>(JointVector::Constant(0.3), 0.5, 0.001);
  std::printf("%s: %d joints, energy drift %.1e J\n", title, Robot::joint_count, result.drift);
  for (const auto [joint, name, reach] : result.reach)
  {
    static_cast<void>(joint);
    std::printf("  %-10s %.6f\n", name.data(), reach);
  }
}

}  // namespace

int main()
{
  report<generic::arm::Traits>("arm");
  report<generic::leg::Traits>("leg");
}
