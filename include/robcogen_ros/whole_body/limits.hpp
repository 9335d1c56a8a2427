// What limits leave of what is wanted.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/products.hpp"
#include "robcogen_ros/whole_body/response.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// True if a joint is at a position limit, or beyond.
///
/// \param q positions [rad or m]
template <typename Robot>
bool at_position_limit(const Robot & robot, const typename Robot::JointVector & q) noexcept
{
  constexpr double near = 1e-3;  // [rad or m]
  bool result = false;
  for (int i = 0; i < robot.joint_count; ++i)
  {
    result = result || q(i) > robot.upper_limits[i] - near || q(i) < robot.lower_limits[i] + near;
  }
  return result;
}

/// The acceleration next to a wanted one with which a joint comes to rest before its limits, or
/// goes no further beyond them: their distances vanish no faster than those of a critically damped
/// spring [rad/s^2 or m/s^2].
template <typename Robot>
double within_limits(
  const Robot & robot, int joint, double position, double velocity, double wanted) noexcept
{
  constexpr double rate = 50.0;  // [1/s]
  const double up = std::max(robot.upper_limits[joint] - position, 0.0);
  const double down = std::max(position - robot.lower_limits[joint], 0.0);
  const double most = rate * (rate * up - 2.0 * velocity);
  const double least = -rate * (rate * down + 2.0 * velocity);
  return std::max(least, std::min(most, wanted));
}

/// Asks of joints that a solution drives beyond their position limits to brake, before anything
/// else but limits of forces and efforts.
///
/// \param units of the variables of the program
/// \return whether there are any
template <typename Robot, typename Vector, typename Program>
bool brake(
  const Response<Robot> & response, const ground::State<Robot> & state, const Vector & units,
  const Vector & solution, const Settings<Robot> & settings, Program & program) noexcept
{
  const double g = settings.gravity.norm();
  bool any = false;
  for (int i = 0; i < settings.robot.joint_count; ++i)
  {
    Vector row(units.size());
    for (int j = 0; j < row.size(); ++j)
    {
      row(j) = response.accelerations_of(6 + i, j) * units(j) / g;
    }
    const double free = response.accelerations(6 + i);
    const double driven = free + g * dot(response.variables, row.data(), solution.data());
    const double kept = within_limits(settings.robot, i, state.q(i), state.rates(6 + i), driven);
    if (kept != driven)
    {
      program.add_square(row, (kept - free) / g, 10.0 * settings.stance_weight);
      any = true;
    }
  }
  return any;
}

/// True if the trunk misses the acceleration that is wanted of it by more than half of g.
///
/// \param given acceleration of its origin [m/s^2]
template <typename Robot>
bool trunk_missed(
  const Eigen::Vector3d & given, const Eigen::Vector3d & wanted,
  const Settings<Robot> & settings) noexcept
{
  return settings.position_weight > 0.0 && (given - wanted).norm() > 0.5 * settings.gravity.norm();
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__LIMITS_HPP_
