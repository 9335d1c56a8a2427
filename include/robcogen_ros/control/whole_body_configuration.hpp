// What the values of the whole-body controller's parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_

#include <Eigen/Core>
#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/parameter_values.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"
#include "robcogen_ros/control/whole_body_parameters.hpp"

namespace robcogen_ros::control
{

/// All settings of a whole-body controller; not for real time.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct WholeBodyConfiguration
{
  using JointVector = typename Robot::JointVector;
  static constexpr auto & table = whole_body_parameters;

  WholeBodySettings<Robot> settings;
  WholeBodyBehaviour behaviour;
  Parting deactivation = Parting::hold_gravity;
  bool base_topic = false;          ///< whether the base's state comes by a topic
  double base_state_timeout = 0.0;  ///< [s]
  std::string base_name;
  std::string imu_name;
  bool estimate_velocity = false;
  double reference_timeout = 0.1;  ///< [s]
  double cmd_vel_timeout = 0.5;    ///< [s]
  std::string model_check;
  double model_tolerance = 0.0;
  std::string robot_description;
  double state_publish_rate = 0.0;  ///< [Hz]

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit WholeBodyConfiguration(const Lookup & lookup)
  {
    const ParameterValues values(whole_body_parameters, lookup);
    set_law(values);
    set_cones(values);
    set_joints(values);
    set_gait(values);

    behaviour.max_stale_cycles = values.whole("max_stale_cycles");
    behaviour.failure = values.parting("failure_effort");
    behaviour.measured_contacts = values.word("contacts") == "forces";
    deactivation = values.parting("deactivation_effort");

    base_topic = values.word("base_state") == "topic";
    values.get(base_state_timeout, "base_state_timeout");
    behaviour.base_patience = base_topic ? base_state_timeout : 0.0;
    base_name = or_else(values.word("base_name"), Robot::link_names[0]);
    imu_name = or_else(values.word("imu_name"), base_name);
    values.get(estimate_velocity, "estimate_velocity");
    values.get(reference_timeout, "reference_timeout");
    values.get(cmd_vel_timeout, "cmd_vel_timeout");
    model_check = values.word("model_check");
    values.get(model_tolerance, "model_tolerance");
    robot_description = values.word("robot_description");
    values.get(state_publish_rate, "state_publish_rate");
  }

  /// Takes over what is made of the parameters that the model leaves open.
  void set_constants(const typename ConstantsOf<Robot>::Type & constants) noexcept
  {
    settings.law.constants = constants;
  }

private:
  static std::string or_else(const std::string & name, const std::string & otherwise)
  {
    return name.empty() ? otherwise : name;
  }

  template <typename Values>
  static whole_body::Gains gains(const Values & values, const std::string & name)
  {
    const Eigen::Vector2d pair = fixed<2>(values, name);
    return {pair(0), pair(1)};
  }

  template <int count, typename Values>
  static Eigen::Matrix<double, count, 1> fixed(const Values & values, const std::string & name)
  {
    const Numbers numbers = values.numbers(name);
    if (numbers.size() != static_cast<std::size_t>(count))
    {
      throw std::invalid_argument(
        name + ": expected " + std::to_string(count) + " values, found " +
        std::to_string(numbers.size()));
    }
    return Eigen::Map<const Eigen::Matrix<double, count, 1>>(numbers.data());
  }

  template <typename Values>
  void set_law(const Values & values)
  {
    auto & law = settings.law;
    law.trunk_angular = gains(values, "orientation_gains");
    law.trunk_linear = gains(values, "position_gains");
    law.foot = gains(values, "foot_gains");
    law.posture = gains(values, "posture_gains");
    values.get(law.trunk_angular_weight, "orientation_weight");
    values.get(law.trunk_linear_weight, "position_weight");
    values.get(law.foot_weight, "foot_weight");
    values.get(law.posture_weight, "posture_weight");
    values.get(law.upper_body_weight, "upper_body_weight");
    values.get(law.stance_weight, "stance_weight");
    values.get(law.force_weight, "force_weight");
    values.get(law.stance_damping, "stance_damping");
    values.get(law.greatest_distance, "greatest_distance");
    values.get(law.greatest_angle, "greatest_angle");
    values.get(law.landing_speed, "landing_speed");
    law.iterations = values.whole("iterations");
    values.get(law.compensate_friction, "compensate_friction");
    law.gravity = fixed<3>(values, "gravity");
    if (!(law.gravity.norm() > 0.0))
    {
      throw std::invalid_argument("gravity: expected one that is not zero");
    }
  }

  template <typename Values>
  void set_cones(const Values & values)
  {
    auto & law = settings.law;
    values.get(law.friction, "friction");
    values.get(law.least_normal_force, "least_normal_force");
    values.get(law.greatest_normal_force, "greatest_normal_force");
    values.get(law.sole_share, "sole_share");
    law.normal = fixed<3>(values, "ground_normal");
    if (!(law.normal.norm() > 0.0))
    {
      throw std::invalid_argument("ground_normal: expected one that is not zero");
    }
    if (!(law.normal.dot(law.gravity) < 0.0))
    {
      throw std::invalid_argument("ground_normal: expected one that is upwards, against gravity");
    }
    if (law.least_normal_force > law.greatest_normal_force)
    {
      throw std::invalid_argument("least_normal_force: expected at most greatest_normal_force");
    }
    values.get(settings.contact_threshold, "contact_threshold");
    values.get(settings.contact_release, "contact_release");
    values.get(settings.greatest_tilt, "greatest_tilt");
    set_soles(values.numbers("soles"));
  }

  void set_soles(const Numbers & numbers)
  {
    constexpr std::size_t each = 12;
    std::size_t flat = 0;
    for (const Contact & contact : Robot::contacts)
    {
      flat += contact.rows() == 6 ? 1 : 0;
    }
    if (flat > 0 ? numbers.size() != each && numbers.size() != each * flat : !numbers.empty())
    {
      throw std::invalid_argument(
        "soles: expected " +
        (flat > 0 ? "12 numbers or " + std::to_string(each * flat) : std::string("none")) +
        ", for " + std::to_string(flat) + " contacts that are poses, found " +
        std::to_string(numbers.size()));
    }
    std::size_t first = 0;
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      if (Robot::contacts[i].rows() == 6)
      {
        auto & sole = settings.law.soles[static_cast<std::size_t>(i)];
        sole = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(numbers.data() + first);
        first += numbers.size() > each ? each : 0;
        if (!whole_body::Sole::is_rectangle(sole))
        {
          throw std::invalid_argument(
            std::string("soles: expected the corners of a rectangle, those of '") +
            Robot::contact_names[i] + "' are none; give a rectangle within the sole");
        }
      }
    }
  }

  template <typename Values>
  void set_gait(const Values & values)
  {
    static std::atomic<std::uint64_t> revisions{0};
    settings.gait.revision = ++revisions;
    settings.gait.name = static_cast<legged::GaitName>(values.choice("gait"));
    if (settings.gait.name != legged::GaitName::stand && !legged::can_step<Robot>())
    {
      throw std::invalid_argument(
        "gait: expected stand: trot and walk are for robots whose contacts are four points");
    }
    legged::Sizes & sizes = settings.gait.sizes;
    values.get(sizes.period, "gait_period");
    values.get(sizes.duty, "gait_duty");
    if (sizes.duty > 0.0 && sizes.duty < 0.5)
    {
      throw std::invalid_argument("gait_duty: expected 0 or at least 0.5");
    }
    values.get(sizes.swing_height, "swing_height");
    values.get(sizes.longest_step, "longest_step");
    values.get(sizes.recover, "recover");
    const Eigen::Vector2d velocity = fixed<2>(values, "greatest_velocity");
    sizes.velocity_ahead = velocity(0);
    sizes.velocity_aside = velocity(1);
    values.get(sizes.yaw_rate, "greatest_yaw_rate");
  }

  template <typename Values>
  void set_joints(const Values & values)
  {
    auto & law = settings.law;
    law.effort_limits = values.effort_limits(law.effort_limits);
    law.joint_damping = values.template of_joints<JointVector>("joint_damping", law.joint_damping);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    settings.posture =
      values.template of_joints<JointVector>("posture", JointVector::Constant(unknown));
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_
