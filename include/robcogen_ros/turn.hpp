// Turns between orientations.
#ifndef ROBCOGEN_ROS__TURN_HPP_
#define ROBCOGEN_ROS__TURN_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace robcogen_ros
{

/// Returns true if the numbers of a quaternion are of unit length but for rounding: those of
/// another one are no orientation.
inline bool is_unit(const Eigen::Vector4d & quaternion) noexcept
{
  return std::abs(quaternion.norm() - 1.0) < 0.01;
}

/// The turn that leads from one orientation to another, the short way, as a rotation vector.
inline Eigen::Vector3d turn_between(
  const Eigen::Quaterniond & from, const Eigen::Quaterniond & to) noexcept
{
  const Eigen::AngleAxisd turn(to.normalized() * from.normalized().conjugate());
  const double angle = turn.angle() > M_PI ? turn.angle() - 2.0 * M_PI : turn.angle();
  return angle * turn.axis();
}

/// The turn that leads from one direction to another, the short way, as a rotation vector.
///
/// \param from of length 1
/// \param to of length 1; straight back, the turn is about any normal
inline Eigen::Vector3d turn_between(
  const Eigen::Vector3d & from, const Eigen::Vector3d & to) noexcept
{
  const Eigen::Vector3d normal = from.cross(to);
  const double sine = normal.norm(), cosine = from.dot(to);
  if (sine > 0.0)
  {
    return normal * (std::atan2(sine, cosine) / sine);
  }
  return cosine > 0.0 ? normal : Eigen::Vector3d(M_PI * from.unitOrthogonal());
}

/// An orientation after a turn, given as a rotation vector [rad].
inline Eigen::Quaterniond turned(
  const Eigen::Vector3d & turn, const Eigen::Quaterniond & from) noexcept
{
  const double angle = turn.norm();
  return angle > 0.0 ? (Eigen::AngleAxisd(angle, turn / angle) * from.normalized()).normalized()
                     : from;
}

/// Shortens a vector to a greatest length.
///
/// \return whether it was longer
inline bool shorten(Eigen::Vector3d & error, double greatest) noexcept
{
  const double length = error.norm();
  if (length <= greatest)
  {
    return false;
  }
  error *= greatest / length;
  return true;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TURN_HPP_
