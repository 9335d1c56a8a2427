/// \file
/// The C interface of a robot on the ground.
#ifndef ROBCOGEN_ROS__INTERFACE__GROUND_HPP_
#define ROBCOGEN_ROS__INTERFACE__GROUND_HPP_

#include <Eigen/Core>

#include "robcogen_ros/ground/ground.hpp"
#include "robcogen_ros/interface/object.hpp"
#include "robcogen_ros/interface/state.hpp"

namespace robcogen_ros::interface
{

/// `ground::Ground` on pointers to numbers.
template <typename Robot>
class Ground
{
  static constexpr std::size_t joints = Robot::joint_count, contacts = Robot::contact_count;
  static constexpr std::size_t parameters = parameter_count<Robot>;

public:
  static constexpr const char * name = "ground";
  static constexpr const char * faults[] = {
    "none",
    "a setting is out of its range",
    "a number of the state is not finite",
    "an effort, an external force or the length of the step is out of its range",
    "the robot starts below the ground",
    "the simulated motion is too fast to be computed",
    "the robot has fallen: its base is below the ground",
  };
  static constexpr robcogen_argument settings[] = {
    {"plane_point", 3, 0, 1},
    {"plane_normal", 3, 0, 1},
    {"friction", 1, 0, 1},
    {"restitution", 1, 0, 1},
    {"gravity", 3, 0, 1},
    {"radii", contacts, 0, 1},
    {"soles", 12, contacts, 1},
    {"damping", joints, 0, 1},
    {"joint_friction", joints, 0, 1},
    {"stops", 1, 0, 1},
    {"parameters", parameters, 0, 1},
  };
  static constexpr robcogen_argument state[] = {
    {"position", 3, 0, 0},      {"orientation", 4, 0, 0}, {"q", joints, 0, 0},
    {"base_velocity", 6, 0, 0}, {"qd", joints, 0, 0},
  };
  static constexpr robcogen_argument efforts[] = {
    {"effort", joints, 0, 0},
    {"step", 1, 0, 0},
    {"external_forces", 6, Robot::link_count, 1},
  };
  static constexpr robcogen_argument results[] = {
    {"position", 3, 0, 0},       {"orientation", 4, 0, 0}, {"q", joints, 0, 0},
    {"base_velocity", 6, 0, 0},  {"qd", joints, 0, 0},     {"wrenches", 6, contacts, 0},
    {"touches", contacts, 0, 0}, {"counters", 3, 0, 0},
  };

  explicit Ground(const double * const * given) noexcept : ground_(settings_of(given)) {}

  int32_t place(const double * const * in, double * const * out) noexcept
  {
    const ground::Fault fault = ground_.place(taken_state<Robot>(in));
    tell(out);
    return static_cast<int32_t>(fault);
  }

  int32_t advance(const double * const * in, double * const * out) noexcept
  {
    typename Robot::JointVector effort;
    typename Robot::Wrenches external = Robot::Wrenches::Zero();
    take(in[0], effort);
    take(in[2], external);
    const ground::Fault fault = ground_.advance(effort, *in[1], external);
    tell(out);
    return static_cast<int32_t>(fault);
  }

  static constexpr robcogen_method methods[] = {
    method("place", state, results, Object<Ground>::template call<&Ground::place>),
    method("advance", efforts, results, Object<Ground>::template call<&Ground::advance>),
  };

private:
  static ground::Settings<Robot> settings_of(const double * const * given) noexcept
  {
    ground::Settings<Robot> result;
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    take(of("plane_point"), result.plane.point);
    take(of("plane_normal"), result.plane.normal);
    take(of("friction"), result.plane.friction);
    take(of("restitution"), result.plane.restitution);
    take(of("gravity"), result.gravity);
    for (std::size_t i = 0; i < contacts; ++i)
    {
      take(of("radii") != nullptr ? of("radii") + i : nullptr, result.feet[i].radius);
      take(of("soles") != nullptr ? of("soles") + 12 * i : nullptr, result.feet[i].sole);
    }
    take(of("damping"), result.damping);
    take(of("joint_friction"), result.friction);
    take(of("stops"), result.stops);
    take_parameters<Robot>(of("parameters"), result.constants);
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
    for (std::size_t i = 0; i < contacts; ++i)
    {
      hand(ground_.wrench(static_cast<int>(i)), out[5] + 6 * i);
      out[6][i] = ground_.touches(static_cast<int>(i)) ? 1.0 : 0.0;
    }
    const ground::Counters & counters = ground_.counters();
    out[7][0] = counters.impacts;
    out[7][1] = counters.switches;
    out[7][2] = counters.unsettled;
  }

  ground::Ground<Robot> ground_;
};

}  // namespace robcogen_ros::interface

#endif  // ROBCOGEN_ROS__INTERFACE__GROUND_HPP_
