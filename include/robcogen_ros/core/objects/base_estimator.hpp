/// \file
/// The C interface of an estimator of the base of a robot on legs.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__BASE_ESTIMATOR_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__BASE_ESTIMATOR_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/estimator/base_estimator.hpp"

namespace robcogen_ros::core
{

/// The names of its faults: one, then estimator::setting_problems.
constexpr auto estimator_faults() noexcept
{
  std::array<const char *, 1 + std::size(estimator::setting_problems)> result{"none"};
  for (std::size_t i = 1; i < result.size(); ++i)
  {
    result[i] = estimator::setting_problems[i - 1];
  }
  return result;
}

/// `estimator::BaseEstimator` on pointers to numbers.
class BaseEstimator
{
  using Robot = RuntimeModel;
  static constexpr std::size_t joints = ROBCOGEN_JOINTS, contacts = ROBCOGEN_CONTACTS;

public:
  static constexpr const char * name = "base_estimator";
  static constexpr auto faults = estimator_faults();
  static constexpr robcogen_argument settings[] = {
    {"gravity", 3, 0, 1},
    {"imu_frame", 1, 0, 1},
    {"gyroscope_noise", 1, 0, 1},
    {"accelerometer_noise", 1, 0, 1},
    {"gyroscope_bias_walk", 1, 0, 1},
    {"accelerometer_bias_walk", 1, 0, 1},
    {"gyroscope_bias", 1, 0, 1},
    {"accelerometer_bias", 1, 0, 1},
    {"joint_position_noise", 1, 0, 1},
    {"foot_position_noise", 1, 0, 1},
    {"foot_creep", 1, 0, 1},
    {"foot_radius", 1, 0, 1},
    {"soles", 12, contacts, 1},
    {"touch_down_time", 1, 0, 1},
    {"greatest_imu_angle", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  /// The inputs; nothing is known of what is left out, as of numbers that are NaN.
  static constexpr robcogen_argument inputs[] = {
    {"angular_velocity", 3, 0, 1},
    {"linear_acceleration", 3, 0, 1},
    {"q", joints, 0, 1},
    {"closed", contacts, 0, 0},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument results[] = {
    {"known", 1, 0, 0},         {"position", 3, 0, 0},       {"orientation", 4, 0, 0},
    {"base_velocity", 6, 0, 0}, {"gyroscope_bias", 3, 0, 0}, {"accelerometer_bias", 3, 0, 0},
    {"imu_angle", 1, 0, 0},     {"faults", 1, 0, 0},         {"slips", 1, 0, 0},
  };
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  /// The last is of what the filter keeps: orientation, velocity and position of the IMU in the
  /// world, then both biases, as errors of the world (`InvariantFilter`).
  static constexpr robcogen_argument covariances[] = {
    {"pose", 6, 6, 0}, {"twist", 6, 6, 0}, {"filter", 15, 15, 0}};

  BaseEstimator(const robcogen_model * model, const double * const * given)
  : estimator_(settings_of(model, given)),
    problem_(settings_of(model, given).problem()),
    nowhere_(
      Robot::JointVector::Constant(
        static_cast<int>(model->joint_count), estimator::ImuReading::unknown)),
    contacts_(static_cast<int>(model->contact_count))
  {
  }

  /// Returns the number of the fault of the settings.
  int32_t check(const double * const *, double * const *) noexcept { return problem_ + 1; }

  int32_t forget(const double * const *, double * const *) noexcept
  {
    estimator_.forget();
    return 0;
  }

  int32_t update(const double * const * in, double * const * out) noexcept
  {
    if (problem_ >= 0)
    {
      return problem_ + 1;
    }
    estimator::ImuReading imu;
    take(in[0], imu.angular_velocity);
    take(in[1], imu.linear_acceleration);
    Robot::JointVector q = nowhere_;
    take(in[2], q);
    estimator::BaseEstimator<Robot>::Closed closed{};
    for (int i = 0; i < contacts_; ++i)
    {
      closed[static_cast<std::size_t>(i)] = in[3][i] > 0.0;
    }
    estimator_.update(imu, q, closed, *in[4]);
    *out[0] = estimator_.known() ? 1.0 : 0.0;
    hand(estimator_.position(), out[1]);
    hand(estimator_.orientation().coeffs(), out[2]);
    hand(estimator_.angular_velocity(), out[3]);
    hand(estimator_.linear_velocity(), out[3] + 3);
    hand(estimator_.filter().gyroscope_bias, out[4]);
    hand(estimator_.filter().accelerometer_bias, out[5]);
    *out[6] = estimator_.imu_angle();
    *out[7] = estimator_.faults();
    *out[8] = estimator_.slips();
    return 0;
  }

  int32_t covariance(const double * const *, double * const * out) noexcept
  {
    hand(estimator_.pose_covariance(), out[0]);
    hand(estimator_.twist_covariance(), out[1]);
    const Eigen::Matrix<double, 15, 15> filter =
      estimator_.filter().covariance.topLeftCorner<15, 15>();
    hand(filter, out[2]);
    return 0;
  }

  static constexpr robcogen_method methods[] = {
    method("update", inputs, results, Object<BaseEstimator>::call<&BaseEstimator::update>),
    method(
      "covariance", nothing, covariances, Object<BaseEstimator>::call<&BaseEstimator::covariance>),
    method("forget", nothing, nothing, Object<BaseEstimator>::call<&BaseEstimator::forget>),
    method("check", nothing, nothing, Object<BaseEstimator>::call<&BaseEstimator::check>),
  };

private:
  static estimator::Settings<Robot> settings_of(
    const robcogen_model * model, const double * const * given)
  {
    estimator::Settings<Robot> result({}, on_legs(model, for_estimator, for_loops));
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    result.robot.take_parameters(of("parameters"));
    take(of("gravity"), result.gravity);
    result.imu_frame = of("imu_frame") != nullptr ? static_cast<int>(*of("imu_frame")) : -1;
    take(of("gyroscope_noise"), result.gyroscope_noise);
    take(of("accelerometer_noise"), result.accelerometer_noise);
    take(of("gyroscope_bias_walk"), result.gyroscope_bias_walk);
    take(of("accelerometer_bias_walk"), result.accelerometer_bias_walk);
    take(of("gyroscope_bias"), result.gyroscope_bias);
    take(of("accelerometer_bias"), result.accelerometer_bias);
    take(of("joint_position_noise"), result.joint_position_noise);
    take(of("foot_position_noise"), result.foot_position_noise);
    take(of("foot_creep"), result.foot_creep);
    take(of("foot_radius"), result.foot_radius);
    for (int i = 0; of("soles") != nullptr && i < result.robot.contact_count; ++i)
    {
      result.set_sole(i, of("soles") + 12 * i);
    }
    take(of("touch_down_time"), result.touch_down_time);
    take(of("greatest_imu_angle"), result.greatest_imu_angle);
    return result;
  }

  estimator::BaseEstimator<Robot> estimator_;
  const int problem_;
  const Robot::JointVector nowhere_;
  const int contacts_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__BASE_ESTIMATOR_HPP_
