// What trunk and feet are to accelerate so that they come to their references.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__ERRORS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__ERRORS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "robcogen_ros/turn.hpp"
#include "robcogen_ros/whole_body/reference.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// Accelerations of a frame in the world, of a reference and the feedback of an error.
struct Feedback
{
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [rad/s^2]
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the origin [m/s^2]
  bool out_of_reach = false;  ///< whether the reference is further away than is answered

  /// \param measured its accelerations are not looked at
  template <typename Robot>
  Feedback(
    const Motion & reference, const Motion & measured, const Gains & turning, const Gains & moving,
    const Settings<Robot> & settings) noexcept
  {
    Eigen::Vector3d turn = turn_between(measured.orientation, reference.orientation);
    Eigen::Vector3d way = reference.position - measured.position;
    const bool far = shorten(way, settings.greatest_distance);
    out_of_reach = shorten(turn, settings.greatest_angle) || far;
    angular = reference.angular_acceleration + turning.stiffness * turn +
              turning.damping * (reference.angular_velocity - measured.angular_velocity);
    linear = reference.linear_acceleration + moving.stiffness * way +
             moving.damping * (reference.linear_velocity - measured.linear_velocity);
  }
};

/// The reference of a foot that is to stand and does not touch the ground: it is lowered.
template <typename Robot>
Motion landing(const Motion & measured, const Settings<Robot> & settings) noexcept
{
  Motion result = measured.at_rest();
  result.linear_velocity = -settings.landing_speed * settings.ground_normal.normalized();
  return result;
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__ERRORS_HPP_
