// Whole-body control and the simulated ground of one robot behind plain functions, for tests in
// Python.
#include <Eigen/Core>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>

#include "demo/quadruped.hpp"
#include "parameters_of_text.hpp"
#include "robcogen_ros/control/motion_numbers.hpp"
#include "robcogen_ros/control/robot_on_ground.hpp"
#include "robcogen_ros/control/whole_body_configuration.hpp"
#include "robcogen_ros/whole_body/joint_friction.hpp"

namespace
{

namespace control = robcogen_ros::control;
using Robot = demo::quadruped::Traits;
using Vector = Robot::JointVector;
using Configuration = control::WholeBodyConfiguration<Robot>;
constexpr int n = Robot::joint_count;

/// Values as the table has them, but for those of a text "name=value;...".
Configuration configured(const char * text)
{
  return Configuration(parameters_of<Configuration::Parameters>(text));
}

struct Session
{
  explicit Session(const char * text)
  : configuration(configured(text)), loop(configuration.parameters)
  {
  }

  Configuration configuration;
  control::WholeBodyLoop<Robot> loop;
  control::ChainedRequest<Robot> chained;
};

control::WholeBodyReadings<Robot> readings(const double * numbers)
{
  control::WholeBodyReadings<Robot> result;
  const auto take = [&numbers](auto & to)
  {
    std::copy_n(numbers, to.size(), to.data());
    numbers += to.size();
  };
  take(result.position);
  take(result.velocity);
  take(result.base.position);
  take(result.base.orientation);
  take(result.base.linear_velocity);
  take(result.base.angular_velocity);
  take(result.forces);
  take(result.imu.angular_velocity);
  take(result.imu.linear_acceleration);
  return result;
}

/// The robot with friction in its first two joints.
struct Rubbing : Robot
{
  static constexpr double damping[n] = {0.1, 0.0};
  static constexpr double friction[n] = {0.4, 100.0};
  static constexpr bool damping_in_dynamics = false, friction_in_dynamics = false;
};

}  // namespace

extern "C"
{
// What is wrong with parameters; empty if nothing is.
const char * refusal(const char * text)
{
  static std::string result;
  try
  {
    result = "";
    configured(text);
  }
  catch (const std::exception & error)
  {
    result = error.what();
  }
  return result.c_str();
}

// Efforts that friction takes in the joints of a robot that has some.
void friction_efforts(const double * velocities, bool compensate, double * out)
{
  robcogen_ros::whole_body::Settings<Rubbing> settings;
  settings.compensate_friction = compensate;
  Eigen::Map<Vector>{out} = robcogen_ros::whole_body::joint_friction<Rubbing>(
    Eigen::Map<const Vector>(velocities), settings);
}

Session * session_new(const char * text)
{
  return new Session(text);
}
// Other parameters, as while the controller is active.
void session_change(Session * session, const char * text)
{
  session->configuration = configured(text);
}
void session_delete(Session * session)
{
  delete session;
}
void session_activate(Session * session)
{
  session->loop.activate();
}

const char * request_names()
{
  static std::string result;
  result.clear();
  control::ChainedRequest<Robot> chained;
  chained.each([](const std::string & name, double &) { result += name + " "; });
  return result.c_str();
}

// Returns the condition; efforts, then faults, failed, closed, stance, then the reference's
// position and linear velocity, then forces.
//
// velocity: ahead, to the left, yaw rate, whether another request has precedence.
int session_update(
  Session * session, const double * read, const double * request, const double * velocity,
  double period, double * out)
{
  auto & loop = session->loop;
  const Vector efforts = loop.update(
    session->configuration.settings, readings(read), session->chained.request(request), period,
    {{velocity[0], velocity[1]}, velocity[2], velocity[3] != 0.0});
  const auto tell = [&out](const auto & values)
  {
    std::copy_n(values.data(), values.size(), out);
    out += values.size();
  };
  tell(efforts);
  *out++ = loop.faults();
  *out++ = loop.failed();
  for (int i = 0; i < Robot::contact_count; ++i)
  {
    *out++ = loop.closed()[static_cast<std::size_t>(i)];
    *out++ = loop.reference().feet[static_cast<std::size_t>(i)].stance;
  }
  tell(loop.reference().trunk.position);
  tell(loop.reference().trunk.linear_velocity);
  tell(loop.forces());
  return static_cast<int>(loop.condition());
}

void session_parting(Session * session, int kind, double * out)
{
  Eigen::Map<Vector>{out} =
    session->loop.parting(session->configuration.settings, static_cast<control::Parting>(kind));
}

// A motion of position, orientation (x, y, z, w), linear and angular velocity and acceleration.
void carry_on(double * numbers, double age, double patience)
{
  robcogen_ros::whole_body::Motion motion;
  const auto each = [&](const auto & visit)
  {
    visit(motion.position, 0);
    visit(motion.orientation.coeffs(), 3);
    visit(motion.linear_velocity, 7);
    visit(motion.angular_velocity, 10);
    visit(motion.linear_acceleration, 13);
    visit(motion.angular_acceleration, 16);
  };
  each([&](auto && values, int at) { std::copy_n(numbers + at, values.size(), values.data()); });
  motion = control::carried_on(motion, age, patience);
  each([&](auto && values, int at) { std::copy_n(values.data(), values.size(), numbers + at); });
}

// So long after a request in which the second foot swings ahead at 1 m/s, and a command of velocity:
// which feet stand, where that foot is and how fast; the command's numbers.
void say_before(double age, double patience, double * out)
{
  auto request = control::no_request<Robot>();
  request.feet[1].stance = false;
  request.feet[1].motion.linear_velocity.x() = 1.0;
  request = control::carried_on<Robot>(request, age, patience);
  for (const auto & foot : request.feet)
  {
    *out++ = foot.stance;
  }
  *out++ = request.feet[1].motion.position.x();
  *out++ = request.feet[1].motion.linear_velocity.x();
  const auto command = control::VelocityCommand{{0.1, -0.2}, 0.3, false}.after(age, patience);
  for (const double number : {command.linear.x(), command.linear.y(), command.yaw_rate})
  {
    *out++ = number;
  }
}

// What is wrong with the world of parameters "name=value;..."; empty if nothing is.
struct World
{
  control::HardwareParameters parameters;
  std::string problem;
  std::optional<control::RobotOnGround<Robot>> robot;
  std::string names;
  std::vector<double *> values;
};

World * world_new(const char * text, const double * q)
{
  auto * const world = new World;
  std::istringstream stream(text);
  for (std::string pair; std::getline(stream, pair, ';');)
  {
    const auto at = pair.find('=');
    world->parameters[pair.substr(0, at)] = pair.substr(at + 1);
  }
  try
  {
    world->robot.emplace(world->parameters, Vector(Eigen::Map<const Vector>(q)));
  }
  catch (const std::invalid_argument & error)
  {
    world->problem = error.what();
    return world;
  }
  world->robot->each_reading(
    [world](const char * name, const std::string & interface, double & value)
    {
      world->names += std::string(name) + "/" + interface + " ";
      world->values.push_back(&value);
    });
  return world;
}

void world_delete(World * world)
{
  delete world;
}
const char * world_problem(World * world)
{
  return world->problem.c_str();
}
const char * world_names(World * world)
{
  return world->names.c_str();
}

// Returns what is wrong, null if nothing is; readings in the order of their names.
const char * world_advance(World * world, const double * efforts, double time, double * out)
{
  if (time > 0.0)
  {
    world->robot->advance(Vector(Eigen::Map<const Vector>(efforts)), time);
  }
  for (double * const value : world->values)
  {
    *out++ = *value;
  }
  return world->robot->problem();
}
}
