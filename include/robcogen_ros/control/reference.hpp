// Where a robot should be, from sources that may fall silent.
#ifndef ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_
#define ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "robcogen_ros/control/law.hpp"

namespace robcogen_ros::control
{

/// A reference that says nothing of any joint: what is not given is NaN.
template <typename Robot>
MotionState<Robot> nothing() noexcept
{
  using JointVector = typename Robot::JointVector;
  const JointVector nan = JointVector::Constant(std::numeric_limits<double>::quiet_NaN());
  return {nan, nan, nan, nan};
}

/// One point of a stream: carried on with its own velocity until the next should have come.
template <typename Robot>
struct SetPoint
{
  using JointVector = typename Robot::JointVector;

  MotionState<Robot> state = nothing<Robot>();
  /// How long it is carried on before the motion stops [s].
  double patience = 0.0;

  /// The same pose, with continuous joints turned to what is nearest to a position; where that is
  /// NaN they stay.
  void turn_to(const JointVector & position) noexcept
  {
    const JointVector away = state.position - position;
    const JointVector moved = wrapped<Robot, JointVector>(away) - away;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      state.position(i) += finite(moved(i));
    }
  }

  /// Where to be so long after its time [s].
  MotionState<Robot> sample(double age) const noexcept
  {
    const double t = std::clamp(age, 0.0, patience);
    MotionState<Robot> result = state;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const double rate = finite(state.velocity(i));
      const double change = finite(state.acceleration(i));
      const bool over = age > patience;
      result.effort(i) = over ? 0.0 : state.effort(i);
      if (!std::isnan(state.position(i)))
      {
        result.position(i) += t * (rate + 0.5 * t * change);
        result.velocity(i) = over ? 0.0 : rate + t * change;
        result.acceleration(i) = over ? 0.0 : change;
      }
    }
    return result;
  }

private:
  static double finite(double value) noexcept { return std::isfinite(value) ? value : 0.0; }
};

/// The last valid reference of each joint.
///
/// A joint whose position is not finite holds its last one, with zero velocity, acceleration and
/// effort; but an effort that is given alone, all else NaN, is taken. Of a valid position, a
/// velocity, acceleration or effort that is not finite counts as 0.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class Reference
{
public:
  using JointVector = typename Robot::JointVector;

  /// No joint has a reference.
  void forget() noexcept
  {
    state_ = MotionState<Robot>{};
    known_.fill(false);
  }

  /// All joints stand still at a position.
  void hold(const JointVector & position) noexcept
  {
    state_ = MotionState<Robot>{};
    state_.position = position;
    known_.fill(true);
  }

  /// Takes over what is given; NaN where nothing is.
  void take(const MotionState<Robot> & given) noexcept
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const bool valid = std::isfinite(given.position(i));
      const bool alone = std::isnan(given.position(i)) && std::isnan(given.velocity(i)) &&
                         std::isnan(given.acceleration(i));
      const auto part = [](bool taken, double value)
      { return taken && std::isfinite(value) ? value : 0.0; };
      state_.position(i) = valid ? given.position(i) : state_.position(i);
      state_.velocity(i) = part(valid, given.velocity(i));
      state_.acceleration(i) = part(valid, given.acceleration(i));
      state_.effort(i) = part(valid || alone, given.effort(i));
      known_[static_cast<std::size_t>(i)] |= valid;
    }
  }

  /// Whether any joint has a position to be at.
  bool known() const noexcept
  {
    return std::any_of(known_.begin(), known_.end(), [](bool known) { return known; });
  }

  /// The reference of all joints; those without one are to stand where they are.
  MotionState<Robot> at(const JointVector & position) const noexcept
  {
    MotionState<Robot> result = state_;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      result.position(i) = known_[static_cast<std::size_t>(i)] ? state_.position(i) : position(i);
    }
    return result;
  }

private:
  MotionState<Robot> state_;
  std::array<bool, static_cast<std::size_t>(Robot::joint_count)> known_{};
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_
