// Where a robot should be, from sources that may fall silent.
#ifndef ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_
#define ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// A reference that says nothing of any joint: what is not given is NaN.
template <typename Robot>
MotionState<Robot> nothing(const Robot & robot = Robot()) noexcept
{
  using JointVector = typename Robot::JointVector;
  const JointVector nan =
    JointVector::Constant(robot.joint_count, std::numeric_limits<double>::quiet_NaN());
  return {nan, nan, nan, nan};
}

/// Numbers of references beyond it are not those of any robot [rad, m, per s or s^2, N m, N].
constexpr double utmost = 1e9;

/// Returns why a reference must not be followed, as a sentence; empty if it may. Numbers that are
/// not finite say nothing.
template <typename Robot>
std::string out_of_bounds(const MotionState<Robot> & state, const Robot & robot = Robot())
{
  constexpr double margin = 1e-6;  // for limits that were rounded on their way [rad or m]
  const Limits<Robot> limits(robot);
  std::ostringstream problem;
  problem.imbue(std::locale::classic());
  for (int i = 0; i < robot.joint_count; ++i)
  {
    const double position = state.position(i);
    if (
      std::isfinite(position) &&
      (position > limits.upper(i) + margin || position < limits.lower(i) - margin))
    {
      problem << "position " << position << " of joint '" << robot.joint_names[i]
              << "' is not within " << limits.lower(i) << " and " << limits.upper(i);
      return problem.str();
    }
    for (const double value : {position, state.velocity(i), state.acceleration(i), state.effort(i)})
    {
      if (std::isfinite(value) && std::abs(value) > utmost)
      {
        problem << "joint '" << robot.joint_names[i] << "' has " << value << ", more than "
                << utmost;
        return problem.str();
      }
    }
  }
  return "";
}

/// One point of a stream: carried on with its own velocity until the next should have come.
template <typename Robot>
struct SetPoint
{
  using JointVector = typename Robot::JointVector;

  MotionState<Robot> state = nothing<Robot>();
  /// Time for which it is carried on before the motion stops [s].
  double patience = 0.0;

  /// Turns continuous joints to the same pose nearest to a position; where that is NaN they stay.
  void turn_to(const JointVector & position, const Robot & robot = Robot()) noexcept
  {
    const JointVector away = state.position - position;
    const JointVector moved = wrapped(robot, away) - away;
    for (int i = 0; i < robot.joint_count; ++i)
    {
      state.position(i) += finite(moved(i));
    }
  }

  /// Returns the motion at some time after its own [s].
  MotionState<Robot> sample(double age) const noexcept
  {
    const double t = std::clamp(age, 0.0, patience);
    MotionState<Robot> result = state;
    for (int i = 0; i < state.position.size(); ++i)
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
/// velocity, acceleration or effort that is not finite counts as 0; so does a number that is
/// beyond `utmost`. A position beyond the joint's limits, and beyond where it was held, becomes
/// the limit; what leads on outwards counts as 0.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class Reference
{
public:
  using JointVector = typename Robot::JointVector;

  explicit Reference(const Robot & robot = Robot())
  : robot_(robot), state_(robot), limits_(robot), own_limits_(limits_)
  {
  }

  /// No joint has a reference.
  void forget() noexcept
  {
    state_.rest(JointVector::Zero(robot_.joint_count));
    limits_ = own_limits_;
    known_.fill(false);
  }

  /// All joints stand still at a position.
  void hold(const JointVector & position) noexcept
  {
    state_.rest(position);
    limits_.lower = limits_.lower.cwiseMin(position);
    limits_.upper = limits_.upper.cwiseMax(position);
    known_.fill(true);
  }

  /// All joints stand still where their references are.
  void rest() noexcept { state_.rest(state_.position); }

  /// Takes over what is given; NaN where nothing is.
  void take(const MotionState<Robot> & given) noexcept
  {
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      const bool valid = usable(given.position(i));
      const bool alone = std::isnan(given.position(i)) && std::isnan(given.velocity(i)) &&
                         std::isnan(given.acceleration(i));
      const auto part = [](bool taken, double value)
      { return taken && usable(value) ? value : 0.0; };
      state_.position(i) = valid ? given.position(i) : state_.position(i);
      state_.velocity(i) = part(valid, given.velocity(i));
      state_.acceleration(i) = part(valid, given.acceleration(i));
      state_.effort(i) = part(valid || alone, given.effort(i));
      stay_within_limits(i);
      known_[static_cast<std::size_t>(i)] |= valid;
    }
  }

  /// Returns true if any joint has a position to be at.
  bool known() const noexcept
  {
    return std::any_of(known_.begin(), known_.end(), [](bool known) { return known; });
  }

  /// The reference of all joints; those without one are to stand where they are.
  MotionState<Robot> at(const JointVector & position) const noexcept
  {
    MotionState<Robot> result = state_;
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      result.position(i) = known_[static_cast<std::size_t>(i)] ? state_.position(i) : position(i);
    }
    return result;
  }

private:
  static bool usable(double value) noexcept { return std::abs(value) <= utmost; }

  void stay_within_limits(int i) noexcept
  {
    const double inside = std::clamp(state_.position(i), limits_.lower(i), limits_.upper(i));
    const double inwards = inside - state_.position(i);
    for (double * const value : {&state_.velocity(i), &state_.acceleration(i)})
    {
      *value = *value * inwards < 0.0 ? 0.0 : *value;
    }
    state_.position(i) = inside;
  }

  Robot robot_;
  MotionState<Robot> state_;
  Limits<Robot> limits_;  ///< extended by where the robot was held
  Limits<Robot> own_limits_;
  std::array<bool, static_cast<std::size_t>(SizesOf<Robot>::most_joints)> known_{};
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__REFERENCE_HPP_
