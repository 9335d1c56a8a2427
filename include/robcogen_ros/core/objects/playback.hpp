/// \file
/// The C interface of a gait that is played.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__PLAYBACK_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__PLAYBACK_HPP_

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "robcogen_ros/control/gait_file.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/objects/motion.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/legged/playback.hpp"

namespace robcogen_ros::core
{

/// `legged::Playback` on pointers to numbers; motions are those of `WholeBody`.
class Playback
{
  using Robot = RuntimeModel;

public:
  static constexpr const char * name = "playback";
  static constexpr const char * faults[] = {"none", "there is no gait", bad_input};
  static constexpr robcogen_argument settings[] = {
    {"file", ROBCOGEN_TEXT, 0, 0},
    {"gravity", 3, 0, 1},
    {"posture", ROBCOGEN_JOINTS, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument told[] = {{"problem", ROBCOGEN_TEXT, 0, 0}};
  static constexpr robcogen_argument times[] = {{"time", 1, 0, 0}};
  static constexpr robcogen_argument moments[] = {
    {"trunk", 19, 0, 0},
    {"q", ROBCOGEN_JOINTS, 0, 0},
    {"qd", ROBCOGEN_JOINTS, 0, 0},
    {"qdd", ROBCOGEN_JOINTS, 0, 0},
    {"tau", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0},
    {"forces", 3, ROBCOGEN_CONTACTS, 0},
    {"stance", ROBCOGEN_CONTACTS, 0, 0},
    {"period", 1, 0, 0},
    {"speed", 1, 0, 0},
    {"height", 1, 0, 0},
  };
  static constexpr robcogen_argument begins[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0},      {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0}, {"time", 1, 0, 0},
  };
  static constexpr robcogen_argument errors[] = {{"error", 1, 0, 0}};
  static constexpr robcogen_argument inputs[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0},      {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0}, {"closed", ROBCOGEN_CONTACTS, 0, 0},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument results[] = {
    {"trunk", 19, 0, 0},
    {"stance", ROBCOGEN_CONTACTS, 0, 0},
    {"feet", 19, ROBCOGEN_CONTACTS, 0},
    {"wrenches", 6, ROBCOGEN_CONTACTS, 0},
    {"posture", ROBCOGEN_JOINTS, 0, 0},
    {"time", 1, 0, 0},
  };

  Playback(const robcogen_model * model, const double * const * given)
  : settings_(on_legs(model, for_playback)), state_(settings_.robot)
  {
    take(given[1], settings_.gravity);
    take(given[2], settings_.posture);
    settings_.robot.take_parameters(given[3]);
    try
    {
      gait_ = control::GaitFile<Robot>::read(taken_text(given[0]), settings_.robot);
      playback_.emplace(*gait_, settings_);
    }
    catch (const std::invalid_argument & error)
    {
      problem_ = error.what();
    }
  }

  /// Tells what is wrong with the file; nothing if it is a gait of the robot.
  int32_t problem(const double * const *, double * const * out) noexcept
  {
    hand_text(problem_, out[0]);
    return 0;
  }

  /// Tells where the gait has the robot at a time, in its own world.
  int32_t at(const double * const * in, double * const * out) noexcept
  {
    if (!playback_ || !std::isfinite(*in[0]))
    {
      return playback_ ? 2 : 1;
    }
    const legged::Moment<Robot> now = gait_->at(*in[0]);
    hand_motion(now.trunk, out[0]);
    hand(now.q, out[1]);
    hand(now.qd, out[2]);
    hand(now.qdd, out[3]);
    hand(now.tau, out[4]);
    hand(now.base_velocity(), out[5]);
    for (int i = 0; i < settings_.robot.contact_count; ++i)
    {
      hand(now.forces.col(i), out[6] + 3 * i);
      out[7][i] = gait_->stands(i, *in[0]) ? 1.0 : 0.0;
    }
    *out[8] = gait_->footfalls.period;
    *out[9] = gait_->speed;
    *out[10] = gait_->height;
    return 0;
  }

  /// Begins where the robot is; tells how far its capture point is from the gait's.
  int32_t begin(const double * const * in, double * const * out) noexcept
  {
    const ground::State<Robot> measured = taken_state(state_, in);
    const int32_t fault = !playback_ ? 1 : is_state(measured) && std::isfinite(*in[5]) ? 0 : 2;
    if (fault == 0)
    {
      *out[0] = playback_->begin(measured, *in[5]);
    }
    return fault;
  }

  int32_t update(const double * const * in, double * const * out) noexcept
  {
    const ground::State<Robot> measured = taken_state(state_, in);
    const int count = settings_.robot.contact_count;
    if (!playback_ || !is_state(measured) || !is_cycle(*in[6]))
    {
      return playback_ ? 2 : 1;
    }
    legged::Playback<Robot>::Closed closed{};
    std::transform(in[5], in[5] + count, closed.begin(), [](double x) { return x > 0.0; });
    const auto & reference = playback_->update(measured, closed, *in[6]);
    hand_motion(reference.trunk, out[0]);
    for (int i = 0; i < count; ++i)
    {
      const whole_body::FootReference & foot = reference.feet[static_cast<std::size_t>(i)];
      out[1][i] = foot.stance ? 1.0 : 0.0;
      hand_motion(foot.motion, out[2] + 19 * i);
      hand(foot.wrench, out[3] + 6 * i);
    }
    hand(reference.posture, out[4]);
    *out[5] = playback_->time();
    return 0;
  }

  static constexpr robcogen_method methods[] = {
    method("problem", nothing, told, Object<Playback>::call<&Playback::problem>),
    method("at", times, moments, Object<Playback>::call<&Playback::at>),
    method("begin", begins, errors, Object<Playback>::call<&Playback::begin>),
    method("update", inputs, results, Object<Playback>::call<&Playback::update>),
  };

private:
  legged::Settings<Robot> settings_;
  ground::State<Robot> state_;  ///< any
  std::string problem_;
  std::shared_ptr<const legged::FoundGait<Robot>> gait_;
  std::optional<legged::Playback<Robot>> playback_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__PLAYBACK_HPP_
