/// \file
/// The state of a robot with a floating base, as arguments of the C interface.
#ifndef ROBCOGEN_ROS__INTERFACE__STATE_HPP_
#define ROBCOGEN_ROS__INTERFACE__STATE_HPP_

#include <Eigen/Core>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/interface/object.hpp"

namespace robcogen_ros::interface
{

/// A state of its position, orientation, joint positions, base velocity and joint velocities.
template <typename Robot>
ground::State<Robot> taken_state(const double * const * in) noexcept
{
  ground::State<Robot> result;
  take(in[0], result.position);
  take(in[1], result.orientation.coeffs());
  take(in[2], result.q);
  result.rates << Eigen::Map<const Eigen::Matrix<double, 6, 1>>(in[3]),
    Eigen::Map<const typename Robot::JointVector>(in[4]);
  return result;
}

}  // namespace robcogen_ros::interface

#endif  // ROBCOGEN_ROS__INTERFACE__STATE_HPP_
