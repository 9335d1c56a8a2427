/// \file
/// Motions as arguments of the C interface: 19 numbers, position, orientation x y z w, angular and
/// linear velocity, angular and linear acceleration, in the world.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__MOTION_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__MOTION_HPP_

#include <Eigen/Core>

#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::core
{

inline void take_motion(const double * given, whole_body::Motion & motion) noexcept
{
  take(given, motion.position);
  take(given + 3, motion.orientation.coeffs());
  take(given + 7, motion.angular_velocity);
  take(given + 10, motion.linear_velocity);
  take(given + 13, motion.angular_acceleration);
  take(given + 16, motion.linear_acceleration);
}

inline void hand_motion(const whole_body::Motion & motion, double * out) noexcept
{
  hand(motion.position, out);
  hand(motion.orientation.coeffs(), out + 3);
  hand(motion.angular_velocity, out + 7);
  hand(motion.linear_velocity, out + 10);
  hand(motion.angular_acceleration, out + 13);
  hand(motion.linear_acceleration, out + 16);
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__MOTION_HPP_
