// Whether a foot rests on the ground, by where it is and how it moves.
#ifndef ROBCOGEN_ROS__CONTROL__RESTING_FOOT_HPP_
#define ROBCOGEN_ROS__CONTROL__RESTING_FOOT_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/types.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::control
{

/// Whether a foot goes down at half of `landing_speed`, as one in the air does that is to touch.
template <typename Robot>
bool descends(
  const Robot & robot, const whole_body::Settings<Robot> & settings,
  const ground::State<Robot> & state, int foot) noexcept
{
  const auto rows = with_constants<Robot>(
    settings.constants, [&](const auto &... x) { return robot.contact_jacobian(x...); }, state.q);
  const Contact & contact = robot.contacts[foot];
  const Eigen::Vector3d velocity =
    rows.template middleRows<3>(contact.first_row + contact.rows() - 3) * state.rates;
  const Eigen::Vector3d up = state.orientation.conjugate() * settings.ground_normal.normalized();
  return !(up.dot(velocity) > -0.5 * settings.landing_speed);
}

/// Whether any of the feet that touch does.
template <typename Robot, typename Feet>
bool any_descends(
  const Robot & robot, const whole_body::Settings<Robot> & settings,
  const ground::State<Robot> & state, const Feet & touch) noexcept
{
  bool result = false;
  for (int i = 0; i < robot.contact_count; ++i)
  {
    const bool touches = touch[static_cast<std::size_t>(i)];
    result = result || (touches && descends(robot, settings, state, i));
  }
  return result;
}

/// Whether a foot is where those that touch have the ground, give or take a tenth of the height of
/// the base, and does not go down.
///
/// \param touch which feet touch; without any none is told to rest
template <typename Robot, typename Feet>
bool rests(
  const Robot & robot, const whole_body::Settings<Robot> & settings,
  const ground::State<Robot> & state, const Feet & touch, int foot) noexcept
{
  if (std::find(touch.begin(), touch.end(), true) == touch.end())
  {
    return false;
  }
  const auto poses = with_constants<Robot>(
    settings.constants, [&](const auto &... x) { return robot.kinematics(x...); }, state.q);
  const Eigen::Vector3d up = state.orientation.conjugate() * settings.ground_normal.normalized();
  const auto height = [&](int of)
  {
    const auto frame = static_cast<typename Robot::Frame>(robot.contacts[of].frame);
    return up.dot(poses.pose(frame).translation());
  };
  double ground = 0.0;
  int count = 0;
  for (int i = 0; i < robot.contact_count; ++i)
  {
    const bool counts = i != foot && touch[static_cast<std::size_t>(i)];
    ground += counts ? height(i) : 0.0;
    count += counts ? 1 : 0;
  }
  return count > 0 && std::abs(height(foot) - ground / count) < -0.1 * ground / count &&
         !descends(robot, settings, state, foot);
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__RESTING_FOOT_HPP_
