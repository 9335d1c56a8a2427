// What an IMU and the sensors of feet measure of a simulated robot.
#ifndef ROBCOGEN_ROS__GROUND__SENSORS_HPP_
#define ROBCOGEN_ROS__GROUND__SENSORS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/parameters/simulated_ground.hpp"

namespace robcogen_ros::ground
{

/// Properties of sensors; by default they tell the truth, of this moment.
struct SensorSettings
{
  Eigen::Matrix3d imu_axes = Eigen::Matrix3d::Identity();  ///< of the IMU in the base
  Eigen::Vector3d imu_place = Eigen::Vector3d::Zero();     ///< in the base [m]

  double imu_rate, imu_delay;                           ///< [Hz], 0: that of readings; [s]
  double gyroscope_noise, accelerometer_noise;          ///< [rad/s/sqrt(Hz)], [m/s^2/sqrt(Hz)]
  Eigen::Vector3d gyroscope_bias, accelerometer_bias;   ///< at the start [rad/s], [m/s^2]
  double gyroscope_bias_walk, accelerometer_bias_walk;  ///< [rad/s^2/sqrt(Hz)], [m/s^3/sqrt(Hz)]
  double force_noise, force_delay;                      ///< of feet [N], [s]
  double false_contacts;                                ///< share of readings of a foot
  std::uint64_t seed;                                   ///< of all noise

  explicit SensorSettings(const parameters::SimulatedGround & given = parameters::SimulatedGround())
  : imu_rate(given.imu_rate),
    imu_delay(given.imu_delay),
    gyroscope_noise(given.gyroscope_noise),
    accelerometer_noise(given.accelerometer_noise),
    gyroscope_bias(given.gyroscope_bias.data()),
    accelerometer_bias(given.accelerometer_bias.data()),
    gyroscope_bias_walk(given.gyroscope_bias_walk),
    accelerometer_bias_walk(given.accelerometer_bias_walk),
    force_noise(given.force_noise),
    force_delay(given.force_delay),
    false_contacts(given.false_contacts),
    seed(static_cast<std::uint64_t>(given.sensor_seed))
  {
  }

  /// Puts the IMU where a frame of the base link is.
  template <typename Robot>
  void put_imu(
    const Robot & robot, int frame, const typename ConstantsOf<Robot>::Type & constants = {})
  {
    const typename Robot::JointVector zero = Robot::JointVector::Zero(robot.joint_count);
    const auto kinematics = [&](const auto &... all) { return robot.kinematics(all...); };
    const auto pose = with_constants<Robot>(constants, kinematics, zero)
                        .pose(static_cast<typename Robot::Frame>(frame));
    imu_axes = pose.rotation();
    imu_place = pose.translation();
  }
};

/// Values as they were a while ago; of the last steps only.
template <typename Value>
class Delayed
{
public:
  static constexpr std::size_t most = 256;  ///< steps that are kept

  void forget(const Value & value) noexcept
  {
    values_.fill(value);
    times_.fill(-1e300);
  }

  void add(const Value & value, double time) noexcept
  {
    newest_ = (newest_ + 1) % most;
    values_[newest_] = value;
    times_[newest_] = time;
  }

  /// The newest that is so old, else the oldest.
  const Value & before(double time) const noexcept
  {
    std::size_t place = newest_;
    for (std::size_t i = 1; i < most && times_[place] > time + 1e-9; ++i)
    {
      place = (place + most - 1) % most;
    }
    return values_[place];
  }

private:
  std::array<Value, most> values_{};
  std::array<double, most> times_{};
  std::size_t newest_ = 0;
};

/// Sensors of a robot on legs, which are told of each step of its simulation.
///
/// An IMU gives means over its period, as those do that integrate: of the rate, and of the
/// acceleration of its origin less that of free fall, in its axes. Forces of feet are means of a
/// step, in axes of the world. No call allocates.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class Sensors
{
public:
  using Vector = Eigen::Vector3d;
  using Forces = Eigen::Matrix<double, 3, SizesOf<Robot>::most_contacts>;

  /// \param gravity in the world [m/s^2]
  Sensors(
    const SensorSettings & settings, const Vector & gravity, const State<Robot> & state) noexcept
  : settings_(settings), gravity_(gravity)
  {
    forget(state);
  }

  /// Begins with a robot at rest.
  ///
  /// \param forces of the ground on the feet, world axes [N]
  void forget(const State<Robot> & state, const Forces & forces = Forces::Zero()) noexcept
  {
    random_.seed(settings_.seed);
    gyroscope_bias_ = settings_.gyroscope_bias;
    accelerometer_bias_ = settings_.accelerometer_bias;
    time_ = gathered_ = 0.0;
    turned_.setZero();
    pushed_.setZero();
    before_ = state.orientation;
    speed_ = speed_of(state);
    const Vector up = settings_.imu_axes.transpose() * (state.orientation.conjugate() * -gravity_);
    imu_.forget({Vector::Zero(), up});
    forces_.forget(forces);
    seen_ = {Vector::Zero(), up};
    felt_ = forces;
  }

  /// Takes in a step.
  ///
  /// \param state at its end
  /// \param forces of the ground on the feet, world axes [N]
  /// \param time how long it was [s]
  /// \param read whether it is read at its end
  void advance(
    const State<Robot> & state, const Forces & forces, double time, bool read = true) noexcept
  {
    if (!(time > 0.0))
    {
      return;
    }
    time_ += time;
    gather(state, time);
    const double rate = settings_.imu_rate;
    if (rate == 0.0 ? read : gathered_ >= (1.0 - 1e-9) / rate)
    {
      sample();
    }
    seen_ = imu_.before(time_ - settings_.imu_delay);
    Forces noisy = with_false_contacts(forces);
    for (Eigen::Index i = 0; i < noisy.size(); ++i)
    {
      noisy(i) += settings_.force_noise * normal_(random_);
    }
    forces_.add(noisy, time_);
    felt_ = forces_.before(time_ - settings_.force_delay);
  }

  const Vector & angular_velocity() const noexcept { return seen_.rate; }
  const Vector & linear_acceleration() const noexcept { return seen_.acceleration; }
  const Forces & forces() const noexcept { return felt_; }

private:
  struct Sample
  {
    Vector rate, acceleration;
  };

  /// Velocity of the IMU in the world.
  Vector speed_of(const State<Robot> & state) const noexcept
  {
    const Vector w = state.rates.template head<3>(), v = state.rates.template segment<3>(3);
    return state.orientation * (v + w.cross(settings_.imu_place));
  }

  void gather(const State<Robot> & state, double time) noexcept
  {
    const Eigen::AngleAxisd turn(before_.conjugate() * state.orientation);
    const Vector by = turn.angle() * turn.axis();
    const Eigen::Quaterniond middle =
      before_ * Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * turn.angle(), turn.axis()));
    const Vector speed = speed_of(state);
    turned_ += by;
    pushed_ += middle.conjugate() * (speed - speed_ - time * gravity_);
    before_ = state.orientation;
    speed_ = speed;
    gathered_ += time;
  }

  /// Exchanges forces of some feet: none of one that touches, of another the largest there is.
  Forces with_false_contacts(const Forces & forces) noexcept
  {
    Eigen::Index most = 0;
    forces.colwise().squaredNorm().maxCoeff(&most);
    Forces told = forces;
    for (Eigen::Index i = 0; settings_.false_contacts > 0.0 && i < told.cols(); ++i)
    {
      if (uniform_(random_) < settings_.false_contacts)
      {
        told.col(i) = forces.col(i).isZero(0.0) ? Vector(forces.col(most)) : Vector::Zero().eval();
      }
    }
    return told;
  }

  void sample() noexcept
  {
    const double root = std::sqrt(gathered_);
    const auto random = [this](double size)
    { return Vector(size * Vector(normal_(random_), normal_(random_), normal_(random_))); };
    gyroscope_bias_ += random(settings_.gyroscope_bias_walk * root);
    accelerometer_bias_ += random(settings_.accelerometer_bias_walk * root);
    const Eigen::Matrix3d axes = settings_.imu_axes.transpose();
    const Sample now{
      axes * turned_ / gathered_ + gyroscope_bias_ + random(settings_.gyroscope_noise / root),
      axes * pushed_ / gathered_ + accelerometer_bias_ +
        random(settings_.accelerometer_noise / root)};
    imu_.add(now, time_);
    turned_.setZero();
    pushed_.setZero();
    gathered_ = 0.0;
  }

  const SensorSettings settings_;
  const Vector gravity_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  Vector gyroscope_bias_, accelerometer_bias_;
  double time_ = 0.0, gathered_ = 0.0;  ///< since the start, and since the last sample [s]
  Vector turned_, pushed_;              ///< since the last sample, axes of the base
  Eigen::Quaterniond before_;           ///< world from base
  Vector speed_;                        ///< of the IMU in the world [m/s]
  Delayed<Sample> imu_;
  Delayed<Forces> forces_;
  Sample seen_;
  Forces felt_;
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__SENSORS_HPP_
