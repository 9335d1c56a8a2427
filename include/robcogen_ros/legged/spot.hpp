// The place of a robot that steps on the spot.
#ifndef ROBCOGEN_ROS__LEGGED__SPOT_HPP_
#define ROBCOGEN_ROS__LEGGED__SPOT_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/legged/pendulum.hpp"
#include "robcogen_ros/legged/settings.hpp"

namespace robcogen_ros::legged
{

/// Place where a robot came to rest that no velocity is asked of; it goes back there.
class Spot
{
public:
  void begin(const Pendulum & pendulum) noexcept { place_ = pendulum.center; }

  /// Returns the motion that is asked for; on the spot a velocity that makes up for half of the way
  /// back in each cycle, and for half of the longest step at most.
  template <typename Robot>
  Motion kept(
    const Motion & asked, const Pendulum & pendulum, const Eigen::Matrix2d & heading,
    const Settings<Robot> & settings) noexcept
  {
    Motion result = asked;
    if (!asked.step || !asked.velocity.isZero(0.0))
    {
      place_ = pendulum.capture_point();
      return result;
    }
    const Eigen::Vector2d way = place_ - pendulum.center;
    const double share = std::min(1.0, settings.longest_step / std::max(way.norm(), 1e-9));
    result.velocity = heading.transpose() * way * 0.5 * share / settings.pattern.period;
    return result;
  }

private:
  Eigen::Vector2d place_ = Eigen::Vector2d::Zero();
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SPOT_HPP_
