// The control law and the controller of one robot behind plain functions, for tests in Python.
#include <Eigen/Core>
#include <sstream>
#include <string>

#include "demo/arm.hpp"
#include "demo/arm/model_record.hpp"
#include "parameters_of_text.hpp"
#include "robcogen_ros/control/configuration.hpp"
#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/control/external_force_configuration.hpp"

namespace
{

using Robot = demo::arm::Traits;
using Vector = Robot::JointVector;
using State = robcogen_ros::control::MotionState<Robot>;
using robcogen_ros::control::Command;

Vector vector(const double * numbers)
{
  return Eigen::Map<const Vector>(numbers);
}

State motion(const double * numbers)
{
  constexpr int n = Robot::joint_count;
  return {vector(numbers), vector(numbers + n), vector(numbers + 2 * n), vector(numbers + 3 * n)};
}

double * copy(const Vector & from, double * to)
{
  Eigen::Map<Vector>{to} = from;
  return to + from.size();
}

// effort, gravity, scale, sound
void copy(const Command<Robot> & command, double * to)
{
  to = copy(command.gravity, copy(command.effort, to));
  to[0] = command.scale;
  to[1] = command.sound ? 1.0 : 0.0;
}

}  // namespace

struct Session
{
  robcogen_ros::control::Settings<Robot> settings;
  robcogen_ros::control::Controller<Robot> controller;
};

extern "C"
{
// activation_time, max_stale_cycles, max_missed_cycles, hold_at_activation, estimate_velocity,
// failure, nominal period
Session * session_new(const double * given)
{
  robcogen_ros::parameters::InverseDynamicsController behaviour;
  behaviour.activation_time = given[0];
  behaviour.max_stale_cycles = static_cast<std::int64_t>(given[1]);
  behaviour.max_missed_cycles = static_cast<std::int64_t>(given[2]);
  behaviour.hold_position_on_activation = given[3] != 0.0;
  behaviour.estimate_velocity = given[4] != 0.0;
  behaviour.failure_effort = given[5] == 0.0 ? "zero" : "hold_gravity";
  return new Session{{}, robcogen_ros::control::Controller<Robot>(behaviour, given[6])};
}

void session_delete(Session * session)
{
  delete session;
}

// mode, feed_forward, compensate_friction, kp, kd, effort limits; gravity may be null
void session_set(Session * session, const double * given, const double * gravity)
{
  constexpr int n = Robot::joint_count;
  auto & settings = session->settings;
  settings.mode = static_cast<robcogen_ros::control::Mode>(static_cast<int>(given[0]));
  settings.feed_forward = given[1] != 0.0;
  settings.compensate_friction = given[2] != 0.0;
  settings.kp = vector(given + 3);
  settings.kd = vector(given + 3 + n);
  settings.effort_limits = vector(given + 3 + 2 * n);
  settings.dynamics.gravity.reset();
  if (gravity != nullptr)
  {
    settings.dynamics.gravity = Eigen::Vector3d(gravity[0], gravity[1], gravity[2]);
  }
}

void session_activate(Session * session)
{
  session->controller.activate();
}

void session_law(
  Session * session, const double * q, const double * qd, const double * wanted, double share,
  double * command)
{
  const robcogen_ros::control::ControlLaw<Robot> law(session->settings);
  copy(law.command(vector(q), vector(qd), motion(wanted), share), command);
}

// Returns the condition.
int session_update(
  Session * session, const double * q, const double * qd, const double * wanted, double period,
  double * command)
{
  auto & controller = session->controller;
  copy(
    controller.update(session->settings, vector(q), vector(qd), motion(wanted), period), command);
  return static_cast<int>(controller.supervisor().condition());
}

void session_parting(Session * session, int kind, double * command)
{
  const auto parting = static_cast<robcogen_ros::control::Parting>(kind);
  copy(session->controller.end(session->settings, parting), command);
}

// failed, missed cycles, share, then the measured velocities and the reference's positions and
// velocities
void session_report(Session * session, double * report)
{
  const auto & controller = session->controller;
  report[0] = controller.supervisor().failed() ? 1.0 : 0.0;
  report[1] = static_cast<double>(controller.supervisor().missed_cycles());
  report[2] = controller.supervisor().share();
  double * end = copy(controller.measurements().velocity(), report + 3);
  end = copy(controller.reference().position, end);
  copy(controller.reference().velocity, end);
}

// Continuous joints of the point go the short way from a position.
void set_point_sample(
  const double * state, const double * position, double patience, double age, double * result)
{
  robcogen_ros::control::SetPoint<Robot> point{motion(state), patience};
  point.turn_to(vector(position));
  const State sampled = point.sample(age);
  double * end = copy(sampled.velocity, copy(sampled.position, result));
  copy(sampled.effort, copy(sampled.acceleration, end));
}

// What is said of a reference that must not be followed.
const char * reference_problem(const double * state)
{
  static std::string text;
  text = robcogen_ros::control::out_of_bounds<Robot>(motion(state));
  return text.c_str();
}

// What is said of a parameter with a value as in YAML, others at their defaults.
const char * refusal(const char * name, const char * value)
{
  static std::string text;
  try
  {
    using Configuration = robcogen_ros::control::Configuration<Robot>;
    const std::string given = std::string(name) + "=" + value;
    Configuration(parameters_of<Configuration::Parameters>(given));
    text = "";
  }
  catch (const std::invalid_argument & error)
  {
    text = error.what();
  }
  return text.c_str();
}

// Whether a broadcaster of external forces takes the model's gravity.
bool broadcasts_with_gravity_of_model(const char * gravity)
{
  using Configuration = robcogen_ros::control::ExternalForceConfiguration<Robot>;
  const std::string given = std::string("gravity=") + gravity;
  return !Configuration(parameters_of<Configuration::Parameters>(given)).gravity;
}

// Differences between the compiled model and one whose number `entry` of a record was changed.
const char * differences(int link, int joint, int entry, double change, double tolerance)
{
  static std::string text;
  auto given = demo::arm::model_record();
  if (link >= 0)
  {
    auto & record = given.links[static_cast<std::size_t>(link)];
    double * numbers[] = {&record.mass, &record.com[1], &record.inertia[3]};
    *numbers[entry] += change;
  }
  if (joint >= 0)
  {
    auto & record = given.joints[static_cast<std::size_t>(joint)];
    double * numbers[] = {&record.position[0], &record.rotation[1], &record.axis[1],
                          &record.limits[0],   &record.limits[3],   &record.offset};
    *numbers[entry] += change;
  }
  const robcogen_ros::control::ModelComparison comparison(
    demo::arm::model_record(), given, tolerance);
  text = "";
  for (const std::string & difference : comparison.differences())
  {
    text += difference + "\n";
  }
  return text.c_str();
}

// The same of names: the last joint and its link are taken away, or called otherwise.
const char * differences_of_names(bool taken_away, bool whole)
{
  static std::string text;
  auto compiled = demo::arm::model_record();
  auto given = compiled;
  compiled.whole = whole;
  if (taken_away)
  {
    given.links.pop_back();
    given.joints.pop_back();
  }
  else
  {
    given.links.push_back({"gripper", 0.5});
  }
  const robcogen_ros::control::ModelComparison comparison(compiled, given, 1e-6);
  text = "";
  for (const std::string & difference : comparison.differences())
  {
    text += difference + "\n";
  }
  return text.c_str();
}
}
