// The base of a robot on legs as an estimator within its controller has it, where one is asked for.
#ifndef ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_
#define ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_

#include <optional>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/estimator/base_estimator.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"

namespace robcogen_ros::control
{

/// Gives readings of the base: those that come, or what an estimator makes of IMU, joints and feet.
template <typename Robot>
class EstimatedBase
{
public:
  using Estimator = estimator::BaseEstimator<Robot>;

  EstimatedBase(const parameters::WholeBodyController & given, const Robot & robot)
  : patience_(given.base_state_timeout)
  {
    if (given.base_state == "estimator")
    {
      estimator_.emplace(estimator::Settings<Robot>(given, robot));
    }
  }

  void forget() noexcept
  {
    silent_ = 0.0;
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
    estimator_->update(imu, q, closed, step);
    silent_ = imu.whole() ? 0.0 : silent_ + step;
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

  /// The estimator; none where the base is read.
  const std::optional<Estimator> & estimator() const noexcept { return estimator_; }

private:
  const double patience_;  ///< how long the base is known without the IMU [s]
  std::optional<Estimator> estimator_;
  double silent_ = 0.0;  ///< time since the IMU told something [s]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__ESTIMATED_BASE_HPP_
