/// \file
/// The C interface of the controller of an arm.
#ifndef ROBCOGEN_ROS__CORE__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CORE__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <Eigen/Core>
#include <optional>
#include <stdexcept>
#include <vector>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/core/motor_space.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/table_settings.hpp"

namespace robcogen_ros::core
{

/// `control::Controller` on pointers to numbers.
class InverseDynamicsController
{
  using Robot = RuntimeModel;
  using Parameters = parameters::InverseDynamicsController;

public:
  static constexpr const char * name = "inverse_dynamics_controller";
  static constexpr const char * faults[] = {"none", "a setting is out of its range"};
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument inputs[] = {
    {"position", ROBCOGEN_JOINTS, 0, 1},
    {"velocity", ROBCOGEN_JOINTS, 0, 1},
    {"reference", ROBCOGEN_JOINTS, 4, 1},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument kinds[] = {{"parting", 1, 0, 0}};
  static constexpr robcogen_argument results[] = {
    {"effort", ROBCOGEN_JOINTS, 0, 0},
    {"gravity", ROBCOGEN_JOINTS, 0, 0},
    {"velocity", ROBCOGEN_JOINTS, 0, 0},
    {"reference", ROBCOGEN_JOINTS, 4, 0},
    {"scale", 1, 0, 0},
    {"sound", 1, 0, 0},
    {"share", 1, 0, 0},
    {"stale", 1, 0, 0},
    {"lost", 1, 0, 0},
    {"unsound", 1, 0, 0},
    {"failed", 1, 0, 0},
    {"begun", 1, 0, 0},
    {"complete", 1, 0, 0},
    {"missed_cycles", 1, 0, 0},
    {"follows", 1, 0, 0},
    {"position", ROBCOGEN_JOINTS, 0, 0},
    {"drives", ROBCOGEN_JOINTS, 2, 0},
  };
  /// Parameters of the table, and what the constructor of `control::Controller` takes.
  inline static const std::vector<robcogen_argument> settings = table_settings<Parameters>(
    {{"period", 1, 0, 1}, {"state_timeout", 1, 0, 1}, {"parameters", ROBCOGEN_PARAMETERS, 0, 1}});

  InverseDynamicsController(const robcogen_model * model, const double * const * given)
  : robot_(model, for_arms), unknown_(control::nothing(robot_)), reading_(unknown_)
  {
    if (robot_.floating_base)
    {
      throw std::invalid_argument("controllers are for robots on a fixed base");
    }
    const auto [behaviour, more] = read_settings<Parameters>(given, model->joint_count);
    const std::optional<double> timeout =
      more[1] == nullptr ? std::nullopt : std::optional<double>(*more[1]);
    controller_.emplace(behaviour, more[0] == nullptr ? 0.0 : *more[0], timeout, robot_);
    if (behaviour.space == "motor")
    {
      motors_.emplace(model);
    }
    set_law(behaviour, more[2]);
    controller_->activate();
  }

  /// Takes other settings of the law. Not for real time.
  int32_t set(const double * const * in, double * const *) noexcept
  {
    try
    {
      const auto joints = static_cast<std::size_t>(robot_.joint_count);
      const auto [behaviour, more] = read_settings<Parameters>(in, joints);
      set_law(behaviour, more[2]);
    }
    catch (const std::exception &)
    {
      return 1;
    }
    return 0;
  }

  int32_t activate(const double * const *, double * const * out) noexcept
  {
    controller_->activate();
    forget();
    return tell(controller_->command(), out);
  }

  /// Time has leapt.
  int32_t doubt(const double * const *, double * const * out) noexcept
  {
    controller_->doubt();
    forget();
    return tell(controller_->command(), out);
  }

  /// A cycle; of what is left out nothing is known, as of numbers that are NaN.
  int32_t update(const double * const * in, double * const * out) noexcept
  {
    reading_ = wanted_ = unknown_;
    take(in[0], reading_.position);
    take(in[1], reading_.velocity);
    if (in[2] != nullptr)
    {
      const double * row = in[2];
      for (JointVector * const part :
           {&wanted_.position, &wanted_.velocity, &wanted_.acceleration, &wanted_.effort})
      {
        take(row, *part);
        row += robot_.joint_count;
      }
    }
    if (motors_)
    {
      motors_->take(reading_.position, reading_.velocity);
      reading_.position = motors_->position();
      reading_.velocity = motors_->velocity();
    }
    return tell(
      controller_->update(*settings_, reading_.position, reading_.velocity, wanted_, *in[3]), out);
  }

  int32_t end(const double * const * in, double * const * out) noexcept
  {
    const auto kind = static_cast<control::Parting>(static_cast<int>(*in[0]));
    return tell(controller_->end(*settings_, kind), out);
  }

  inline static const robcogen_method methods[] = {
    {"set", settings.size(), settings.data(), 1, nothing,
     Object<InverseDynamicsController>::call<&InverseDynamicsController::set>},
    method(
      "activate", nothing, results,
      Object<InverseDynamicsController>::call<&InverseDynamicsController::activate>),
    method(
      "doubt", nothing, results,
      Object<InverseDynamicsController>::call<&InverseDynamicsController::doubt>),
    method(
      "update", inputs, results,
      Object<InverseDynamicsController>::call<&InverseDynamicsController::update>),
    method(
      "end", kinds, results,
      Object<InverseDynamicsController>::call<&InverseDynamicsController::end>),
  };

private:
  using JointVector = Robot::JointVector;

  void set_law(const Parameters & behaviour, const double * parameters)
  {
    control::Settings<Robot> law(behaviour, robot_);
    law.dynamics.robot.take_parameters(parameters);
    settings_.emplace(law);
  }

  void forget() noexcept
  {
    if (motors_)
    {
      motors_->forget();
    }
  }

  /// Where drives with a loop of their own shall be, and how fast.
  void tell_drives(const control::MotionState<Robot> & reference, double * out) const noexcept
  {
    const JointVector & q = reference.position;
    hand(motors_ ? motors_->motors().positions(q) : q, out);
    const JointVector & qd = reference.velocity;
    hand(motors_ ? motors_->motors().velocities(q, qd) : qd, out + robot_.joint_count);
  }

  int32_t tell(const control::Command<Robot> & joints, double * const * out) const noexcept
  {
    const control::Command<Robot> command =
      motors_ ? motors_->of_motors(joints, settings_->motor_limits) : joints;
    const control::MotionState<Robot> reference = controller_->reference();
    const int n = robot_.joint_count;
    hand(command.effort, out[0]);
    hand(command.gravity, out[1]);
    hand(controller_->measurements().velocity(), out[2]);
    hand(reference.position, out[3]);
    hand(reference.velocity, out[3] + n);
    hand(reference.acceleration, out[3] + 2 * n);
    hand(reference.effort, out[3] + 3 * n);
    const control::Condition condition = controller_->supervisor().condition();
    const double told[] = {
      command.scale,
      command.sound ? 1.0 : 0.0,
      controller_->supervisor().share(),
      condition == control::Condition::stale ? 1.0 : 0.0,
      condition == control::Condition::lost ? 1.0 : 0.0,
      condition == control::Condition::unsound ? 1.0 : 0.0,
      controller_->supervisor().failed() ? 1.0 : 0.0,
      controller_->supervisor().begun() ? 1.0 : 0.0,
      controller_->measurements().complete() ? 1.0 : 0.0,
      static_cast<double>(controller_->supervisor().missed_cycles()),
      control::follows(settings_->mode) ? 1.0 : 0.0,
    };
    for (std::size_t i = 0; i < std::size(told); ++i)
    {
      *out[4 + i] = told[i];
    }
    hand(controller_->measurements().position(), out[4 + std::size(told)]);
    tell_drives(reference, out[5 + std::size(told)]);
    return 0;
  }

  Robot robot_;
  const control::MotionState<Robot> unknown_;
  control::MotionState<Robot> reading_, wanted_ = reading_;
  std::optional<control::Settings<Robot>> settings_;
  std::optional<control::Controller<Robot>> controller_;
  std::optional<MotorSpace> motors_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__INVERSE_DYNAMICS_CONTROLLER_HPP_
