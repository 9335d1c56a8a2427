/// \file
/// The C interface of the controller of a tool.
#ifndef ROBCOGEN_ROS__CORE__TASK_SPACE_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CORE__TASK_SPACE_CONTROLLER_HPP_

#include <Eigen/Core>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "robcogen_ros/control/task_space_controller.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/table_settings.hpp"

namespace robcogen_ros::core
{

/// `control::TaskSpaceController` on pointers to numbers.
class TaskSpaceController
{
  using Robot = RuntimeModel;
  using Parameters = parameters::TaskSpaceController;

public:
  static constexpr const char * name = "task_space_controller";
  static constexpr const char * faults[] = {"none", "a setting is out of its range"};
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument inputs[] = {
    {"position", ROBCOGEN_JOINTS, 0, 1},
    {"velocity", ROBCOGEN_JOINTS, 0, 1},
    {"pose", 7, 0, 1},
    {"twist", 6, 0, 1},
    {"wrench", 6, 0, 1},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument kinds[] = {{"parting", 1, 0, 0}};
  static constexpr robcogen_argument results[] = {
    {"effort", ROBCOGEN_JOINTS, 0, 0},
    {"gravity", ROBCOGEN_JOINTS, 0, 0},
    {"pose", 7, 0, 0},
    {"target", 7, 0, 0},
    {"error", 6, 0, 0},
    {"wrench", 6, 0, 0},
    {"apparent_mass", 1, 0, 0},
    {"damped", 1, 0, 0},
    {"scale", 1, 0, 0},
    {"share", 1, 0, 0},
    {"stale", 1, 0, 0},
    {"lost", 1, 0, 0},
    {"unsound", 1, 0, 0},
    {"failed", 1, 0, 0},
    {"begun", 1, 0, 0},
    {"complete", 1, 0, 0},
    {"missed_cycles", 1, 0, 0},
  };
  /// Numbers of the frames `base` and `tool`, parameters of the table, and what the constructor of
  /// `control::TaskSpaceController` takes.
  inline static const std::vector<robcogen_argument> settings = table_settings<Parameters>(
    {{"period", 1, 0, 1},
     {"state_timeout", 1, 0, 1},
     {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
     {"frames", 2, 0, 1}});

  TaskSpaceController(const robcogen_model * model, const double * const * given)
  : robot_(model, for_tools), unknown_(robot_)
  {
    const auto [behaviour, more] = read_settings<Parameters>(given, model->joint_count);
    if (robot_.floating_base || more[3] == nullptr)
    {
      throw std::invalid_argument("controllers are for tools of robots on a fixed base");
    }
    const std::optional<double> timeout =
      more[1] == nullptr ? std::nullopt : std::optional<double>(*more[1]);
    const control::Tool<Robot> tool(
      robot_, static_cast<int>(more[3][0]), static_cast<int>(more[3][1]));
    controller_.emplace(behaviour, tool, more[0] == nullptr ? 0.0 : *more[0], timeout, robot_);
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
    return tell(controller_->command(), out);
  }

  /// Time has leapt.
  int32_t doubt(const double * const *, double * const * out) noexcept
  {
    controller_->doubt();
    return tell(controller_->command(), out);
  }

  /// A cycle; of what is left out nothing is known, as of numbers that are NaN.
  int32_t update(const double * const * in, double * const * out) noexcept
  {
    control::JointReadings<Robot> reading = unknown_;
    control::TaskRequest request;
    take(in[0], reading.position);
    take(in[1], reading.velocity);
    take(in[2], request.position);
    take(in[2] == nullptr ? nullptr : in[2] + 3, request.orientation);
    take(in[3], request.twist);
    take(in[4], request.wrench);
    return tell(
      controller_->update(*settings_, reading.position, reading.velocity, request, *in[5]), out);
  }

  int32_t end(const double * const * in, double * const * out) noexcept
  {
    const auto kind = static_cast<control::Parting>(static_cast<int>(*in[0]));
    return tell(controller_->end(*settings_, kind), out);
  }

  inline static const robcogen_method methods[] = {
    {"set", settings.size(), settings.data(), 1, nothing,
     Object<TaskSpaceController>::call<&TaskSpaceController::set>},
    method(
      "activate", nothing, results,
      Object<TaskSpaceController>::call<&TaskSpaceController::activate>),
    method(
      "doubt", nothing, results, Object<TaskSpaceController>::call<&TaskSpaceController::doubt>),
    method(
      "update", inputs, results, Object<TaskSpaceController>::call<&TaskSpaceController::update>),
    method("end", kinds, results, Object<TaskSpaceController>::call<&TaskSpaceController::end>),
  };

private:
  void set_law(const Parameters & behaviour, const double * parameters)
  {
    control::TaskSettings<Robot> law(behaviour, robot_);
    law.dynamics.robot.take_parameters(parameters);
    settings_.emplace(law);
  }

  static void hand_pose(const control::Pose & pose, double * wanted) noexcept
  {
    hand(pose.position, wanted);
    hand(pose.orientation.coeffs(), wanted + 3);
  }

  int32_t tell(const control::Command<Robot> & command, double * const * out) const noexcept
  {
    const auto & supervisor = controller_->supervisor();
    const control::TaskReport & report = controller_->report();
    hand(command.effort, out[0]);
    hand(command.gravity, out[1]);
    hand_pose(controller_->motion().pose, out[2]);
    hand_pose(controller_->reference().target(), out[3]);
    hand(report.error, out[4]);
    hand(report.wrench, out[5]);
    const control::Condition condition = supervisor.condition();
    const double told[] = {
      report.apparent_mass,
      static_cast<double>(report.damped),
      command.scale,
      supervisor.share(),
      condition == control::Condition::stale ? 1.0 : 0.0,
      condition == control::Condition::lost ? 1.0 : 0.0,
      condition == control::Condition::unsound ? 1.0 : 0.0,
      supervisor.failed() ? 1.0 : 0.0,
      supervisor.begun() ? 1.0 : 0.0,
      controller_->measurements().complete() ? 1.0 : 0.0,
      static_cast<double>(supervisor.missed_cycles()),
    };
    for (std::size_t i = 0; i < std::size(told); ++i)
    {
      *out[6 + i] = told[i];
    }
    return 0;
  }

  Robot robot_;
  const control::JointReadings<Robot> unknown_;
  std::optional<control::TaskSettings<Robot>> settings_;
  std::optional<control::TaskSpaceController<Robot>> controller_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__TASK_SPACE_CONTROLLER_HPP_
