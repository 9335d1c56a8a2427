// Whether what an IMU tells is measured, by what it told before and how joints move.
#ifndef ROBCOGEN_ROS__CONTROL__IMU_CHECK_HPP_
#define ROBCOGEN_ROS__CONTROL__IMU_CHECK_HPP_

#include <Eigen/Core>
#include <cmath>

#include "robcogen_ros/estimator/reading.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// Finds readings that are none: those of a driver that hangs, and spikes. For real time.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class ImuCheck
{
public:
  using Reading = estimator::ImuReading;
  using JointVector = typename Robot::JointVector;

  /// Takes in a cycle; returns whether its reading is whole and sound.
  ///
  /// \param q positions of the joints [rad or m]
  /// \param step time since the last cycle [s]
  bool is_sound(const Reading & imu, const JointVector & q, double step) noexcept
  {
    const bool hung = hangs(imu, q, step), leapt = leaps(imu, step);
    before_ = imu;
    return imu.whole() && !hung && !leapt;
  }

private:
  static constexpr double longest_same = 0.05;  ///< time for which no IMU tells the same [s]
  static constexpr double moving = 0.02;        ///< how far a joint then has moved [rad or m]
  /// Differences of readings in a row that no robot makes, and for how long [rad/s], [m/s^2], [s].
  static constexpr double leap_of_rate = 5.0, leap_of_force = 60.0, longest_leap = 0.01;

  /// Whether the same is told to the last bit for long, though joints move. Of a robot at rest, in
  /// a simulation without noise, that is a measurement.
  bool hangs(const Reading & imu, const JointVector & q, double step) noexcept
  {
    if (
      imu.angular_velocity != before_.angular_velocity ||
      imu.linear_acceleration != before_.linear_acceleration)
    {
      same_ = 0.0;
      began_ = q;
    }
    same_ += step;
    return same_ > longest_same && (q - began_).cwiseAbs().maxCoeff() > moving;
  }

  /// Whether a reading is like neither the last one that counted nor the one before it.
  bool leaps(const Reading & imu, double step) noexcept
  {
    const auto near = [&imu](const Reading & other)
    {
      return (imu.angular_velocity - other.angular_velocity).norm() < leap_of_rate &&
             (imu.linear_acceleration - other.linear_acceleration).norm() < leap_of_force;
    };
    leapt_ += step;
    const bool counts = near(counted_) || near(before_) || leapt_ > longest_leap;
    counted_ = counts ? imu : counted_;
    leapt_ = counts ? 0.0 : leapt_;
    return !counts;
  }

  Reading before_, counted_;     ///< the last one, and the last that counted
  double same_ = 0.0;            ///< time for which it has told that [s]
  double leapt_ = longest_leap;  ///< time since one counted [s]
  JointVector began_{};          ///< where joints were as it began to [rad or m]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__IMU_CHECK_HPP_
