/// \file
/// The C interface of the controller of an arm.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/core/motor_space.hpp"
#include "robcogen_ros/core/objects/effort_controller.hpp"

namespace robcogen_ros::core
{

/// `control::Controller` on pointers to numbers.
class InverseDynamicsController
: public EffortController<
    InverseDynamicsController, control::Controller<RuntimeModel>, control::Settings<RuntimeModel>>
{
public:
  static constexpr const char * name = "inverse_dynamics_controller";
  static constexpr robcogen_argument inputs[] = {
    {"position", ROBCOGEN_JOINTS, 0, 1},
    {"velocity", ROBCOGEN_JOINTS, 0, 1},
    {"reference", ROBCOGEN_JOINTS, 4, 1},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument told[] = {
    {"sound", 1, 0, 0},
    {"follows", 1, 0, 0},
    {"position", ROBCOGEN_JOINTS, 0, 0},
    {"velocity", ROBCOGEN_JOINTS, 0, 0},
    {"reference", ROBCOGEN_JOINTS, 4, 0},
    {"drives", ROBCOGEN_JOINTS, 2, 0},
  };
  static constexpr auto results = joined(common, told);
  inline static const std::vector<robcogen_argument> settings =
    table_settings<parameters::InverseDynamicsController>(of_controllers);

  InverseDynamicsController(const robcogen_model * model, const double * const * pointers)
  : EffortController(model, for_arms), unknown_(control::nothing(robot_)), reading_(unknown_)
  {
    const auto [behaviour, more] = read_settings<Parameters>(pointers, model->joint_count);
    if (behaviour.space == "motor")
    {
      motors_.emplace(model);
    }
    begin(behaviour, more[2], behaviour, given(more[0]).value_or(0.0), given(more[1]));
  }

  void forget() noexcept
  {
    if (motors_)
    {
      motors_->forget();
    }
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
      motors_->to_joints(reading_.position, reading_.velocity);
    }
    return tell(
      controller_->update(*settings_, reading_.position, reading_.velocity, wanted_, *in[3]), out);
  }

  int32_t tell(const control::Command<Robot> & joints, double * const * out) const noexcept
  {
    const control::Command<Robot> command =
      motors_ ? motors_->of_motors(joints, settings_->motor_limits) : joints;
    const control::MotionState<Robot> reference = controller_->reference();
    double * const * own = tell_common(command, out);
    **own++ = command.sound ? 1.0 : 0.0;
    **own++ = control::follows(settings_->mode) ? 1.0 : 0.0;
    hand(controller_->measurements().position(), *own++);
    hand(controller_->measurements().velocity(), *own++);
    double * row = *own++;
    for (const JointVector * const part :
         {&reference.position, &reference.velocity, &reference.acceleration, &reference.effort})
    {
      hand(*part, row);
      row += robot_.joint_count;
    }
    tell_drives(reference, *own);
    return 0;
  }

  inline static const auto methods = controller_methods<InverseDynamicsController>();

private:
  using JointVector = Robot::JointVector;

  /// Writes positions and velocities for drives with a loop of their own.
  void tell_drives(const control::MotionState<Robot> & reference, double * out) const noexcept
  {
    const JointVector & q = reference.position;
    hand(motors_ ? motors_->motors().positions(q) : q, out);
    const JointVector & qd = reference.velocity;
    hand(motors_ ? motors_->motors().velocities(q, qd) : qd, out + robot_.joint_count);
  }

  const control::MotionState<Robot> unknown_;
  control::MotionState<Robot> reading_, wanted_ = reading_;
  std::optional<MotorSpace> motors_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_DYNAMICS_CONTROLLER_HPP_
