// The state of a robot from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
#define ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_

#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/control/angles.hpp"

namespace robcogen_ros::control
{

/// Time constant of velocities that are estimated from positions [s].
constexpr double velocity_filter = 0.005;

/// Last positions and velocities of all joints.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class Measurements
{
public:
  using JointVector = typename Robot::JointVector;

  /// Nothing has been heard of any joint.
  void forget() noexcept
  {
    known_.fill(false);
    missing_ = 0;
    velocity_.setZero();
  }

  /// Takes over a cycle's readings; what is not finite is missing, and stays as it was.
  void take(const JointVector & position, const JointVector & velocity) noexcept
  {
    bool whole = true;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      if (std::isfinite(position(i)) && std::isfinite(velocity(i)))
      {
        position_(i) = position(i);
        velocity_(i) = velocity(i);
        known_[static_cast<std::size_t>(i)] = true;
      }
      else
      {
        whole = false;
      }
    }
    missing_ = whole ? 0 : missing_ + 1;
  }

  /// The same where the robot tells no velocities: they are filtered differences of positions.
  ///
  /// \param step time since the last cycle [s]
  void take(const JointVector & position, double step) noexcept
  {
    JointVector velocity = velocity_;
    const JointVector moved = wrapped<Robot, JointVector>(position - position_);
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      if (known_[static_cast<std::size_t>(i)] && step > 0.0 && std::isfinite(moved(i)))
      {
        velocity(i) += step / (step + velocity_filter) * (moved(i) / step - velocity_(i));
      }
    }
    take(position, velocity);
  }

  const JointVector & position() const noexcept { return position_; }  ///< [rad or m]
  const JointVector & velocity() const noexcept { return velocity_; }  ///< [rad/s or m/s]

  /// Whether every joint has been heard of.
  bool complete() const noexcept
  {
    return std::all_of(known_.begin(), known_.end(), [](bool known) { return known; });
  }

  /// Cycles since all joints were read at once.
  int missing() const noexcept { return missing_; }

private:
  JointVector position_ = JointVector::Zero();
  JointVector velocity_ = JointVector::Zero();
  std::array<bool, static_cast<std::size_t>(Robot::joint_count)> known_{};
  int missing_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
