// Where a floating base is, from readings that may be missing.
#ifndef ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
#define ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
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

/// The last whole reading.
class BaseMeasurement
{
public:
  void forget() noexcept { *this = BaseMeasurement(); }

  void take(const BaseReading & reading) noexcept
  {
    if (!reading.whole())
    {
      ++missing_;
      return;
    }
    last_ = reading;
    last_.orientation.normalize();
    missing_ = 0;
    known_ = true;
  }

  const BaseReading & last() const noexcept { return last_; }
  bool known() const noexcept { return known_; }
  int missing() const noexcept { return missing_; }  ///< cycles since a whole reading

private:
  BaseReading last_;
  bool known_ = false;
  int missing_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__BASE_MEASUREMENT_HPP_
