/// \file
/// What the C interfaces of controllers of efforts have in common.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__EFFORT_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__EFFORT_CONTROLLER_HPP_

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "robcogen_ros/control/supervisor.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/objects/table_settings.hpp"

namespace robcogen_ros::core
{

/// Settings that follow those of the table, for all controllers: what their constructors take.
inline const std::vector<robcogen_argument> of_controllers{
  {"period", 1, 0, 1}, {"state_timeout", 1, 0, 1}, {"parameters", ROBCOGEN_PARAMETERS, 0, 1}};

/// A controller of efforts on pointers to numbers, but for its cycles.
///
/// \tparam O the object itself; it has `forget()` for what it keeps of measurements, and `tell()`
///   for the results of a command
/// \tparam Controller a controller of a robot, with its Supervisor
/// \tparam Settings of its law, made of a table of parameters
template <typename O, typename Controller, typename Settings>
class EffortController
{
public:
  static constexpr const char * faults[] = {"none", "a setting is out of its range"};
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument kinds[] = {{"parting", 1, 0, 0}};
  /// Results that all of them have, before their own.
  static constexpr robcogen_argument common[] = {
    {"effort", ROBCOGEN_JOINTS, 0, 0},
    {"gravity", ROBCOGEN_JOINTS, 0, 0},
    {"external", ROBCOGEN_JOINTS, 0, 0},
    {"scale", 1, 0, 0},
    {"share", 1, 0, 0},
    {"stale", 1, 0, 0},
    {"lost", 1, 0, 0},
    {"unsound", 1, 0, 0},
    {"stopped", 1, 0, 0},
    {"failed", 1, 0, 0},
    {"begun", 1, 0, 0},
    {"complete", 1, 0, 0},
    {"missed_cycles", 1, 0, 0},
  };

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
    own().forget();
    return own().tell(controller_->command(), out);
  }

  /// Time has leapt.
  int32_t doubt(const double * const *, double * const * out) noexcept
  {
    controller_->doubt();
    own().forget();
    return own().tell(controller_->command(), out);
  }

  int32_t end(const double * const * in, double * const * out) noexcept
  {
    const auto kind = static_cast<control::Parting>(static_cast<int>(*in[0]));
    return own().tell(controller_->end(*settings_, kind), out);
  }

protected:
  using Robot = RuntimeModel;
  using Parameters = typename Settings::Parameters;

  /// \throws std::invalid_argument if the robot floats, or lacks a function
  EffortController(const robcogen_model * model, Names needed) : robot_(model, needed, for_observer)
  {
    if (robot_.floating_base)
    {
      throw std::invalid_argument("controllers are for robots on a fixed base");
    }
  }

  static std::optional<double> given(const double * number)
  {
    return number == nullptr ? std::nullopt : std::optional<double>(*number);
  }

  /// Begins with a controller.
  ///
  /// \param parameters values of those that the robot leaves open; null: as they are by default
  /// \param made what it is constructed of
  template <typename... Made>
  void begin(const Parameters & behaviour, const double * parameters, const Made &... made)
  {
    controller_.emplace(made..., robot_);
    set_law(behaviour, parameters);
    controller_->activate();
  }

  /// Hands out what all controllers tell; returns where results of their own go.
  double * const * tell_common(
    const control::Command<Robot> & command, double * const * out) const noexcept
  {
    using control::Condition;
    const control::Supervisor<Robot> & supervisor = controller_->supervisor();
    const Condition condition = supervisor.condition();
    hand(command.effort, *out++);
    hand(command.gravity, *out++);
    hand(supervisor.reflex().external(), *out++);
    const auto number = [](bool flag) { return flag ? 1.0 : 0.0; };
    const double told[] = {
      command.scale,
      supervisor.share(),
      number(condition == Condition::stale),
      number(condition == Condition::lost),
      number(condition == Condition::unsound),
      number(supervisor.reflex().stopped()),
      number(supervisor.failed()),
      number(supervisor.begun()),
      number(supervisor.measurements().complete()),
      static_cast<double>(supervisor.missed_cycles()),
    };
    for (const double each : told)
    {
      **out++ = each;
    }
    return out;
  }

  Robot robot_;
  std::optional<Settings> settings_;
  std::optional<Controller> controller_;

private:
  O & own() noexcept { return static_cast<O &>(*this); }

  void set_law(const Parameters & behaviour, const double * parameters)
  {
    Settings law(behaviour, robot_);
    law.dynamics.robot.take_parameters(parameters);
    settings_.emplace(law);
  }
};

/// The methods of a controller that has `inputs`, `results`, `settings` and `update()`.
template <typename O>
std::array<robcogen_method, 5> controller_methods() noexcept
{
  using Calls = Object<O>;
  return {
    method("set", O::settings, O::nothing, Calls::template call<&O::set>),
    method("activate", O::nothing, O::results, Calls::template call<&O::activate>),
    method("doubt", O::nothing, O::results, Calls::template call<&O::doubt>),
    method("update", O::inputs, O::results, Calls::template call<&O::update>),
    method("end", O::kinds, O::results, Calls::template call<&O::end>),
  };
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__EFFORT_CONTROLLER_HPP_
