/// \file
/// The state of a robot with a floating base, as arguments of the C interface.
#ifndef ROBCOGEN_ROS__CORE__STATE_HPP_
#define ROBCOGEN_ROS__CORE__STATE_HPP_

#include <Eigen/Core>

#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/ground/state.hpp"

namespace robcogen_ros::core
{

/// A state of its position, orientation, joint positions, base velocity and joint velocities.
///
/// \param like any state of the robot
template <typename Robot>
ground::State<Robot> taken_state(
  const ground::State<Robot> & like, const double * const * in) noexcept
{
  ground::State<Robot> result = like;
  take(in[0], result.position);
  take(in[1], result.orientation.coeffs());
  take(in[2], result.q);
  result.rates << Eigen::Map<const Eigen::Matrix<double, 6, 1>>(in[3]),
    Eigen::Map<const Eigen::VectorXd>(in[4], result.q.size());
  return result;
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__STATE_HPP_
