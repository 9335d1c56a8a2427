// The base of a robot on legs as an estimator within its controller has it, where one is asked for.
#ifndef ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_
#define ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/imu_check.hpp"
#include "robcogen_ros/estimator/base_estimator.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/types.hpp"

namespace robcogen_ros::control
{

/// Gives readings of the base: those that come, or what an estimator makes of IMU, joints and feet.
template <typename Robot>
class EstimatedBase
{
public:
  using Estimator = estimator::BaseEstimator<Robot>;

  EstimatedBase(const parameters::WholeBodyController & given, const Robot & robot)
  : patience_(given.base_state_timeout),
    gravity_(Eigen::Vector3d(given.gravity.data()).norm()),
    held_(gravity_)
  {
    if (given.base_state == "estimator")
    {
      estimator_.emplace(estimator::Settings<Robot>(given, robot));
    }
  }

  void forget() noexcept
  {
    silent_ = 0.0;
    held_ = gravity_;
    check_ = ImuCheck<Robot>();
    felt_.setZero();
    borne_.setZero();
    weighed_ = lean_ = 0.0;
    if (estimator_)
    {
      estimator_->forget();
    }
  }

  /// The reading of a cycle. Without the IMU it is what the estimator expects, for a while.
  ///
  /// \param told what has come of the base
  /// \param q positions of the joints that have come, NaN where there are none
  /// \param step time since the last cycle [s]
  BaseReading reading(
    const BaseReading & told, const estimator::ImuReading & imu,
    const typename Robot::JointVector & q, const typename Estimator::Closed & closed,
    double step) noexcept
  {
    if (!estimator_)
    {
      return told;
    }
    const bool measured = check_.is_sound(imu, q, step);
    estimator_->update(measured ? imu : estimator::ImuReading(), q, closed, step);
    silent_ = measured ? 0.0 : silent_ + step;
    if (measured)
    {
      held_ += std::min(step / lag, 1.0) * (imu.linear_acceleration.norm() - held_);
      felt_ +=
        std::min(step / long_lag, 1.0) * (estimator_->of_base(imu.linear_acceleration) - felt_);
    }
    BaseReading result;
    if (estimator_->known() && silent_ <= patience_)
    {
      result.position = estimator_->position();
      result.orientation = estimator_->orientation().coeffs();
      result.linear_velocity = estimator_->linear_velocity();
      result.angular_velocity = estimator_->angular_velocity();
      result.age = silent_;
    }
    return result;
  }

  /// Takes in what forces feet are asked for, rows and axes of `contact_jacobian` [N m, N].
  template <typename Forces>
  void bear(const Robot & robot, const Forces & forces, double step) noexcept
  {
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    for (int i = 0; i < robot.contact_count; ++i)
    {
      const Contact & contact = robot.contacts[i];
      force += forces.template segment<3>(contact.first_row + contact.rows() - 3);
    }
    const double least = robot.contact_count > 2 ? 0.1 : 0.05;
    if (force.allFinite())
    {
      borne_ += std::min(step / long_lag, 1.0) * (force - borne_);
    }
    weighed_ += step;
    const double angle = std::atan2(borne_.cross(felt_).norm(), borne_.dot(felt_));
    const bool known = estimator_ && weighed_ > 0.5 * long_lag;
    const bool leans = known && angle > (lean_ > 0.0 ? 0.5 : 1.0) * least;
    lean_ = !leans ? 0.0 : lean_ > 0.0 ? lean_ : angle;
  }

  /// Angle from where feet bear the robot to what the accelerometer has upwards, as it was found
  /// to be too large; zero while it is not [rad].
  double lean() const noexcept { return lean_; }

  /// Whether the accelerometer has told less than half of g for some milliseconds: nothing holds
  /// the robot.
  bool falls() const noexcept { return held_ < 0.5 * gravity_; }

  /// The estimator; none where the base is read.
  const std::optional<Estimator> & estimator() const noexcept { return estimator_; }

private:
  static constexpr double lag = 0.01, long_lag = 2.0;  ///< [s]

  const double patience_;  ///< how long the base is known without the IMU [s]
  const double gravity_;   ///< [m/s^2]
  double held_;            ///< size of what the accelerometer has told lately [m/s^2]
  std::optional<Estimator> estimator_;
  double silent_ = 0.0;  ///< time since the IMU told something [s]
  ImuCheck<Robot> check_;
  Eigen::Vector3d felt_ = Eigen::Vector3d::Zero();   ///< by the accelerometer lately [m/s^2]
  Eigen::Vector3d borne_ = Eigen::Vector3d::Zero();  ///< asked of the feet lately [N]
  double weighed_ = 0.0;                             ///< for how long [s]
  double lean_ = 0.0;                                ///< [rad]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_
