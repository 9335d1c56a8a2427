/// \file
/// The state of a robot with a floating base, as arguments of the C interface.
#ifndef ROBCOGEN_ROS__CORE__STATE_HPP_
#define ROBCOGEN_ROS__CORE__STATE_HPP_

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/ground/state.hpp"

namespace robcogen_ros::core
{

/// A robot that stands on feet, of which these functions are called, the useful ones if there are.
///
/// \throws std::invalid_argument if it is none, or lacks one that is needed
inline RuntimeModel on_legs(
  const robcogen_model * model, std::initializer_list<std::string_view> needed,
  std::initializer_list<std::string_view> useful = {})
{
  const RuntimeModel robot(model, needed, useful);
  if (!robot.floating_base || !ground::contacts_are_feet(robot))
  {
    throw std::invalid_argument("a robot on legs has a floating base, and positions or poses");
  }
  return robot;
}

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
  std::copy_n(in[4], result.q.size(), std::copy_n(in[3], 6, result.rates.data()));
  return result;
}

/// The reason to refuse a state, or what is told with it.
constexpr const char * bad_input =
  "expected finite numbers, a quaternion that is not zero and a cycle of 0 or more";

/// Returns true if a robot can be there.
template <typename Robot>
bool is_state(const ground::State<Robot> & state) noexcept
{
  return state.finite() && state.orientation.norm() > 0.0;
}

/// Returns true if so much time can have passed.
inline bool is_cycle(double step) noexcept
{
  return step >= 0.0 && std::isfinite(step);
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__STATE_HPP_
