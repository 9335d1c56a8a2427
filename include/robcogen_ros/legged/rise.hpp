// How a robot comes from the height that it has to that in which it stands.
#ifndef ROBCOGEN_ROS__LEGGED__RISE_HPP_
#define ROBCOGEN_ROS__LEGGED__RISE_HPP_

#include <algorithm>
#include <cmath>

#include "robcogen_ros/legged/swing.hpp"

namespace robcogen_ros::legged
{

/// The course of a height, of least jerk and a tenth of gravity at most, so that feet stay down.
class Rise
{
public:
  /// \param height that it has [m]
  /// \param wanted height that it is to have [m]
  /// \param gravity [m/s^2]
  void begin(double height, double wanted, double gravity) noexcept
  {
    course_ = {height, 0.0, 0.0};
    left_ = std::sqrt(steep * std::abs(wanted - height) / (0.1 * gravity));
  }

  /// Arrives after a while at the earliest [s].
  void takes(double time) noexcept { left_ = std::max(left_, time); }

  /// Moves on by a cycle; returns where it then is.
  const Course & towards(double wanted, double step) noexcept
  {
    course_ = course_.towards(wanted, left_, step);
    left_ = std::max(left_ - step, 0.0);
    return course_;
  }

private:
  static constexpr double steep = 5.78;  ///< greatest acceleration by way and square of the time

  Course course_;
  double left_ = 0.0;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__RISE_HPP_
