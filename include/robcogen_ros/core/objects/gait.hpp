/// \file
/// The C interface of the gait of a robot.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__GAIT_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__GAIT_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/objects/motion.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/legged/can_step.hpp"
#include "robcogen_ros/legged/gait.hpp"
#include "robcogen_ros/legged/sizes.hpp"
#include "robcogen_ros/legged/step_times.hpp"

namespace robcogen_ros::core
{

/// `legged::Gait` on pointers to numbers; motions are those of `WholeBody`.
class Gait
{
  using Robot = RuntimeModel;

public:
  static constexpr const char * name = "gait";
  static constexpr const char * first_faults[] = {"none", bad_input};
  /// The first ones, then legged::setting_problems.
  static constexpr auto faults = joined(first_faults, legged::setting_problems);
  static constexpr robcogen_argument settings[] = {
    {"gravity", 3, 0, 1},
    {"ground_normal", 3, 0, 1},
    {"posture", ROBCOGEN_JOINTS, 0, 0},
    {"name", 1, 0, 1},  // of legged::GaitName: what is left out below is as it is in this gait
    {"period", 1, 0, 1},
    {"duty", 1, 0, 1},
    {"phases", ROBCOGEN_CONTACTS, 0, 1},
    {"recover", 1, 0, 1},
    {"swing_height", 1, 0, 1},
    {"sinking_speed", 1, 0, 1},
    {"longest_step", 1, 0, 1},
    {"balance", 1, 0, 1},
    {"polygon_share", 1, 0, 1},
    {"settled", 1, 0, 1},
    {"last_correction", 1, 0, 1},
    {"early_contact", 1, 0, 1},
    {"touch_down_speed", 1, 0, 1},
    {"apart", 1, 0, 1},
    {"soles", 12, ROBCOGEN_CONTACTS, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument state[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0},      {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0},
  };
  static constexpr robcogen_argument inputs[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0},      {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0}, {"closed", ROBCOGEN_CONTACTS, 0, 0},
    {"steps", 1, 0, 0},         {"velocity", 2, 0, 0},         {"yaw_rate", 1, 0, 0},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument told[] = {{"problem", ROBCOGEN_TEXT, 0, 0}};
  static constexpr robcogen_argument footfalls[] = {
    {"period", 1, 0, 0}, {"duty", 1, 0, 0}, {"phases", ROBCOGEN_CONTACTS, 0, 0}};
  static constexpr robcogen_argument results[] = {
    {"trunk", 19, 0, 0},
    {"stance", ROBCOGEN_CONTACTS, 0, 0},
    {"feet", 19, ROBCOGEN_CONTACTS, 0},
    {"posture", ROBCOGEN_JOINTS, 0, 0},
    {"stepping", 1, 0, 0},
    {"phase", 1, 0, 0},
    {"stuck", 1, 0, 0},
  };

  Gait(const robcogen_model * model, const double * const * given)
  : settings_(settings_of(model, given, problem_)), gait_(settings_), state_(settings_.robot)
  {
  }

  /// Tells why the robot cannot step in the gait of that name; nothing if it can.
  int32_t problem(const double * const *, double * const * out) noexcept
  {
    hand_text(problem_, out[0]);
    return 0;
  }

  /// Returns the number of the fault of the settings.
  int32_t check(const double * const *, double * const *) const noexcept
  {
    const int problem = settings_.problem();
    return problem < 0 ? 0 : static_cast<int32_t>(std::size(first_faults)) + problem;
  }

  int32_t start(const double * const * in, double * const *) noexcept
  {
    const ground::State<Robot> measured = taken_state(state_, in);
    const int32_t fault = check(nullptr, nullptr);
    if (fault != 0 || !is_state(measured))
    {
      return fault != 0 ? fault : 1;
    }
    gait_.start(measured);
    begun_ = true;
    return 0;
  }

  int32_t pattern(const double * const *, double * const * out) noexcept
  {
    *out[0] = settings_.pattern.period;
    *out[1] = settings_.pattern.duty;
    std::copy_n(settings_.pattern.phases.begin(), settings_.robot.contact_count, out[2]);
    return 0;
  }

  int32_t update(const double * const * in, double * const * out) noexcept
  {
    const ground::State<Robot> measured = taken_state(state_, in);
    const int count = settings_.robot.contact_count;
    const bool good = is_state(measured) && std::isfinite(in[7][0]) && std::isfinite(in[7][1]) &&
                      std::isfinite(*in[8]) && is_cycle(*in[9]);
    const int32_t fault = begun_ ? check(nullptr, nullptr) : start(in, nullptr);
    if (fault != 0 || !good)
    {
      return fault != 0 ? fault : 1;
    }
    legged::Gait<Robot>::Closed closed{};
    std::transform(in[5], in[5] + count, closed.begin(), [](double x) { return x > 0.0; });
    legged::Motion wanted;
    take(in[6], wanted.step);
    take(in[7], wanted.velocity);
    take(in[8], wanted.yaw_rate);
    tell(gait_.update(measured, closed, wanted, *in[9]), out);
    *out[4] = gait_.stepping() ? 1.0 : 0.0;
    *out[5] = gait_.phase();
    *out[6] = gait_.stuck() ? 1.0 : 0.0;
    return 0;
  }

  static constexpr robcogen_method methods[] = {
    method("start", state, nothing, Object<Gait>::call<&Gait::start>),
    method("check", nothing, nothing, Object<Gait>::call<&Gait::check>),
    method("problem", nothing, told, Object<Gait>::call<&Gait::problem>),
    method("pattern", nothing, footfalls, Object<Gait>::call<&Gait::pattern>),
    method("update", inputs, results, Object<Gait>::call<&Gait::update>),
  };

private:
  void tell(const whole_body::Reference<Robot> & reference, double * const * out) const noexcept
  {
    hand_motion(reference.trunk, out[0]);
    for (int i = 0; i < settings_.robot.contact_count; ++i)
    {
      out[1][i] = reference.feet[i].stance ? 1.0 : 0.0;
      hand_motion(reference.feet[i].motion, out[2] + 19 * i);
    }
    hand(reference.posture, out[3]);
  }

  /// Sets what makes a gait of a name, by the robot's height; returns why the robot cannot step so.
  static std::string name_gait(legged::GaitName gait, legged::Settings<Robot> & settings)
  {
    const legged::Placement<Robot> placement(settings);
    const legged::Sizes sizes =
      legged::Sizes().filled(gait, placement.height, settings.gravity.norm(), settings.robot);
    settings = legged::sized(settings, placement, gait, sizes);
    return legged::step_problem(gait, settings.robot, settings.constants, settings.posture);
  }

  static legged::Settings<Robot> settings_of(
    const robcogen_model * model, const double * const * given, std::string & problem)
  {
    legged::Settings<Robot> result(on_legs(model, for_gaits));
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    result.robot.take_parameters(of("parameters"));
    take(of("gravity"), result.gravity);
    take(of("ground_normal"), result.ground_normal);
    take(of("posture"), result.posture);
    for (int i = 0; of("soles") != nullptr && i < result.robot.contact_count; ++i)
    {
      take(of("soles") + 12 * i, result.soles[static_cast<std::size_t>(i)]);
    }
    auto gait = legged::GaitName::stand;
    if (of("name") != nullptr)
    {
      gait = static_cast<legged::GaitName>(static_cast<int>(*of("name")));
      problem = name_gait(gait, result);
    }
    take(of("period"), result.pattern.period);
    take(of("duty"), result.pattern.duty);
    if (problem.empty())
    {
      const auto given_or_zero = [](const double * number)
      { return number == nullptr ? 0.0 : *number; };
      problem = legged::step_times_problem(
        gait, result.robot.contact_count, given_or_zero(of("period")), given_or_zero(of("duty")));
    }
    if (problem.empty())
    {
      problem = legged::pace_problem(gait, result, result.pattern.period, result.pattern.duty);
    }
    for (int i = 0; i < result.robot.contact_count; ++i)
    {
      take(of("phases") != nullptr ? of("phases") + i : nullptr, result.pattern.phases[i]);
    }
    take(of("recover"), result.recover);
    take(of("swing_height"), result.swing_height);
    take(of("sinking_speed"), result.sinking_speed);
    take(of("longest_step"), result.longest_step);
    take(of("balance"), result.balance);
    take(of("polygon_share"), result.polygon_share);
    take(of("settled"), result.settled);
    take(of("last_correction"), result.last_correction);
    take(of("early_contact"), result.early_contact);
    take(of("touch_down_speed"), result.touch_down_speed);
    take(of("apart"), result.apart);
    return result;
  }

  std::string problem_;
  legged::Settings<Robot> settings_;
  legged::Gait<Robot> gait_;
  bool begun_ = false;
  ground::State<Robot> state_;  ///< any
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__GAIT_HPP_
