// A robot on legs as a linear inverted pendulum.
#ifndef ROBCOGEN_ROS__LEGGED__PENDULUM_HPP_
#define ROBCOGEN_ROS__LEGGED__PENDULUM_HPP_

#include <Eigen/Core>
#include <cmath>

namespace robcogen_ros::legged
{

/// The center of mass, at constant height over a center of pressure: `c'' = w^2 (c - p)`
/// (Kajita 2001); its capture point `x = c + c' / w` moves by `x' = w (x - p)` (Pratt 2006).
struct Pendulum
{
  Eigen::Vector2d center;    ///< of mass, seen along gravity [m]
  Eigen::Vector2d velocity;  ///< [m/s]
  double rate;               ///< w, the root of gravity by height [1/s]

  /// Returns the point to step on to come to rest.
  Eigen::Vector2d capture_point() const noexcept { return center + velocity / rate; }

  /// Acceleration over a center of pressure [m/s^2].
  Eigen::Vector2d acceleration(const Eigen::Vector2d & pressure) const noexcept
  {
    return rate * rate * (center - pressure);
  }

  /// Returns the pendulum after a while over a center of pressure.
  Pendulum after(double time, const Eigen::Vector2d & pressure) const noexcept
  {
    const double c = std::cosh(rate * time), s = std::sinh(rate * time);
    const Eigen::Vector2d from = center - pressure;
    return {pressure + c * from + s / rate * velocity, c * velocity + rate * s * from, rate};
  }
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__PENDULUM_HPP_
