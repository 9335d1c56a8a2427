/// \file
/// The C interface of a robot on the ground.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__GROUND_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__GROUND_HPP_

#include <Eigen/Core>
#include <cstdint>
#include <iterator>

#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/ground/ground.hpp"
#include "robcogen_ros/ground/sensors.hpp"

namespace robcogen_ros::core
{

/// `ground::Ground` on pointers to numbers.
class Ground
{
  using Robot = RuntimeModel;

public:
  static constexpr const char * name = "ground";
  static constexpr const char * first_faults[] = {
    "none",
    "a setting is out of its range",
    "a number of the state is not finite",
    "an effort, an external force or the length of the step is out of its range",
    "the robot starts below the ground",
    "the simulated motion is too fast to be computed",
    "the robot has fallen: its base is below the ground",
    "imu_frame: expected a frame of the base link",
  };
  /// The first ones, then ground::setting_problems.
  static constexpr auto faults = joined(first_faults, ground::setting_problems);
  static constexpr robcogen_argument settings[] = {
    {"plane_point", 3, 0, 1},
    {"plane_normal", 3, 0, 1},
    {"friction", 1, 0, 1},
    {"restitution", 1, 0, 1},
    {"gravity", 3, 0, 1},
    {"radii", ROBCOGEN_CONTACTS, 0, 1},
    {"soles", 12, ROBCOGEN_CONTACTS, 1},
    {"damping", ROBCOGEN_JOINTS, 0, 1},
    {"joint_friction", ROBCOGEN_JOINTS, 0, 1},
    {"stops", 1, 0, 1},
    {"imu_frame", 1, 0, 1},
    {"imu_rate", 1, 0, 1},
    {"imu_delay", 1, 0, 1},
    {"gyroscope_noise", 1, 0, 1},
    {"accelerometer_noise", 1, 0, 1},
    {"gyroscope_bias", 3, 0, 1},
    {"accelerometer_bias", 3, 0, 1},
    {"gyroscope_bias_walk", 1, 0, 1},
    {"accelerometer_bias_walk", 1, 0, 1},
    {"force_noise", 1, 0, 1},
    {"force_delay", 1, 0, 1},
    {"false_contacts", 1, 0, 1},
    {"sensor_seed", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument state[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0},      {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0},
  };
  static constexpr robcogen_argument efforts[] = {
    {"effort", ROBCOGEN_JOINTS, 0, 0},
    {"step", 1, 0, 0},
    {"external_forces", 6, ROBCOGEN_LINKS, 1},
  };
  static constexpr robcogen_argument results[] = {
    {"position", 3, 0, 0},
    {"orientation", 4, 0, 0},
    {"q", ROBCOGEN_JOINTS, 0, 0},
    {"base_velocity", 6, 0, 0},
    {"qd", ROBCOGEN_JOINTS, 0, 0},
    {"wrenches", 6, ROBCOGEN_CONTACTS, 0},
    {"touches", ROBCOGEN_CONTACTS, 0, 0},
    {"counters", 3, 0, 0},
    {"angular_velocity", 3, 0, 0},
    {"linear_acceleration", 3, 0, 0},
    {"forces", 3, ROBCOGEN_CONTACTS, 0},
  };

  Ground(const robcogen_model * model, const double * const * given)
  : ground_(settings_of(model, given)),
    sensors_(sensors_of(ground_.settings(), given), ground_.settings().gravity, ground_.state()),
    effort_(ground_.state().q),
    external_(Robot::Wrenches::Zero(6, static_cast<int>(model->link_count))),
    problem_(ground_.settings().problem())
  {
    const double * const frame = setting(settings, given, "imu_frame");
    const bool good = frame == nullptr || is_of_base(ground_.settings().robot, *frame);
    problem_ = good && problem_ < 0 ? 0 : static_cast<int32_t>(std::size(first_faults)) + problem_;
  }

  /// Returns the number of the fault of the settings.
  int32_t check(const double * const *, double * const *) noexcept { return problem_; }

  int32_t place(const double * const * in, double * const * out) noexcept
  {
    const ground::Fault fault = ground_.place(taken_state(ground_.state(), in));
    sensors_.forget(ground_.state(), ground_.held_forces());
    tell(out);
    return static_cast<int32_t>(fault);
  }

  int32_t advance(const double * const * in, double * const * out) noexcept
  {
    take(in[0], effort_);
    external_.setZero();
    take(in[2], external_);
    const ground::Fault fault = ground_.advance(effort_, *in[1], external_);
    if (fault == ground::Fault::none)
    {
      ground::Sensors<Robot>::Forces forces = ground::Sensors<Robot>::Forces::Zero();
      for (int i = 0; i < ground_.contact_count(); ++i)
      {
        forces.col(i) = ground_.wrench(i).template tail<3>();
      }
      sensors_.advance(ground_.state(), forces, *in[1]);
    }
    tell(out);
    return static_cast<int32_t>(fault);
  }

  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_method methods[] = {
    method("check", nothing, nothing, Object<Ground>::call<&Ground::check>),
    method("place", state, results, Object<Ground>::call<&Ground::place>),
    method("advance", efforts, results, Object<Ground>::call<&Ground::advance>),
  };

private:
  static ground::Settings<Robot> settings_of(
    const robcogen_model * model, const double * const * given)
  {
    ground::Settings<Robot> result(on_legs(model, for_ground, for_loops));
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    take(of("plane_point"), result.plane.point);
    take(of("plane_normal"), result.plane.normal);
    take(of("friction"), result.plane.friction);
    take(of("restitution"), result.plane.restitution);
    take(of("gravity"), result.gravity);
    for (int i = 0; i < result.robot.contact_count; ++i)
    {
      take(of("radii") != nullptr ? of("radii") + i : nullptr, result.feet[i].radius);
      take(of("soles") != nullptr ? of("soles") + 12 * i : nullptr, result.feet[i].sole);
    }
    take(of("damping"), result.damping);
    take(of("joint_friction"), result.friction);
    take(of("stops"), result.stops);
    result.robot.take_parameters(of("parameters"));
    return result;
  }

  static bool is_of_base(const Robot & robot, double frame) noexcept
  {
    return frame >= 0.0 && frame < robot.frame_count &&
           robot.frame_links[static_cast<int>(frame)] == 0;
  }

  static ground::SensorSettings sensors_of(
    const ground::Settings<Robot> & settings, const double * const * given)
  {
    const auto of = [given](const char * name) { return setting(Ground::settings, given, name); };
    ground::SensorSettings result;
    const double * const frame = of("imu_frame");
    if (frame != nullptr && is_of_base(settings.robot, *frame))
    {
      result.put_imu(settings.robot, static_cast<int>(*frame));
    }
    take(of("imu_rate"), result.imu_rate);
    take(of("imu_delay"), result.imu_delay);
    take(of("gyroscope_noise"), result.gyroscope_noise);
    take(of("accelerometer_noise"), result.accelerometer_noise);
    take(of("gyroscope_bias"), result.gyroscope_bias);
    take(of("accelerometer_bias"), result.accelerometer_bias);
    take(of("gyroscope_bias_walk"), result.gyroscope_bias_walk);
    take(of("accelerometer_bias_walk"), result.accelerometer_bias_walk);
    take(of("force_noise"), result.force_noise);
    take(of("force_delay"), result.force_delay);
    take(of("false_contacts"), result.false_contacts);
    if (const double * const seed = of("sensor_seed"); seed != nullptr)
    {
      result.seed = static_cast<std::uint64_t>(*seed);
    }
    return result;
  }

  void tell(double * const * out) const noexcept
  {
    const ground::State<Robot> & now = ground_.state();
    hand(now.position, out[0]);
    hand(now.orientation.coeffs(), out[1]);
    hand(now.q, out[2]);
    hand(now.base_velocity(), out[3]);
    hand(now.qd(), out[4]);
    for (int i = 0; i < ground_.contact_count(); ++i)
    {
      hand(ground_.wrench(i), out[5] + 6 * i);
      out[6][i] = ground_.touches(i) ? 1.0 : 0.0;
    }
    const ground::Counters & counters = ground_.counters();
    out[7][0] = counters.impacts;
    out[7][1] = counters.switches;
    out[7][2] = counters.unsettled;
    hand(sensors_.angular_velocity(), out[8]);
    hand(sensors_.linear_acceleration(), out[9]);
    hand(sensors_.forces().leftCols(ground_.contact_count()), out[10]);
  }

  ground::Ground<Robot> ground_;
  ground::Sensors<Robot> sensors_;
  Robot::JointVector effort_;
  Robot::Wrenches external_;
  int32_t problem_;  ///< of the settings
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__GROUND_HPP_
