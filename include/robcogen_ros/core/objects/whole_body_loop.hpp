/// \file
/// The C interface of the loop that keeps a robot on its legs.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_LOOP_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_LOOP_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/posture_motion.hpp"
#include "robcogen_ros/control/troubles.hpp"
#include "robcogen_ros/control/trunk_plan.hpp"
#include "robcogen_ros/control/whole_body_configuration.hpp"
#include "robcogen_ros/core/motor_space.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/objects/motion.hpp"
#include "robcogen_ros/core/objects/table_settings.hpp"
#include "robcogen_ros/core/objects/whole_body.hpp"
#include "robcogen_ros/core/state.hpp"

namespace robcogen_ros::core
{

/// `control::WholeBodyLoop` on pointers to numbers; faults are those of `WholeBody`.
class WholeBodyLoop
{
  using Robot = RuntimeModel;
  using Parameters = parameters::WholeBodyController;
  static constexpr std::size_t joints = ROBCOGEN_JOINTS, contacts = ROBCOGEN_CONTACTS;

public:
  static constexpr const char * name = "whole_body_loop";
  static constexpr auto faults = WholeBody::faults;
  inline static const std::vector<robcogen_argument> others{
    {"soles", 12, contacts, 1},         {"imu_frame", 1, 0, 1},
    {"state_timeout", 1, 0, 1},         {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
    {"gait_file", ROBCOGEN_TEXT, 0, 1},
  };
  inline static const std::vector<robcogen_argument> settings = table_settings<Parameters>(others);
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  /// Inputs of an update; nothing is known of those that are left out or NaN.
  static constexpr robcogen_argument inputs[] = {
    {"step", 1, 0, 0},
    {"position", 3, 0, 1},
    {"orientation", 4, 0, 1},
    {"base_velocity", 6, 0, 1},
    {"base_age", 1, 0, 1},
    {"q", joints, 0, 1},
    {"qd", joints, 0, 1},
    {"forces", 3, contacts, 1},
    {"reference_age", 1, 0, 1},
    {"posture_age", 1, 0, 1},
    {"velocity", 3, 0, 1},
    {"imu_rate", 3, 0, 1},
    {"imu_acceleration", 3, 0, 1},
    {"wrenches", 6, contacts, 1},
    {"wrench_ages", contacts, 0, 1},
  };
  /// A point of a plan, of which the first has time zero; NaN where nothing is told.
  static constexpr robcogen_argument plan_points[] = {
    {"time", 1, 0, 0}, {"trunk", 19, 0, 0}, {"feet", 19, contacts, 1}};
  /// A point of a motion of the posture.
  static constexpr robcogen_argument posture_points[] = {
    {"time", 1, 0, 0},
    {"position", joints, 0, 0},
    {"velocity", joints, 0, 1},
    {"acceleration", joints, 0, 1}};
  static constexpr robcogen_argument kinds[] = {{"parting", 1, 0, 0}};
  static constexpr robcogen_argument results[] = {
    {"efforts", joints, 0, 0},
    {"forces", ROBCOGEN_CONTACT_ROWS, 0, 0},
    {"position", 3, 0, 0},
    {"trunk", 19, 0, 0},
    {"stance", contacts, 0, 0},
    {"closed", contacts, 0, 0},
    {"known", 1, 0, 0},
    {"lost", 1, 0, 0},
    {"fallen", 1, 0, 0},
    {"base_lost", 1, 0, 0},
    {"faults", 1, 0, 0},
    {"jumps", 1, 0, 0},
    {"silences", 1, 0, 0},
    {"cut", 1, 0, 0},
    {"base", 13, 0, 0},
    {"pose_covariance", 6, 6, 0},
    {"twist_covariance", 6, 6, 0},
    {"estimator_faults", 1, 0, 0},
    {"imu_angle", 1, 0, 0},
    {"playing", 1, 0, 0},
    {"posture", joints, 0, 0},
    {"missed", contacts, 0, 0},
  };
  static constexpr robcogen_argument told[] = {{"problem", ROBCOGEN_TEXT, 0, 0}};

  WholeBodyLoop(const robcogen_model * model, const double * const * given)
  : robot_(on_legs(model, for_whole_body_loop, for_loops)),
    nothing_(robot_),
    no_request_(control::no_request(robot_)),
    readings_(nothing_),
    request_(no_request_),
    posture_(robot_),
    troubles_(robot_),
    told_troubles_(robot_)
  {
    const Parameters parameters = set(given);
    if (parameters.space == "motor")
    {
      motors_.emplace(model);
    }
    loop_.emplace(parameters, state_timeout(given), robot_);
    loop_->activate();
  }

  int32_t check(const double * const *, double * const *) noexcept
  {
    return setting_fault(settings_->law);
  }

  /// Tells what is wrong with the gait that is to be played; nothing if it is not.
  int32_t problem(const double * const *, double * const * out) noexcept
  {
    hand_text(problem_, out[0]);
    return 0;
  }

  /// Takes other settings, as far as they may change, but none with a problem. Not for real time.
  int32_t change(const double * const * in, double * const * out) noexcept
  {
    try
    {
      const control::WholeBodySettings<Robot> before = *settings_;
      set(in);
      const int32_t fault = check(in, out);
      settings_ = fault == 0 && problem_.empty() ? settings_ : before;
      return fault;
    }
    catch (const std::exception &)
    {
      return 1;
    }
  }

  int32_t activate(const double * const *, double * const *) noexcept
  {
    loop_->activate();
    if (motors_)
    {
      motors_->forget();
    }
    return 0;
  }

  /// Adds a point to the plan that follows, or begins another one. Not for real time.
  int32_t follow(const double * const * in, double * const *) noexcept
  {
    if (*in[0] == 0.0)
    {
      plan_.emplace();
    }
    whole_body::Reference<Robot> point = no_request_;
    take_motion(in[1], point.trunk);
    for (int i = 0; in[2] != nullptr && i < robot_.contact_count; ++i)
    {
      whole_body::FootReference & foot = point.feet[static_cast<std::size_t>(i)];
      take_motion(in[2] + 19 * i, foot.motion);
      foot.stance = !foot.motion.position.allFinite();
    }
    plan_->add(*in[0], point);
    return 0;
  }

  /// Adds a point to the motion of the posture, or begins another one. Not for real time.
  int32_t prefer(const double * const * in, double * const *) noexcept
  {
    if (*in[0] == 0.0)
    {
      posture_points_.clear();
      posture_begins_ = true;
    }
    const Robot::JointVector open = nothing_.position;
    posture_points_.push_back({*in[0], open, open, open});
    take(in[1], posture_points_.back().position);
    take(in[2], posture_points_.back().velocity);
    take(in[3], posture_points_.back().acceleration);
    return 0;
  }

  /// A cycle.
  int32_t update(const double * const * in, double * const * out) noexcept
  {
    take_readings(in);
    const bool planned = in[8] != nullptr && plan_;
    request_ = planned ? plan_->sample(*in[8], patience_, no_request_) : no_request_;
    control::VelocityCommand velocity;
    velocity.yields = planned && plan_->late(*in[8]) <= patience_;
    if (in[10] != nullptr)
    {
      velocity.linear = Eigen::Map<const Eigen::Vector2d>(in[10]);
      velocity.yaw_rate = in[10][2];
    }
    for (int i = 0; in[13] != nullptr && i < robot_.contact_count; ++i)
    {
      const double * const wrench = in[14][i] <= patience_ ? in[13] + 6 * i : nullptr;
      take(wrench, request_.feet[static_cast<std::size_t>(i)].wrench);
    }
    control::WholeBodySettings<Robot> settings = *settings_;
    if (in[9] != nullptr && !posture_points_.empty())
    {
      const Robot::JointVector set = loop_->preferred(settings.posture);
      if (posture_begins_)
      {
        posture_.begin(posture_points_, set);
      }
      posture_begins_ = false;
      posture_.move(settings, posture_points_, *in[9], set);
    }
    const auto & efforts = loop_->update(settings, readings_, request_, *in[0], velocity);
    troubles_.take(*loop_, std::max(*in[0], 0.0), velocity.yields);
    tell(efforts, out);
    return 0;
  }

  /// Tells why an estimator has not begun, or has no estimate any more; nothing if it has one.
  int32_t no_estimate(const double * const *, double * const * out) noexcept
  {
    const bool has = !loop_->estimator() || (loop_->known() && !loop_->base_lost());
    hand_text(has ? "" : loop_->estimator()->problem(loop_->known()), out[0]);
    return 0;
  }

  /// Tells what goes on being wrong, once, a sentence a line. Not for real time.
  int32_t troubles(const double * const *, double * const * out) noexcept
  {
    hand_text(told_troubles_.news(troubles_), out[0]);
    return 0;
  }

  /// Returns the efforts that the robot is left with, by the number of a `control::Parting`.
  int32_t end(const double * const * in, double * const * out) noexcept
  {
    const auto kind = static_cast<control::Parting>(static_cast<int>(*in[0]));
    tell(loop_->parting(*settings_, kind), out);
    return 0;
  }

  inline static const robcogen_method methods[] = {
    method("check", nothing, nothing, Object<WholeBodyLoop>::call<&WholeBodyLoop::check>),
    method("problem", nothing, told, Object<WholeBodyLoop>::call<&WholeBodyLoop::problem>),
    {"change", settings.size(), settings.data(), 1, nothing,
     Object<WholeBodyLoop>::call<&WholeBodyLoop::change>},
    method("activate", nothing, nothing, Object<WholeBodyLoop>::call<&WholeBodyLoop::activate>),
    method("follow", plan_points, nothing, Object<WholeBodyLoop>::call<&WholeBodyLoop::follow>),
    method("prefer", posture_points, nothing, Object<WholeBodyLoop>::call<&WholeBodyLoop::prefer>),
    method("update", inputs, results, Object<WholeBodyLoop>::call<&WholeBodyLoop::update>),
    method("no_estimate", nothing, told, Object<WholeBodyLoop>::call<&WholeBodyLoop::no_estimate>),
    method("troubles", nothing, told, Object<WholeBodyLoop>::call<&WholeBodyLoop::troubles>),
    method("end", kinds, results, Object<WholeBodyLoop>::call<&WholeBodyLoop::end>),
  };

private:
  /// Sets what settings say; returns the parameters of the table.
  Parameters set(const double * const * given)
  {
    auto [parameters, more] =
      read_settings<Parameters>(given, static_cast<std::size_t>(robot_.joint_count), others);
    if (more[1] != nullptr)
    {
      parameters.imu_frame = robot_.frame_names[static_cast<std::size_t>(*more[1])];
    }
    for (int i = 0; more[0] != nullptr && i < robot_.contact_count; ++i)
    {
      const double * const corners = more[0] + 12 * i;
      const int numbers = robot_.contacts[i].rows() == 6 ? 12 : 0;
      parameters.soles.insert(parameters.soles.end(), corners, corners + numbers);
    }
    parameters.gait_file = taken_text(more[4]);
    settings_.emplace(parameters, robot_);
    find_gait(parameters);
    take_soles(more[0], settings_->law);
    robot_.take_parameters(more[3]);
    patience_ = parameters.reference_timeout;
    return parameters;
  }

  void find_gait(const Parameters & parameters)
  {
    problem_.clear();
    try
    {
      settings_->gait.found = control::found_gait(parameters, robot_);
    }
    catch (const std::invalid_argument & error)
    {
      problem_ = error.what();
      settings_->gait.name = legged::GaitName::stand;
    }
  }

  static std::optional<double> state_timeout(const double * const * given)
  {
    const double * const timeout = given[settings.size() - 3];
    return timeout == nullptr ? std::nullopt : std::optional<double>(*timeout);
  }

  void take_readings(const double * const * in) noexcept
  {
    readings_ = nothing_;
    take(in[1], readings_.base.position);
    take(in[2], readings_.base.orientation);
    if (in[3] != nullptr)
    {
      readings_.base.angular_velocity = Eigen::Map<const Eigen::Vector3d>(in[3]);
      readings_.base.linear_velocity = Eigen::Map<const Eigen::Vector3d>(in[3] + 3);
    }
    take(in[4], readings_.base.age);
    take(in[11], readings_.imu.angular_velocity);
    take(in[12], readings_.imu.linear_acceleration);
    take(in[5], readings_.position);
    take(in[6], readings_.velocity);
    if (motors_)
    {
      motors_->to_joints(readings_.position, readings_.velocity);
      settings_->law.effort_limits = motors_->joint_limits(settings_->motor_limits);
    }
    for (int i = 0; in[7] != nullptr && i < robot_.contact_count; ++i)
    {
      readings_.forces.col(i) = Eigen::Map<const Eigen::Vector3d>(in[7] + 3 * i);
    }
  }

  void tell(const Robot::JointVector & efforts, double * const * out) const noexcept
  {
    hand(motors_ ? motors_->of_motors(efforts, settings_->motor_limits) : efforts, out[0]);
    hand(loop_->forces(), out[1]);
    hand(loop_->state().position, out[2]);
    hand_motion(loop_->reference().trunk, out[3]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(robot_.contact_count); ++i)
    {
      out[4][i] = loop_->reference().feet[i].stance ? 1.0 : 0.0;
      out[5][i] = loop_->closed()[i] ? 1.0 : 0.0;
      out[21][i] = troubles_.misses(i) ? 1.0 : 0.0;
    }
    *out[6] = loop_->known() ? 1.0 : 0.0;
    *out[7] = loop_->condition() == control::WholeBodyCondition::lost ? 1.0 : 0.0;
    *out[8] = loop_->condition() == control::WholeBodyCondition::fallen ? 1.0 : 0.0;
    *out[9] = loop_->base_lost() ? 1.0 : 0.0;
    *out[10] = loop_->faults();
    *out[11] = loop_->jumps();
    *out[12] = loop_->silences();
    *out[13] = loop_->cut() ? 1.0 : 0.0;
    tell_estimate(out + 14);
    *out[19] = loop_->plays() ? 1.0 : 0.0;
    hand(loop_->reference().posture, out[20]);
  }

  /// Hands out what an estimator has of the base, where there is one.
  void tell_estimate(double * const * out) const noexcept
  {
    const auto & estimator = loop_->estimator();
    if (!estimator)
    {
      return;
    }
    hand(estimator->position(), out[0]);
    hand(estimator->orientation().coeffs(), out[0] + 3);
    hand(estimator->angular_velocity(), out[0] + 7);
    hand(estimator->linear_velocity(), out[0] + 10);
    hand(estimator->pose_covariance(), out[1]);
    hand(estimator->twist_covariance(), out[2]);
    *out[3] = estimator->faults();
    *out[4] = estimator->imu_angle();
  }

  Robot robot_;
  const control::WholeBodyReadings<Robot> nothing_;
  const whole_body::Reference<Robot> no_request_;
  control::WholeBodyReadings<Robot> readings_;
  whole_body::Reference<Robot> request_;
  std::optional<control::TrunkPlan<Robot>> plan_;
  control::Waypoints<Robot::JointVector> posture_points_;
  control::PostureMotion<Robot> posture_;
  control::Troubles<Robot> troubles_;
  control::ToldTroubles<Robot> told_troubles_;
  bool posture_begins_ = false;
  std::string problem_;    ///< of the gait that is to be played
  double patience_ = 0.0;  ///< how long a reference is carried on [s]
  std::optional<control::WholeBodySettings<Robot>> settings_;
  std::optional<control::WholeBodyLoop<Robot>> loop_;
  std::optional<MotorSpace> motors_;  ///< where they are measured and commanded
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_LOOP_HPP_
