// Rows that rub, and numbers of rows.
#ifndef ROBCOGEN_ROS__GROUND__FRICTION_HPP_
#define ROBCOGEN_ROS__GROUND__FRICTION_HPP_

#include <Eigen/Core>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Numbers of at most so many rows, without allocation.
template <int most>
using Values = VectorWithin<Eigen::Dynamic, most>;
template <int most>
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;

/// Rows that rub: their forces stay within a ball.
struct Friction
{
  int first = 0;             ///< first row
  int size = 0;              ///< how many rows, 1 to 3
  double coefficient = 0.0;  ///< radius of the ball: this times the sum of the normal forces,
  double bound = 0.0;        ///< and this
  int first_normal = 0;      ///< first of the rows of these normal forces
  int normals = 0;           ///< how many
  bool moves = false;        ///< whether it slides along `direction` already
  bool sticks = true;        ///< whether it is held; if not, its force is opposed to `direction`
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< of sliding, of length 1
  double slow = 0.0;  ///< speed up to which this direction does not turn
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__FRICTION_HPP_
