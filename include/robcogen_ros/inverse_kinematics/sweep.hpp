// Values of a redundancy, from one outwards, until one has solutions.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__SWEEP_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__SWEEP_HPP_

#include <array>
#include <cmath>
#include <limits>

namespace robcogen_ros::inverse_kinematics
{

/// Tries values between bounds, at which both ends meet: from one outwards, then those half way
/// between, and so on; where limits are exceeded less than beside, ever closer ones around.
///
/// \param excess tells of a value by how much limits are exceeded there; 0 ends it
template <typename Excess>
void sweep(double start, double low, double high, const Excess & excess) noexcept
{
  constexpr int most = 1024, coarse = 256, half = coarse / 2;
  std::array<double, coarse + 3> found;
  found.fill(std::numeric_limits<double>::infinity());
  const auto at = [&](double off)
  { return excess(low + std::fmod(start + off - low + 4.0 * (high - low), high - low)); };
  const auto refine = [&]
  {
    for (int k = 1; k <= coarse + 1; ++k)
    {
      const auto i = static_cast<std::size_t>(k);
      double best = (k - 1 - half) * (high - low) / coarse, least = found[i];
      const bool lowest = std::isfinite(least) && least <= found[i - 1] && least <= found[i + 1];
      for (double step = (high - low) / most; lowest && step > 1e-7; step /= 2.0)
      {
        for (const double next : {best - step, best + step})
        {
          const double now = at(next);
          if (now <= 0.0)
          {
            return true;
          }
          if (now < least)
          {
            least = now;
            best = next;
          }
        }
      }
    }
    return false;
  };
  for (int count = 16; count <= most; count *= 2)
  {
    for (int i = 0; i <= count; ++i)
    {
      const int k = (i + 1) / 2 * (i % 2 == 0 ? 1 : -1);
      if (count > 16 && k % 2 == 0)
      {
        continue;
      }
      const double now = at(k * (high - low) / count);
      if (now <= 0.0)
      {
        return;
      }
      if (count <= coarse)
      {
        found[static_cast<std::size_t>(1 + half + k * (coarse / count))] = now;
      }
    }
    if (count == coarse && refine())
    {
      return;
    }
  }
}

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__SWEEP_HPP_
