// The state of a robot from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
#define ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "robcogen_ros/control/angles.hpp"

namespace robcogen_ros::control
{

/// Time constant of velocities that are estimated from positions [s].
constexpr double velocity_filter = 0.005;

/// Readings of joints; NaN where there are none.
template <typename Robot>
struct JointReadings
{
  using JointVector = typename Robot::JointVector;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  JointVector position = JointVector::Constant(unknown);  ///< [rad or m]
  JointVector velocity = JointVector::Constant(unknown);  ///< [rad/s or m/s]
};

/// Last positions and velocities of all joints.
///
/// The velocity of a joint that never had one since the start is not measured: it is a filtered
/// difference of positions. Where one was measured, it is missing when it is not finite.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class Measurements
{
public:
  using JointVector = typename Robot::JointVector;

  /// Nothing has been heard of any joint.
  void forget() noexcept { *this = Measurements(); }

  /// Takes over a cycle's readings; what is not finite is missing, and stays as it was.
  ///
  /// \param step time since the last cycle [s]
  void take(const JointVector & position, const JointVector & velocity, double step) noexcept
  {
    const JointVector moved = wrapped<Robot, JointVector>(position - position_);
    bool whole = true;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const auto joint = static_cast<std::size_t>(i);
      const bool moving = std::isfinite(velocity(i));
      measured_[joint] |= moving;
      since_(i) += step > 0.0 && std::isfinite(step) ? step : 0.0;
      if (!std::isfinite(position(i)) || moving != measured_[joint])
      {
        whole = false;
        continue;
      }
      if (measured_[joint])
      {
        velocity_(i) = velocity(i);
      }
      else if (known_[joint] && since_(i) > 0.0)
      {
        velocity_(i) +=
          since_(i) / (since_(i) + velocity_filter) * (moved(i) / since_(i) - velocity_(i));
      }
      position_(i) = position(i);
      since_(i) = 0.0;
      known_[joint] = true;
    }
    missing_ = whole ? 0 : missing_ + 1;
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
  JointVector since_ = JointVector::Zero();  // since the last reading [s]
  std::array<bool, static_cast<std::size_t>(Robot::joint_count)> known_{};
  std::array<bool, static_cast<std::size_t>(Robot::joint_count)> measured_{};  // has velocities
  int missing_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
