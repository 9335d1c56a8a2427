// The place of a robot that steps on the spot.
#ifndef ROBCOGEN_ROS__LEGGED__SPOT_HPP_
#define ROBCOGEN_ROS__LEGGED__SPOT_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/legged/pendulum.hpp"
#include "robcogen_ros/legged/settings.hpp"

namespace robcogen_ros::legged
{

/// Place where a robot is to be: where it came to rest, or where the velocity leads that is asked
/// of it. It goes there, so nothing that pulls at it steadily makes it drift from its way.
class Spot
{
public:
  void begin(const Pendulum & pendulum) noexcept { place_ = pendulum.center; }

  /// Returns the motion that is asked for, and a velocity more that makes up for half of the way to
  /// the place in each cycle, and for half of the longest step at most. On its way the place is
  /// within that of the robot: one that is pushed, or cannot go so fast, goes on from where it is.
  ///
  /// \param step length of the cycle of control [s]
  template <typename Robot>
  Motion kept(
    const Motion & asked, const Pendulum & pendulum, const Eigen::Matrix2d & heading,
    const Settings<Robot> & settings, double step) noexcept
  {
    const bool goes = asked.step && !asked.velocity.isZero(0.0);
    if (!asked.step || goes != goes_)
    {
      place_ = goes ? pendulum.center : pendulum.capture_point();
    }
    goes_ = goes;
    Motion result = asked;
    place_ += asked.step * step * heading * asked.velocity;
    Eigen::Vector2d way = asked.step * (place_ - pendulum.center);
    way *= std::min(1.0, (goes ? 0.5 : 1.0) * settings.longest_step / std::max(way.norm(), 1e-9));
    place_ = goes ? Eigen::Vector2d(pendulum.center + way) : place_;
    result.velocity += heading.transpose() * way * 0.5 / settings.pattern.period;
    return result;
  }

private:
  Eigen::Vector2d place_ = Eigen::Vector2d::Zero();
  bool goes_ = false;  ///< whether a velocity was asked for
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SPOT_HPP_
