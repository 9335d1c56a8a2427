/// \file
/// The C interface of a robot that moves by its forward dynamics.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__SIMULATION_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__SIMULATION_HPP_

#include <Eigen/Core>
#include <cstring>
#include <optional>

#include "robcogen_ros/control/simulation.hpp"
#include "robcogen_ros/core/motors.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"

namespace robcogen_ros::core
{

/// `control::Simulation` on pointers to numbers.
class Simulation
{
  using Robot = RuntimeModel;
  using State = control::Simulation<Robot>::State;

public:
  static constexpr const char * name = "simulation";
  static constexpr const auto & faults = control::simulation_fault_names;
  static constexpr robcogen_argument settings[] = {
    {"gravity", 3, 0, 1},
    {"damping", ROBCOGEN_JOINTS, 0, 1},
    {"joint_friction", ROBCOGEN_JOINTS, 0, 1},
    {"stops", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
    {"motors", 1, 0, 1},
  };
  static constexpr robcogen_argument start[] = {
    {"q", ROBCOGEN_JOINTS, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 1}, {"position", 3, 0, 1},
    {"orientation", 4, 0, 1},     {"base_velocity", 6, 0, 1},
  };
  static constexpr robcogen_argument efforts[] = {
    {"effort", ROBCOGEN_JOINTS, 0, 0},
    {"step", 1, 0, 0},
    {"external_forces", 6, ROBCOGEN_LINKS, 1},
  };
  static constexpr robcogen_argument motor_efforts[] = {
    {"effort", ROBCOGEN_MOTORS, 0, 0},
    {"step", 1, 0, 0},
    {"external_forces", 6, ROBCOGEN_LINKS, 1},
  };
  static constexpr robcogen_argument results[] = {
    {"q", ROBCOGEN_JOINTS, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0}, {"position", 3, 0, 0},
    {"orientation", 4, 0, 0},     {"base_velocity", 6, 0, 0},    {"effort", ROBCOGEN_JOINTS, 0, 0},
  };
  static constexpr robcogen_argument motor_results[] = {
    {"q", ROBCOGEN_JOINTS, 0, 0}, {"qd", ROBCOGEN_JOINTS, 0, 0}, {"position", 3, 0, 0},
    {"orientation", 4, 0, 0},     {"base_velocity", 6, 0, 0},    {"effort", ROBCOGEN_MOTORS, 0, 0},
  };

  Simulation(const robcogen_model * model, const double * const * given)
  : simulation_(settings_of(model, given)), start_(simulation_.state())
  {
    const double * const motors = setting(settings, given, "motors");
    if (motors != nullptr && *motors != 0.0)
    {
      motors_.emplace(model);
      along_ = [this](const Robot::JointVector & q, const Robot::JointVector & effort)
      { return motors_->joint_efforts(q, effort); };
    }
  }

  /// Puts the robot somewhere; at rest, with its base in the origin, where nothing else is given.
  int32_t place(const double * const * in, double * const * out) noexcept
  {
    State state = start_;
    take(in[0], state.q);
    take(in[2], state.position);
    take(in[3], state.orientation.coeffs());
    const auto joints = state.rates.tail(state.q.size());
    if (in[4] != nullptr && joints.size() < state.rates.size())
    {
      std::copy_n(in[4], 6, state.rates.data());
    }
    if (in[1] != nullptr)
    {
      std::copy_n(in[1], joints.size(), state.rates.data() + state.rates.size() - joints.size());
    }
    return tell(simulation_.place(state), out);
  }

  int32_t advance(const double * const * in, double * const * out) noexcept
  {
    Robot::JointVector effort = start_.q;
    take(in[0], effort);
    return tell(simulation_.advance(effort, *in[1], in[2]), out);
  }

  /// Moves on under efforts of motors, within what they can give.
  int32_t drive(const double * const * in, double * const * out) noexcept
  {
    if (!motors_)
    {
      return static_cast<int32_t>(control::SimulationFault::bad_settings);
    }
    Robot::JointVector effort(motors_->size());
    take(in[0], effort);
    return tell(simulation_.drive(&along_, motors_->given(effort), *in[1], in[2]), out);
  }

  static constexpr robcogen_method methods[] = {
    method("place", start, results, Object<Simulation>::call<&Simulation::place>),
    method("advance", efforts, results, Object<Simulation>::call<&Simulation::advance>),
    method("drive", motor_efforts, motor_results, Object<Simulation>::call<&Simulation::drive>),
  };

private:
  static control::SimulationSettings<Robot> settings_of(
    const robcogen_model * model, const double * const * given)
  {
    control::SimulationSettings<Robot> result(Robot(model, for_simulation));
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    if (of("gravity") != nullptr)
    {
      result.gravity = Eigen::Map<const Eigen::Vector3d>(of("gravity"));
    }
    take(of("damping"), result.dissipation.damping);
    take(of("joint_friction"), result.dissipation.friction);
    take(of("stops"), result.dissipation.stops);
    result.robot.take_parameters(of("parameters"));
    return result;
  }

  int32_t tell(control::SimulationFault fault, double * const * out) const noexcept
  {
    const State & now = simulation_.state();
    hand(now.q, out[0]);
    hand(now.qd(), out[1]);
    hand(now.position, out[2]);
    hand(now.orientation.coeffs(), out[3]);
    std::fill_n(out[4], 6, 0.0);
    std::copy_n(now.rates.data(), now.rates.size() - now.q.size(), out[4]);
    hand(simulation_.effort(), out[5]);
    return static_cast<int32_t>(fault);
  }

  control::Simulation<Robot> simulation_;
  const State start_;
  std::optional<Motors> motors_;
  control::Simulation<Robot>::Drive along_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__SIMULATION_HPP_
