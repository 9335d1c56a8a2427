// Turns by a vector, and what belongs to them.
#ifndef ROBCOGEN_ROS__ESTIMATOR__TURNS_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__TURNS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "robcogen_ros/transform.hpp"

namespace robcogen_ros::estimator
{

/// The turn about a vector by its length [rad].
inline Eigen::Quaterniond turned(const Eigen::Vector3d & by) noexcept
{
  const double angle = by.norm();
  const double share = angle > 1e-6 ? std::sin(0.5 * angle) / angle : 0.5;
  Eigen::Quaterniond result;
  result.w() = std::cos(0.5 * angle);
  result.vec() = share * by;
  return result.normalized();
}

/// The mean of the turns from none to that by a vector: the left Jacobian of SO(3).
inline Eigen::Matrix3d mean_turn(const Eigen::Vector3d & by) noexcept
{
  const double angle = by.norm();
  const Eigen::Matrix3d cross = skew<double>(by);
  if (angle < 1e-4)
  {
    return Eigen::Matrix3d::Identity() + 0.5 * cross + cross * cross / 6.0;
  }
  const double square = angle * angle;
  return Eigen::Matrix3d::Identity() + (1.0 - std::cos(angle)) / square * cross +
         (angle - std::sin(angle)) / (square * angle) * cross * cross;
}

/// A foot that is a ball, whose middle goes on as it rolls on the ground.
class RollingBall
{
public:
  /// Way of the middle since the last call, by less than a quarter of a turn.
  ///
  /// \param turn rotation of the ball in the world
  /// \param above the middle from the point that touches
  Eigen::Vector3d rolled(const Eigen::Matrix3d & turn, const Eigen::Vector3d & above) noexcept
  {
    const Eigen::Matrix3d by = turn * turn_.transpose();
    turn_ = turn;
    const Eigen::Matrix3d twice = by - by.transpose();
    return 0.5 * Eigen::Vector3d(twice(2, 1), twice(0, 2), twice(1, 0)).cross(above);
  }

private:
  Eigen::Matrix3d turn_ = Eigen::Matrix3d::Identity();
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__TURNS_HPP_
