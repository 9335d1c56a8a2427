// How a robot that walks leans over the feet that carry it next.
#ifndef ROBCOGEN_ROS__LEGGED__LEAN_HPP_
#define ROBCOGEN_ROS__LEGGED__LEAN_HPP_

#include <Eigen/Core>
#include <array>

#include "robcogen_ros/legged/swing.hpp"

namespace robcogen_ros::legged
{

/// The course of a point over the ground, of least jerk.
class Lean
{
public:
  /// Stays where it is; returns its rate, zero.
  Eigen::Vector2d rest(const Eigen::Vector2d & at) noexcept
  {
    for (int i = 0; i < 2; ++i)
    {
      axes_[i] = {at(i), 0.0, 0.0};
    }
    return Eigen::Vector2d::Zero();
  }

  /// Moves on towards a place, where it is at rest after a while; returns its rate [m/s].
  ///
  /// \param left time until it rests [s]
  /// \param step length of the cycle, at most `left` [s]
  /// \param at where it then is [m]
  Eigen::Vector2d towards(
    const Eigen::Vector2d & place, double left, double step, Eigen::Vector2d & at) noexcept
  {
    for (int i = 0; i < 2; ++i)
    {
      axes_[i] = axes_[i].towards(place(i), left, step);
      at(i) = axes_[i].position;
    }
    return {axes_[0].velocity, axes_[1].velocity};
  }

private:
  std::array<Course, 2> axes_{};
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__LEAN_HPP_
