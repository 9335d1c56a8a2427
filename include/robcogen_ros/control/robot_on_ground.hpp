// A robot on a simulated ground, as its sensors see it.
#ifndef ROBCOGEN_ROS__CONTROL__ROBOT_ON_GROUND_HPP_
#define ROBCOGEN_ROS__CONTROL__ROBOT_ON_GROUND_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/ground_description.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"
#include "robcogen_ros/estimator/usual_period.hpp"
#include "robcogen_ros/ground/ground.hpp"
#include "robcogen_ros/ground/sensors.hpp"

namespace robcogen_ros::control
{

/// Names of ground::Fault, in the order of the enumeration.
constexpr std::array ground_fault_names{
  "nothing is wrong",
  "a setting is out of its range",
  "a number of the start is not finite",
  "an effort is not finite",
  "the robot starts below the ground: leave out initial_base_position, so that it stands on it",
  "the simulated motion is too fast to be computed",
  "the robot has fallen: its base is below the ground"};

/// A ground::Ground, and readings of what is measured of a robot on legs: joints; the base's place
/// and motion, as by an estimator and an IMU; wrenches of its feet.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs what
///   ground::Ground needs
template <typename Robot>
class RobotOnGround
{
public:
  using JointVector = typename Robot::JointVector;
  using Drive = std::function<JointVector(const JointVector & q, const JointVector & given)>;

  /// \param parameters of the world, as GroundDescription has them
  /// \param q where the joints start [rad or m]
  /// \throws std::invalid_argument that says which parameter is wrong and what is expected
  RobotOnGround(
    const HardwareParameters & parameters, const JointVector & q, const Robot & robot = Robot())
  : RobotOnGround(GroundDescription<Robot>(parameters, robot), q, robot)
  {
  }

  /// Returns what is wrong, as when the robot has fallen; null if nothing is.
  const char * problem() const noexcept
  {
    return fault_ == ground::Fault::none ? nullptr
                                         : ground_fault_names[static_cast<std::size_t>(fault_)];
  }

  /// Moves on under commanded efforts, in steps of at most a millisecond; at rest after a fault.
  ///
  /// Efforts of before hold no robot for long: of a late cycle, at most 10 ms beyond the
  /// usual period are made up for; the simulated time stands still otherwise.
  ///
  /// \param command of the joints [N m or N]
  /// \param time of the cycle, at most a second [s]
  void advance(const JointVector & command, double time) noexcept
  {
    effort_ = limits_.given(command);
    move(time, [](const JointVector & effort) { return effort; });
  }

  /// Moves on under what motors give [N m or N], whatever it is along the joints.
  void drive(const Drive & along, const JointVector & given, double time) noexcept
  {
    move(time, [&](const JointVector &) { return along(ground_.state().q, given); });
  }

  const JointVector & q() const noexcept { return q_; }    ///< [rad or m]
  const JointVector & qd() const noexcept { return qd_; }  ///< [rad/s or m/s]

  /// Calls `visit(name, interface, number)` with each reading; the numbers stay where they are.
  ///
  /// Of joints `position`, `velocity`, `effort`; of the base, in the world, `position.x` to `.z`
  /// and `orientation.x` to `.w`; in its axes `linear_velocity`, `angular_velocity` and, as an IMU
  /// at its origin has it, `linear_acceleration`; of the IMU, as it measures, `angular_velocity`
  /// and `linear_acceleration` in its axes; of feet `force`, as measured, and `torque`, which the
  /// ground exerts, about the origin and in the axes of the contact's frame. SI units.
  template <typename Visit>
  void each_reading(const Visit & visit)
  {
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      visit(robot_.joint_names[i], std::string("position"), q_(i));
      visit(robot_.joint_names[i], std::string("velocity"), qd_(i));
      visit(robot_.joint_names[i], std::string("effort"), effort_(i));
    }
    const auto each = [&visit](const char * name, const std::string & quantity, auto && values)
    {
      each_number(
        quantity, values,
        [&](const std::string & interface, double & value) { visit(name, interface, value); });
    };
    const char * const base = robot_.link_names[0];
    each(base, "position", position_);
    each(base, "orientation", orientation_);
    each(base, "linear_velocity", linear_velocity_);
    each(base, "angular_velocity", angular_velocity_);
    each(base, "linear_acceleration", linear_acceleration_);
    each(imu_name_.c_str(), "angular_velocity", imu_rate_);
    each(imu_name_.c_str(), "linear_acceleration", imu_acceleration_);
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const std::string foot = foot_name(robot_.contact_names[i]);
      each(foot.c_str(), "torque", of_feet_.col(i).template head<3>());
      each(foot.c_str(), "force", of_feet_.col(i).template tail<3>());
    }
  }

private:
  RobotOnGround(
    const GroundDescription<Robot> & description, const JointVector & q,
    const Robot & robot) noexcept
  : robot_(robot),
    limits_(robot),
    gravity_(description.settings().gravity),
    ground_(description.settings()),
    sensors_(description.sensors(), gravity_, ground_.state()),
    imu_name_(description.imu_name()),
    effort_(JointVector::Zero(robot.joint_count))
  {
    fault_ = ground_.place(description.start(q));
    sensors_.forget(ground_.state(), ground_.held_forces());
    tell(velocity(), 0.0);
  }

  /// \param next efforts of the joints in the next step, from those of the last
  template <typename Next>
  void move(double time, const Next & next) noexcept
  {
    constexpr double longest = 0.001, made_up_for = 0.01;
    time = std::clamp(time, 0.0, 1.0);
    time = std::min(time, period_.take(time) + made_up_for);
    const double steps = std::ceil(time / longest);
    const Eigen::Vector3d before = velocity();
    wrenches_.setZero();
    for (double i = 0.0; i < steps && fault_ == ground::Fault::none; ++i)
    {
      effort_ = next(effort_);
      fault_ = ground_.advance(effort_, time / steps);
      typename ground::Sensors<Robot>::Forces forces = ground::Sensors<Robot>::Forces::Zero();
      for (int k = 0; k < robot_.contact_count; ++k)
      {
        wrenches_.col(k) += ground_.wrench(k) / steps;
        forces.col(k) = ground_.wrench(k).template tail<3>();
      }
      sensors_.advance(ground_.state(), forces, time / steps, i + 1.0 == steps);
    }
    tell(before, time);
  }

  /// Velocity of the base's origin in the world.
  Eigen::Vector3d velocity() const noexcept
  {
    return ground_.state().orientation * ground_.state().base_velocity().template tail<3>();
  }

  /// Takes readings, where the base had a velocity a while before.
  void tell(const Eigen::Vector3d & before, double time) noexcept
  {
    const ground::State<Robot> & now = ground_.state();
    q_ = now.q;
    qd_ = now.qd();
    position_ = now.position;
    orientation_ = now.orientation.coeffs();
    angular_velocity_ = now.base_velocity().template head<3>();
    linear_velocity_ = now.base_velocity().template tail<3>();
    Eigen::Vector3d gained = -gravity_;
    if (time > 0.0)
    {
      gained += (velocity() - before) / time;
    }
    linear_acceleration_ = now.orientation.conjugate() * gained;
    const auto function = [this](const auto &... all) { return robot_.kinematics(all...); };
    const auto kinematics = with_constants<Robot>(constants_, function, now.q);
    const auto & forces = sensors_.forces();
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const auto frame = static_cast<typename Robot::Frame>(robot_.contacts[i].frame);
      const Eigen::Matrix3d foot_from_world =
        (now.orientation.toRotationMatrix() * kinematics.pose(frame).rotation()).transpose();
      of_feet_.col(i).template head<3>() = foot_from_world * wrenches_.col(i).template head<3>();
      of_feet_.col(i).template tail<3>() = foot_from_world * forces.col(i);
    }
    imu_rate_ = sensors_.angular_velocity();
    imu_acceleration_ = sensors_.linear_acceleration();
  }

  const Robot robot_;
  const Limits<Robot> limits_;
  const Eigen::Vector3d gravity_;
  const typename ConstantsOf<Robot>::Type constants_{};
  ground::Ground<Robot> ground_;
  ground::Sensors<Robot> sensors_;
  const std::string imu_name_;
  estimator::UsualPeriod period_;
  ground::Fault fault_ = ground::Fault::none;
  JointVector q_, qd_, effort_;
  Eigen::Vector3d position_, linear_velocity_, angular_velocity_, linear_acceleration_;
  Eigen::Vector4d orientation_;
  Eigen::Vector3d imu_rate_, imu_acceleration_;
  Eigen::Matrix<double, 6, SizesOf<Robot>::most_contacts> wrenches_ =
    Eigen::Matrix<double, 6, SizesOf<Robot>::most_contacts>::Zero();
  Eigen::Matrix<double, 6, SizesOf<Robot>::most_contacts> of_feet_ = wrenches_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__ROBOT_ON_GROUND_HPP_
