/// \file
/// The C interface of the whole-body control of a robot.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "robcogen_ros/core/core.h"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/objects/motion.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/whole_body/controller.hpp"

namespace robcogen_ros::core
{

/// The number of the first problem of settings among the faults of WholeBody.
constexpr std::size_t first_setting_problem = 1 + std::size(whole_body::fault_names);

/// Names of faults: two, those of whole_body::Fault in the order of their bits, then
/// whole_body::setting_problems.
constexpr auto whole_body_faults() noexcept
{
  std::array<const char *, first_setting_problem + std::size(whole_body::setting_problems)> result{
    "none", "reserved"};
  for (std::size_t i = 2; i < result.size(); ++i)
  {
    result[i] = i < first_setting_problem ? whole_body::fault_names[i - 2]
                                          : whole_body::setting_problems[i - first_setting_problem];
  }
  return result;
}

/// Returns the problem of settings, as a number of whole_body_faults().
inline int32_t setting_fault(const whole_body::Settings<RuntimeModel> & settings) noexcept
{
  const int problem = settings.problem();
  return problem < 0 ? 0 : static_cast<int32_t>(first_setting_problem) + problem;
}

/// Takes over corners of soles, twelve numbers a contact, where they are given.
inline void take_soles(
  const double * corners, whole_body::Settings<RuntimeModel> & settings) noexcept
{
  for (int i = 0; corners != nullptr && i < settings.robot.contact_count; ++i)
  {
    take(corners + 12 * i, settings.soles[static_cast<std::size_t>(i)]);
  }
}

/// `whole_body::Controller` on pointers to numbers.
class WholeBody
{
  using Robot = RuntimeModel;
  static constexpr std::size_t variables = ROBCOGEN_EFFORTS_AND_ROWS, cones = ROBCOGEN_CONE_ROWS;

public:
  static constexpr const char * name = "whole_body";
  static constexpr auto faults = whole_body_faults();
  static constexpr robcogen_argument settings[] = {
    {"gravity", 3, 0, 1},
    {"ground_normal", 3, 0, 1},
    {"orientation_gains", 2, 0, 1},
    {"position_gains", 2, 0, 1},
    {"foot_gains", 2, 0, 1},
    {"posture_gains", 2, 0, 1},
    {"stance_damping", 1, 0, 1},
    {"orientation_weight", 1, 0, 1},
    {"position_weight", 1, 0, 1},
    {"foot_weight", 1, 0, 1},
    {"posture_weight", 1, 0, 1},
    {"stance_weight", 1, 0, 1},
    {"force_weight", 1, 0, 1},
    {"friction", 1, 0, 1},
    {"least_normal_force", 1, 0, 1},
    {"greatest_normal_force", 1, 0, 1},
    {"sole_share", 1, 0, 1},
    {"soles", 12, ROBCOGEN_CONTACTS, 1},
    {"effort_limits", ROBCOGEN_JOINTS, 0, 1},
    {"joint_damping", ROBCOGEN_JOINTS, 0, 1},
    {"greatest_distance", 1, 0, 1},
    {"greatest_angle", 1, 0, 1},
    {"landing_speed", 1, 0, 1},
    {"iterations", 1, 0, 1},
    {"compensate_friction", 1, 0, 1},
    {"upper_body_weight", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument inputs[] = {
    {"position", 3, 0, 0},
    {"orientation", 4, 0, 0},
    {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0},
    {"qd", ROBCOGEN_JOINTS, 0, 0},
    {"closed", ROBCOGEN_CONTACTS, 0, 0},
    {"trunk", 19, 0, 0},
    {"stance", ROBCOGEN_CONTACTS, 0, 0},
    {"feet", 19, ROBCOGEN_CONTACTS, 0},
    {"posture", ROBCOGEN_JOINTS, 0, 0},
    {"wrenches", 6, ROBCOGEN_CONTACTS, 1},
    {"centered", 1, 0, 1},
  };
  static constexpr robcogen_argument results[] = {
    {"efforts", ROBCOGEN_JOINTS, 0, 0},
    {"forces", ROBCOGEN_CONTACT_ROWS, 0, 0},
    {"accelerations", ROBCOGEN_FREEDOMS, 0, 0},
    {"faults", 1, 0, 0},
    {"iterations", 1, 0, 0},
    {"keeps_limits", 1, 0, 0},
  };
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument quadratic_program[] = {
    {"hessian", variables, variables, 0},
    {"gradient", variables, 0, 0},
    {"rows", variables, cones, 0},
    {"lower", cones, 0, 0},
    {"upper", cones, 0, 0},
    {"bounds", variables, 0, 0},
    {"solution", variables, 0, 0},
  };

  WholeBody(const robcogen_model * model, const double * const * given)
  : settings_(settings_of(model, given)),
    controller_(settings_.robot),
    state_(settings_.robot),
    reference_(settings_.robot)
  {
  }

  /// Returns the number of the fault of the settings.
  int32_t check(const double * const *, double * const *) noexcept
  {
    return setting_fault(settings_);
  }

  int32_t compute(const double * const * in, double * const * out) noexcept
  {
    if (const int32_t wrong = check(in, out); wrong != 0)
    {
      return wrong;
    }
    const ground::State<Robot> measured = taken_state(state_, in);
    whole_body::Reference<Robot> reference = reference_;
    whole_body::Controller<Robot>::Closed closed{};
    take_motion(in[6], reference.trunk);
    for (int i = 0; i < settings_.robot.contact_count; ++i)
    {
      closed[i] = in[5][i] > 0.0;
      reference.feet[i].stance = in[7][i] != 0.0;
      take_motion(in[8] + 19 * i, reference.feet[i].motion);
      take(in[10] != nullptr ? in[10] + 6 * i : nullptr, reference.feet[i].wrench);
    }
    take(in[9], reference.posture);
    reference.centered = in[11] != nullptr && *in[11] != 0.0;
    const whole_body::Command<Robot> & command =
      controller_.compute(measured, closed, reference, settings_);
    hand(command.efforts, out[0]);
    hand(command.forces, out[1]);
    hand(command.accelerations, out[2]);
    *out[3] = command.faults;
    *out[4] = command.iterations;
    *out[5] = controller_.keeps_limits ? 1.0 : 0.0;
    return 0;
  }

  /// The last quadratic program.
  int32_t program(const double * const *, double * const * out) noexcept
  {
    const auto & program = controller_.program();
    const auto copy = [](const auto & values, double * place)
    { std::copy_n(values.data(), values.size(), place); };
    copy(program.hessian, out[0]);
    copy(program.gradient, out[1]);
    copy(program.rows, out[2]);
    copy(program.lower, out[3]);
    copy(program.upper, out[4]);
    copy(program.bounds, out[5]);
    copy(controller_.solution(), out[6]);
    return 0;
  }

  static constexpr robcogen_method methods[] = {
    method("compute", inputs, results, Object<WholeBody>::call<&WholeBody::compute>),
    method("program", nothing, quadratic_program, Object<WholeBody>::call<&WholeBody::program>),
    method("check", nothing, nothing, Object<WholeBody>::call<&WholeBody::check>),
  };

private:
  /// Takes over a parameter where it is a setting and given.
  template <typename Held>
  static void take_parameter(
    const robcogen_model * model, const parameters::Entry & entry, const double * const * given,
    Held & to)
  {
    for (const robcogen_argument & row : settings)
    {
      const double * const numbers = given[&row - settings];
      if (row.name != entry.name || row.columns != 0 || numbers == nullptr)
      {
        continue;
      }
      if constexpr (std::is_same_v<Held, parameters::Numbers>)
      {
        to.assign(numbers, numbers + robcogen_core_size(model, row.rows));
      }
      else if constexpr (std::is_same_v<Held, std::int64_t>)
      {
        to = *numbers >= 1.0 && *numbers <= 1e6 ? static_cast<std::int64_t>(*numbers) : 0;
      }
      else if constexpr (std::is_arithmetic_v<Held>)
      {
        take(numbers, to);
      }
    }
  }

  static whole_body::Settings<Robot> settings_of(
    const robcogen_model * model, const double * const * given)
  {
    const Robot robot = on_legs(model, for_whole_body);
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    parameters::WholeBodyController values;
    values.each([model, given](auto & value, const parameters::Entry & entry)
                { take_parameter(model, entry, given, value); });
    whole_body::Settings<Robot> result(values, robot);
    take_soles(of("soles"), result);
    result.robot.take_parameters(of("parameters"));
    return result;
  }

  whole_body::Settings<Robot> settings_;
  whole_body::Controller<Robot> controller_;
  const ground::State<Robot> state_;              ///< any
  const whole_body::Reference<Robot> reference_;  ///< any
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__WHOLE_BODY_HPP_
