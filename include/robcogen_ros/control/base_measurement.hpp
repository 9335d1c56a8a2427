// Where a floating base is, from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
#define ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace robcogen_ros::control
{

/// Readings of a base; NaN where there are none.
struct BaseReading
{
  Eigen::Vector3d position = unknown();  ///< of its origin in the world [m]
  /// From its axes to the world's: x, y, z, w.
  Eigen::Vector4d orientation = Eigen::Vector4d::Constant(unknown()(0));
  Eigen::Vector3d linear_velocity = unknown();   ///< of its origin, in its axes [m/s]
  Eigen::Vector3d angular_velocity = unknown();  ///< in its axes [rad/s]

  /// Whether the quaternion is one of unit length but for rounding.
  bool oriented() const noexcept { return std::abs(orientation.norm() - 1.0) < 0.01; }

  /// Whether all is there.
  bool whole() const noexcept
  {
    return position.allFinite() && linear_velocity.allFinite() && angular_velocity.allFinite() &&
           oriented();
  }

private:
  static Eigen::Vector3d unknown() noexcept
  {
    return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  }
};

/// The last whole reading, in a world that does not jump.
///
/// Estimators correct themselves: a position that jumps away from where the velocity leads is taken
/// for a world that has moved, not for a robot that has.
class BaseMeasurement
{
public:
  void forget() noexcept { *this = BaseMeasurement(); }

  /// \param step time since the last cycle [s]
  void take(const BaseReading & reading, double step) noexcept
  {
    since_ += std::max(0.0, step);
    if (!reading.whole())
    {
      ++missing_;
      return;
    }
    if (known_ && reading.position != told_)
    {
      offset_ += jump(reading);
    }
    if (reading.position != told_)
    {
      told_ = reading.position;
      since_ = 0.0;
    }
    last_ = reading;
    last_.position -= offset_;
    last_.orientation.normalize();
    missing_ = 0;
    known_ = true;
  }

  /// From the next reading on positions are as they are told.
  void follow_world() noexcept { offset_.setZero(); }

  const BaseReading & last() const noexcept { return last_; }
  /// How far the world has jumped [m].
  const Eigen::Vector3d & offset() const noexcept { return offset_; }
  bool known() const noexcept { return known_; }
  int missing() const noexcept { return missing_; }  ///< cycles since a whole reading

private:
  /// How far a position is from where velocities lead from the last one; zero where that is near.
  Eigen::Vector3d jump(const BaseReading & reading) const noexcept
  {
    constexpr double least = 0.02;  // [m]
    const auto world_velocity = [](const BaseReading & of) -> Eigen::Vector3d
    { return Eigen::Quaterniond(of.orientation.normalized()) * of.linear_velocity; };
    const Eigen::Vector3d velocity = 0.5 * (world_velocity(last_) + world_velocity(reading));
    const Eigen::Vector3d away = reading.position - told_ - since_ * velocity;
    const bool jumps = away.norm() > least + 0.5 * since_ * velocity.norm();
    return jumps ? away : Eigen::Vector3d(Eigen::Vector3d::Zero());
  }

  BaseReading last_;
  Eigen::Vector3d told_ = Eigen::Vector3d::Zero();    ///< the last position as it was told [m]
  Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();  ///< [m]
  double since_ = 0.0;                                ///< time since it was told [s]
  bool known_ = false;
  int missing_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
