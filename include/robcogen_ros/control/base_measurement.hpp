// Where a floating base is, from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
#define ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::control
{

/// Readings of a base; NaN where there are none.
struct BaseReading
{
  Eigen::Vector3d position = unknown();  ///< of its origin in the world [m]
  /// Quaternion from its axes to the world's: x, y, z, w.
  Eigen::Vector4d orientation = Eigen::Vector4d::Constant(unknown()(0));
  Eigen::Vector3d linear_velocity = unknown();   ///< of its origin, in its axes [m/s]
  Eigen::Vector3d angular_velocity = unknown();  ///< in its axes [rad/s]
  double age = 0.0;                              ///< time since it was measured [s]

  /// Returns true if all is there.
  bool whole() const noexcept
  {
    return position.allFinite() && linear_velocity.allFinite() && angular_velocity.allFinite() &&
           is_unit(orientation);
  }

private:
  static Eigen::Vector3d unknown() noexcept
  {
    return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  }
};

/// The last whole reading, in a world that does not jump.
///
/// Estimators correct themselves: a place or a heading that jumps away from where the velocity
/// leads is taken for a world that has moved, not for a robot that has.
class BaseMeasurement
{
public:
  void forget() noexcept { *this = BaseMeasurement(); }

  /// \param step time since the last cycle [s]
  /// \param up the vertical, of unit length
  void take(const BaseReading & reading, double step, const Eigen::Vector3d & up) noexcept
  {
    since_ += std::max(0.0, step);
    waited_ += std::max(0.0, step);
    if (!reading.whole())
    {
      ++missing_;
      return;
    }
    const bool news =
      reading.position != told_.position || reading.orientation != told_.orientation;
    if (known_ && news)
    {
      follow_jump(reading, std::max(0.0, since_ - reading.age), up);
    }
    since_ = news ? reading.age : since_;
    told_ = reading;
    place();
    missing_ = 0;
    waited_ = reading.age;
    known_ = true;
  }

  /// The robot is where it is told to be, and goes on from there.
  void follow_world() noexcept
  {
    offset_.setZero();
    turn_.setIdentity();
    place();
  }

  const BaseReading & last() const noexcept { return last_; }
  /// Jump of the world: its origin in that of the readings [m].
  const Eigen::Vector3d & offset() const noexcept { return offset_; }
  /// Turn of the world in its jumps, about the vertical.
  const Eigen::Quaterniond & turn() const noexcept { return turn_; }
  int jumps() const noexcept { return jumps_; }  ///< how often it has
  bool known() const noexcept { return known_; }
  int missing() const noexcept { return missing_; }  ///< cycles since a whole reading
  /// Time since the last whole reading was measured, infinite before the first [s].
  double waited() const noexcept { return waited_; }

private:
  static Eigen::Quaterniond turned(const BaseReading & reading) noexcept
  {
    return Eigen::Quaterniond(reading.orientation.normalized());
  }

  /// Places the last reading in the world that does not jump.
  void place() noexcept
  {
    last_ = told_;
    last_.position = turn_.conjugate() * (told_.position - offset_);
    last_.orientation = (turn_.conjugate() * turned(told_)).coeffs();
  }

  /// Moves the world where place or heading are not near to where velocities lead in a time [s].
  void follow_jump(const BaseReading & reading, double time, const Eigen::Vector3d & up) noexcept
  {
    constexpr double least_way = 0.02, least_turn = 0.05;  // [m], [rad]
    const Eigen::Quaterniond before = turned(told_), now = turned(reading);
    const Eigen::Vector3d velocity =
      0.5 * (before * told_.linear_velocity + now * reading.linear_velocity);
    const double rate =
      0.5 * (before * told_.angular_velocity + now * reading.angular_velocity).dot(up);
    const double heading = turn_about(up, now * before.conjugate()) - time * rate;
    const Eigen::Vector3d place = told_.position + time * velocity;
    const bool turns = std::abs(heading) > least_turn + 0.5 * time * std::abs(rate);
    const bool moves = (reading.position - place).norm() > least_way + 0.5 * time * velocity.norm();
    if (!turns && !moves)
    {
      return;
    }
    const Eigen::Vector3d at = turn_.conjugate() * (place - offset_);
    if (turns)
    {
      turn_ = Eigen::AngleAxisd(heading, up) * turn_;
    }
    offset_ = reading.position - turn_ * at;
    ++jumps_;
  }

  /// The part of a turn that is about an axis [rad].
  static double turn_about(const Eigen::Vector3d & axis, const Eigen::Quaterniond & turn) noexcept
  {
    const double sign = turn.w() < 0.0 ? -1.0 : 1.0;
    return 2.0 * std::atan2(sign * turn.vec().dot(axis), sign * turn.w());
  }

  BaseReading last_;
  BaseReading told_;                                  ///< the last one as it was told
  Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Quaterniond turn_ = Eigen::Quaterniond::Identity();
  double since_ = 0.0;                                       ///< time since it was there [s]
  double waited_ = std::numeric_limits<double>::infinity();  ///< [s]
  int jumps_ = 0;
  bool known_ = false;
  int missing_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
