// Motion between events, and when the next one is.
#ifndef ROBCOGEN_ROS__GROUND__EVENTS_HPP_
#define ROBCOGEN_ROS__GROUND__EVENTS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// Returns the count of numbers that tell of events: of each foot four corners and its friction, of
/// each joint two stops and its friction.
template <typename Robot>
constexpr int watched(const Robot & robot) noexcept
{
  return 5 * robot.contact_count + 3 * robot.joint_count;
}

template <typename Robot>
using Watch =
  VectorWithin<Eigen::Dynamic, 5 * SizesOf<Robot>::most_contacts + 3 * SizesOf<Robot>::most_joints>;

/// The state after some time; the impulses of the ground until then, and the work of all that
/// holds.
template <typename Robot>
struct Trial
{
  State<Robot> state;
  Impulses<Robot> impulses;
  double work = 0.0;
  double fastest = 0.0;  ///< root of twice the kinetic energy that it can have without such work

  explicit Trial(const State<Robot> & start, const Robot & robot) noexcept
  : state(start), impulses(Impulses<Robot>::Zero(6, robot.contact_count))
  {
  }
};

/// Adds what forces at a state do in some time.
template <typename Robot>
void add_forces(
  const Scene<Robot> & scene, const State<Robot> & state, double time,
  Trial<Robot> & trial) noexcept
{
  trial.work += time * scene.problem.force.dot(row_rates(scene, state));
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    if (scene.mode.feet[foot].touches())
    {
      trial.impulses.col(foot) +=
        time * scene.rows.wrench(
                 scene.mechanics, state, scene.mode, foot, scene.problem.force, scene.problem);
    }
  }
}

/// A step of Runge-Kutta's method in the present mode.
template <typename Robot>
Trial<Robot> integrate(Scene<Robot> & scene, double time) noexcept
{
  Trial<Robot> trial(scene.state, scene.robot);
  const auto accelerations = [&](const State<Robot> & state, double part)
  {
    const RatesOf<Robot> result = acceleration(scene, state);
    add_forces(scene, state, part * time, trial);
    if (trial.fastest == 0.0)
    {
      trial.fastest = speed(scene, state.rates) + 2.0 * time * speed(scene, scene.free);
    }
    return result;
  };
  trial.state = runge_kutta(scene.state, time, accelerations);
  return trial;
}

/// Returns true if what holds did work in a step, as only jamming does: no step of this length
/// resolves it.
template <typename Robot>
bool jams(Scene<Robot> & scene, const Trial<Robot> & trial) noexcept
{
  update(scene, trial.state);
  return !(trial.work <= weak(scene)) || !(speed(scene, trial.state.rates) <= trial.fastest);
}

/// Returns the friction left to what holds, or the speed of what slides along its first direction.
template <typename Robot>
double margin(
  const Scene<Robot> & scene, const Friction & friction, const Eigen::Vector3d & direction,
  const State<Robot> & state) noexcept
{
  if (friction.sticks)
  {
    const Eigen::Vector3d force = scene.problem.of(friction, scene.problem.force);
    return (scene.problem.radius(friction) - force.norm()) / weak(scene);
  }
  return slip(scene, friction, state).dot(direction) / rest;
}

template <typename Robot>
void watch_foot(
  const Scene<Robot> & scene, const State<Robot> & state, int foot, Watch<Robot> & result) noexcept
{
  const FootMode & mode = scene.mode.feet[foot];
  const auto & corner = scene.rows.corner[foot];
  const bool whole = mode.closed_count() == 4;
  for (int k = 0; k < scene.rows.points(foot); ++k)
  {
    // a sole carries as long as the center of pressure lies within it: each border has a force
    result(4 * foot + k) = !mode.closed[k]
                             ? scene.rows.gap(scene.mechanics, state, foot, k) / gap_tolerance
                             : (scene.problem.force(corner[k]) +
                                (whole ? scene.problem.force(corner[(k + 1) % 4]) : 0.0)) /
                                 weak(scene);
  }
  if (scene.rows.foot_friction[foot] >= 0)
  {
    result(4 * scene.robot.contact_count + foot) =
      margin(scene, scene.problem.frictions[scene.rows.foot_friction[foot]], mode.direction, state);
  }
}

template <typename Robot>
void watch_joint(
  const Scene<Robot> & scene, const State<Robot> & state, int i, Watch<Robot> & result) noexcept
{
  const JointMode & mode = scene.mode.joints[i];
  const int at = 5 * scene.robot.contact_count + 3 * i;
  if (scene.settings.stops)
  {
    result(at) = mode.stop == -1 ? scene.problem.force(scene.rows.stop[i]) / weak(scene)
                                 : (state.q(i) - scene.robot.lower_limits[i]) / gap_tolerance;
    result(at + 1) = mode.stop == 1 ? scene.problem.force(scene.rows.stop[i]) / weak(scene)
                                    : (scene.robot.upper_limits[i] - state.q(i)) / gap_tolerance;
  }
  if (scene.rows.joint_friction[i] >= 0)
  {
    result(at + 2) = margin(
      scene, scene.problem.frictions[scene.rows.joint_friction[i]],
      mode.direction * Eigen::Vector3d::UnitX(), state);
  }
}

/// Returns the numbers that must stay positive for the mode to last, in units of the tolerance.
template <typename Robot>
Watch<Robot> watch(Scene<Robot> & scene, const State<Robot> & state) noexcept
{
  acceleration(scene, state);
  Watch<Robot> result =
    Watch<Robot>::Constant(watched(scene.robot), std::numeric_limits<double>::infinity());
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    watch_foot(scene, state, foot, result);
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    watch_joint(scene, state, i, result);
  }
  return result;
}

/// Returns true if the forces of the mode are possible at the present state.
template <typename Robot>
bool fits_now(Scene<Robot> & scene) noexcept
{
  return watch(scene, scene.state).minCoeff() >= -2.0;
}

/// The least of what was found to be negative at the end of a step.
template <typename Robot>
double least(const Watch<Robot> & values, const Watch<Robot> & end) noexcept
{
  double result = std::numeric_limits<double>::infinity();
  for (int i = 0; i < end.size(); ++i)
  {
    result = end(i) < -1.0 ? std::min(result, values(i)) : result;
  }
  return result;
}

/// Time of the first event within a step, and the state then.
template <typename Robot>
double locate(
  Scene<Robot> & scene, const Watch<Robot> & end, double step, Trial<Robot> & trial) noexcept
{
  // half of what is tolerated: what has an event is beyond doubt, also to who resolves it
  const auto value_of = [&](const State<Robot> & state)
  { return least<Robot>(watch(scene, state), end) + 0.5; };
  double high = step, high_value = least<Robot>(end, end) + 0.5, low = 0.0;
  double low_value = value_of(scene.state);
  // what begins at zero has its event after it became positive
  for (int i = 0; i < 30 && !(low_value > 0.0); ++i)
  {
    const double time = 0.5 * high;
    Trial<Robot> half = integrate(scene, time);
    const double value = value_of(half.state);
    (value > 0.0 ? low : high) = time;
    (value > 0.0 ? low_value : high_value) = value;
    trial = value > 0.0 ? trial : half;
  }
  int side = 0;
  for (int i = 0; i < 60 && high_value < -0.4 && high - low > 1e-15 * step; ++i)
  {
    // regula falsi, the Illinois way
    double time = (low * high_value - high * low_value) / (high_value - low_value);
    time = time > low && time < high && i < 40 ? time : 0.5 * (low + high);
    Trial<Robot> middle = integrate(scene, time);
    const double value = value_of(middle.state);
    if (value < 0.0)
    {
      high = time;
      high_value = value;
      trial = middle;
      low_value *= side == -1 ? 0.5 : 1.0;
      side = -1;
    }
    else
    {
      low = time;
      low_value = value;
      high_value = side == 1 ? std::min(0.5 * high_value, -0.4 - 1e-9) : high_value;
      side = 1;
    }
  }
  return high;
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__EVENTS_HPP_
