// What a robot on legs is to do.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__REFERENCE_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__REFERENCE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/turn.hpp"

namespace robcogen_ros::whole_body
{

/// Pose, twist and acceleration of a frame in the world, those of its origin.
struct Motion
{
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< world from frame
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       ///< [rad/s]
  Eigen::Vector3d linear_velocity = Eigen::Vector3d::Zero();        ///< [m/s]
  Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();   ///< [rad/s^2]
  Eigen::Vector3d linear_acceleration = Eigen::Vector3d::Zero();    ///< [m/s^2]

  /// True if all are numbers of a robot, and the quaternion is of unit length but for rounding.
  bool finite() const noexcept
  {
    constexpr double utmost = 1e9;
    for (const Eigen::Vector3d * const part :
         {&position, &angular_velocity, &linear_velocity, &angular_acceleration,
          &linear_acceleration})
    {
      if (!(part->array().abs() <= utmost).all())
      {
        return false;
      }
    }
    return is_unit(orientation.coeffs());
  }

  /// Returns the motion in a world that is at an offset [m], and turned.
  Motion moved(const Eigen::Vector3d & offset, const Eigen::Quaterniond & turn) const noexcept
  {
    return {offset + turn * position, turn * orientation,          turn * angular_velocity,
            turn * linear_velocity,   turn * angular_acceleration, turn * linear_acceleration};
  }

  /// Returns the place, at rest.
  Motion at_rest() const noexcept
  {
    Motion result;
    result.position = position;
    result.orientation = orientation;
    return result;
  }
};

/// Reference of a foot, which stands or moves through the air.
struct FootReference
{
  bool stance = true;
  Motion motion;  ///< of its frame, in swing; a point's orientation is not looked at
  /// Wrench of the ground on it in stance, `[n; f]` about its origin in axes of the world, as far
  /// as the motion leaves it free; of a point only the force counts [N m, N].
  Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();
};

/// Reference of a robot: trunk, feet, posture.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Reference
{
  Motion trunk;  ///< of the base's frame
  /// True if the trunk's linear acceleration is, across gravity, that of the center of mass.
  bool centered = false;
  /// True if feet that are to swing stand until the robot is over the others; for the loop.
  bool waits = false;
  std::array<FootReference, SizesOf<Robot>::most_contacts> feet{};  ///< one a contact
  /// Positions of joints as far as trunk and feet leave them free [rad or m].
  typename Robot::JointVector posture;

  Reference() noexcept : Reference(Robot()) {}
  explicit Reference(const Robot & robot) noexcept
  : posture(Robot::JointVector::Zero(robot.joint_count))
  {
  }

  bool finite() const noexcept
  {
    bool result = trunk.finite() && posture.allFinite();
    for (const FootReference & foot : feet)
    {
      result = result && (foot.stance ? foot.wrench.allFinite() : foot.motion.finite());
    }
    return result;
  }
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__REFERENCE_HPP_
