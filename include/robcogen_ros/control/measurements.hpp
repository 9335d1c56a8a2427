// The state of a robot from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
#define ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "robcogen_ros/control/angles.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// Time constant of velocities that are estimated from positions [s].
constexpr double velocity_filter = 0.005;

/// Share of the timeout that a cycle may count for: while a process is suspended, nobody falls
/// silent.
constexpr double longest_wait = 0.3;

/// Readings of joints; NaN where there are none.
template <typename Robot>
struct JointReadings
{
  using JointVector = typename Robot::JointVector;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  JointVector position;  ///< [rad or m]
  JointVector velocity;  ///< [rad/s or m/s]

  JointReadings() noexcept : JointReadings(Robot()) {}
  explicit JointReadings(const Robot & robot) noexcept
  : position(JointVector::Constant(robot.joint_count, unknown)), velocity(position)
  {
  }
};

/// Last positions and velocities of all joints.
///
/// The velocity of a joint that never had one since the start is not measured: it is a filtered
/// difference of positions. Where one was measured, it is missing when it is not finite. Where all
/// are zero to the last bit while joints go on moving, none is measured.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class Measurements
{
public:
  using JointVector = typename Robot::JointVector;

  explicit Measurements(const Robot & robot = Robot()) noexcept
  : robot_(robot), position_(JointVector::Zero(robot.joint_count))
  {
    forget();
  }

  /// Forgets all readings of joints.
  void forget() noexcept
  {
    position_.setZero();
    velocity_ = since_ = from_ = position_;
    known_.fill(false);
    measured_.fill(false);
    missing_ = moves_ = 0;
    still_ = false;
    doubt();
  }

  /// All joints must be heard of anew before they are all fresh; the last that is known stays.
  void doubt() noexcept { waited_.setConstant(position_.size(), endless); }

  /// Time goes on [s].
  void wait(double time) noexcept { waited_.array() += time; }

  /// Takes over a cycle's readings; what is not finite is missing, and stays as it was.
  ///
  /// \param step time since the last cycle [s]
  void take(const JointVector & position, const JointVector & velocity, double step) noexcept
  {
    const JointVector moved = wrapped(robot_, position - position_);
    judge_velocities(position, velocity);
    bool whole = true;
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      const auto joint = static_cast<std::size_t>(i);
      const bool moving = std::isfinite(velocity(i)) && !still_;
      measured_[joint] = !still_ && (measured_[joint] || moving);
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
      else if (waited_(i) < endless && since_(i) > 0.0)
      {
        velocity_(i) +=
          since_(i) / (since_(i) + velocity_filter) * (moved(i) / since_(i) - velocity_(i));
      }
      position_(i) = position(i);
      since_(i) = waited_(i) = 0.0;
      known_[joint] = true;
    }
    missing_ = whole ? 0 : missing_ + 1;
  }

  const JointVector & position() const noexcept { return position_; }  ///< [rad or m]
  const JointVector & velocity() const noexcept { return velocity_; }  ///< [rad/s or m/s]

  /// Returns true if every joint has been heard of.
  bool complete() const noexcept
  {
    return std::all_of(
      known_.begin(), known_.begin() + robot_.joint_count, [](bool known) { return known; });
  }

  /// Returns true if every joint has been heard of within a time [s]; 0: ever.
  bool fresh(double time) const noexcept
  {
    const double longest = time > 0.0 ? time : std::numeric_limits<double>::max();
    return (waited_.array() <= longest).all();
  }

  /// Whether velocities are told as zero while joints move.
  bool still() const noexcept { return still_; }

  /// Cycles since all joints were read at once.
  int missing() const noexcept { return missing_; }

private:
  static constexpr double endless = std::numeric_limits<double>::infinity();
  using Flags = std::array<bool, static_cast<std::size_t>(SizesOf<Robot>::most_joints)>;
  /// Cycles in which joints move, and how far one does, while all velocities are told as zero, from
  /// which these are none [rad or m].
  static constexpr int moves = 5;
  static constexpr double way = 0.03;

  void judge_velocities(const JointVector & position, const JointVector & velocity) noexcept
  {
    if (!complete() || (velocity.array().abs() > 0.0).any())
    {
      from_ = position;
      moves_ = 0;
      still_ = false;
    }
    else if ((velocity.array() == 0.0).all() && (position - position_).cwiseAbs().sum() > 0.0)
    {
      moves_ += moves_ < moves ? 1 : 0;
      const double far = wrapped(robot_, position - from_).cwiseAbs().maxCoeff();
      still_ = still_ || (moves_ == moves && far > way);
    }
  }

  Robot robot_;
  JointVector position_;
  JointVector velocity_;
  JointVector since_;   // time of cycles since the last reading [s]
  JointVector waited_;  // what of it counts; infinite where there is no reading [s]
  Flags known_{};
  Flags measured_{};  // has velocities
  int missing_ = 0;
  JointVector from_;  // where all velocities began to be told as zero
  int moves_ = 0;     // cycles with motion since then
  bool still_ = false;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__MEASUREMENTS_HPP_
