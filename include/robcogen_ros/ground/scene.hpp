// A robot, the ground, and what holds the one on the other.
#ifndef ROBCOGEN_ROS__GROUND__SCENE_HPP_
#define ROBCOGEN_ROS__GROUND__SCENE_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <utility>

#include "robcogen_ros/ground/cone_problem.hpp"
#include "robcogen_ros/ground/mode.hpp"
#include "robcogen_ros/ground/rows.hpp"
#include "robcogen_ros/ground/settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/joint_friction.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Counts of events since the robot was placed.
struct Counters
{
  int impacts = 0;
  int switches = 0;   ///< feet and joints that began to stick, to slide or to lift off
  int unsettled = 0;  ///< steps of Moreau's method, where no set of contacts was consistent
};

/// Rates of all degrees of freedom.
template <typename Robot>
using RatesOf = typename State<Robot>::Rates;

/// A number of each row.
template <typename Robot>
using RowValues = Values<Rows<Robot>::most>;

/// Wrenches on the feet, or their impulses, a foot a column.
template <typename Robot>
using Impulses = MatrixWithin<6, SizesOf<Robot>::contacts, 6, SizesOf<Robot>::most_contacts>;

constexpr double gap_tolerance = 1e-10;  ///< of feet that touch [m]
constexpr double rest = 1e-8;            ///< speed of what is at rest [m/s, rad/s]
constexpr double plastic = 1e-3;         ///< speed below which nothing bounces [m/s]
constexpr double halting = 1e-3;         ///< speed of sliding that may turn about [m/s, rad/s]
constexpr double creeping = 1e-5;        ///< speed of sliding that is not told from rest

/// A robot, the ground, and what holds the one on the other at the moment.
template <typename Robot>
struct Scene
{
  const Settings<Robot> settings;
  const Robot & robot;
  const Eigen::Matrix3d axes;  ///< ground axes from world axes
  double weight = 1.0;         ///< of the robot, by which forces are small [N]
  State<Robot> state;
  Mode<Robot> mode;
  bool fresh = false;  ///< whether the mode is that of the present state
  Counters counters;
  typename Robot::JointVector effort;
  /// Inertia added to joints that their damping stops within a step: see `damp` [kg m^2, kg].
  typename Robot::JointVector added;
  typename Robot::Wrenches external;
  RatesOf<Robot> free;       ///< accelerations if nothing held, the last found
  Impulses<Robot> impulses;  ///< of the step until now, world axes
  Mechanics<Robot> mechanics;
  Rows<Robot> rows;
  typename Rows<Robot>::Problem problem;

  explicit Scene(const Settings<Robot> & given) noexcept
  : settings(given),
    robot(settings.robot),
    axes(given.plane.axes()),
    state(robot),
    effort(state.q),
    added(Robot::JointVector::Zero(robot.joint_count)),
    external(Robot::Wrenches::Zero(6, robot.link_count)),
    free(state.rates),
    impulses(Impulses<Robot>::Zero(6, robot.contact_count)),
    rows(settings)
  {
    const auto inertia = [&](const auto &... x) { return robot.inertia_matrix(x...); };
    const double mass = with_constants<Robot>(settings.constants, inertia, state.q)(5, 5);
    weight = mass * settings.gravity.norm() + 1e-3;
  }

  Scene(const Scene &) = delete;
  Scene & operator=(const Scene &) = delete;
};

/// Returns the velocity of each row.
template <typename Robot>
RowValues<Robot> row_rates(const Scene<Robot> & scene, const State<Robot> & state) noexcept
{
  return product<RowValues<Robot>>(scene.rows.jacobian, state.rates);
}

template <typename Robot>
double weak(const Scene<Robot> & scene) noexcept
{
  return 1e-9 * scene.weight;
}

template <typename Robot>
void update(Scene<Robot> & scene, const State<Robot> & state) noexcept
{
  scene.mechanics.update(scene.settings, scene.added, state, scene.axes);
}

template <typename Robot>
typename Robot::JointVector within_stops(
  const Scene<Robot> & scene, typename Robot::JointVector q) noexcept
{
  for (int i = 0; i < scene.robot.joint_count && scene.settings.stops; ++i)
  {
    q(i) = std::clamp(q(i), scene.robot.lower_limits[i], scene.robot.upper_limits[i]);
  }
  return q;
}

/// Gives joints that their damping would stop sooner than in some steps, too soon for an explicit
/// method, so much inertia that it takes as long, about their own axes. Where damping and efforts
/// balance, the motion is as without.
template <typename Robot>
void damp(Scene<Robot> & scene, double step) noexcept
{
  constexpr double steps = 1.5;  // of fingers, three light joints in a row, still stable
  scene.added.setZero();
  update(scene, scene.state);
  const int freedoms = 6 + scene.robot.joint_count;
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    if (const double damping = scene.settings.damping(i); damping > 0.0)
    {
      RatesOf<Robot> unit = RatesOf<Robot>::Unit(freedoms, 6 + i);
      scene.mechanics.factor.solve_lower(unit.data());
      scene.added(i) = std::max(0.0, steps * step * damping - 1.0 / unit.squaredNorm());
    }
  }
}

/// Accelerations without contacts, stops and dry friction, with the added inertia.
template <typename Robot>
RatesOf<Robot> free_acceleration(const Scene<Robot> & scene, const State<Robot> & state) noexcept
{
  using JointVector = typename Robot::JointVector;
  const bool adds = !scene.added.isZero(0.0);
  const JointVector qd = state.qd(), drag = scene.settings.damping.cwiseProduct(qd);
  const JointVector effort =
    without_friction(scene.robot, adds ? scene.effort : JointVector(scene.effort - drag), qd);
  const Eigen::Vector3d gravity = state.orientation.conjugate() * scene.settings.gravity;
  const auto found = with_constants<Robot>(
    scene.settings.constants, [&](const auto &... x) { return scene.robot.forward_dynamics(x...); },
    state.q, qd, effort, state.base_velocity(), gravity, scene.external);
  RatesOf<Robot> result(state.rates.size());
  std::copy_n(
    found.qdd.data(), state.q.size(),
    std::copy_n(found.base_acceleration.data(), 6, result.data()));
  if (adds)
  {
    RatesOf<Robot> less = RatesOf<Robot>::Zero(result.size());
    less.tail(qd.size()) = drag + scene.added.cwiseProduct(result.tail(qd.size()));
    scene.mechanics.factor.solve_in_place(less);
    result -= less;
  }
  return result;
}

/// Length of rates in the metric of the inertia: the root of twice the kinetic energy.
template <typename Robot>
double speed(const Scene<Robot> & scene, const RatesOf<Robot> & rates) noexcept
{
  return scene.mechanics.factor.length(rates.data());
}

/// Velocity of rows that rub, zero beyond them.
template <typename Robot>
Eigen::Vector3d slip(
  const Scene<Robot> & scene, const Friction & friction, const State<Robot> & state) noexcept
{
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  for (int i = 0; i < friction.size && i < 3; ++i)
  {
    result(i) = scene.rows.jacobian.row(friction.first + i).dot(state.rates);
  }
  return result;
}

/// Lets friction oppose the velocity where something slides, as long as it slides onwards.
template <typename Robot>
void turn_to_sliding(
  const Scene<Robot> & scene, Friction & friction, const State<Robot> & state) noexcept
{
  const Eigen::Vector3d u = slip(scene, friction, state);
  const double fast = std::max(rest, friction.slow);
  if (!friction.sticks && u.dot(friction.direction) > fast)
  {
    friction.direction = u.normalized();
  }
}

/// Forces of what the mode holds, and the accelerations with them.
template <typename Robot>
RatesOf<Robot> acceleration(Scene<Robot> & scene, const State<Robot> & state) noexcept
{
  update(scene, state);
  scene.rows.gather(scene.mechanics, state, scene.mode, scene.problem);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.rows.recall(scene.mode, scene.problem);
  scene.free = free_acceleration(scene, state);
  scene.problem.b = product<RowValues<Robot>>(scene.rows.jacobian, scene.free) + scene.rows.bias;
  scene.problem.carries = scene.problem.normal;
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    turn_to_sliding(scene, scene.problem.frictions[i], state);
  }
  scene.problem.solve_known();
  return scene.free + scene.rows.response(scene.mechanics, scene.problem.force);
}

/// The mode slides whither it slides at the present state, that of the last rows.
template <typename Robot>
void aim(Scene<Robot> & scene) noexcept
{
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    const int index = scene.rows.foot_friction[foot];
    if (index >= 0)
    {
      scene.mode.feet[foot].direction = scene.problem.frictions[index].direction;
    }
  }
}

/// Returns the place where the friction of a foot acts, in the world.
template <typename Robot>
Eigen::Vector3d place_of(const Scene<Robot> & scene, int foot) noexcept
{
  return scene.state.position +
         scene.state.orientation *
           (scene.mechanics.pose(scene.robot.contacts[foot]).translation() +
            scene.rows.reference(scene.mechanics, scene.mode.feet[foot], foot));
}

template <typename Robot>
Eigen::Vector3d heading_of(const Scene<Robot> & scene, int foot) noexcept
{
  const Eigen::Vector3d x =
    scene.state.orientation * scene.mechanics.pose(scene.robot.contacts[foot]).rotation().col(0);
  const Eigen::Vector3d flat = x - scene.axes.row(2).transpose() * scene.axes.row(2).dot(x);
  return flat.norm() > 1e-3 ? Eigen::Vector3d(flat.normalized()) : Eigen::Vector3d::Zero();
}

/// Finds the place where the friction of a foot acts, and its arm, by which corners are closed.
template <typename Robot>
void shape(Scene<Robot> & scene, int foot) noexcept
{
  FootMode & mode = scene.mode.feet[foot];
  mode.reference.setZero();
  mode.arm = 0.0;
  const Foot & form = scene.settings.feet[foot];
  const int count = mode.closed_count();
  if (!form.flat() || count == 0)
  {
    return;
  }
  for (int k = 0; k < 4; ++k)
  {
    mode.reference += mode.closed[k] ? Eigen::Vector3d(form.sole.col(k) / count)
                                     : Eigen::Vector3d(Eigen::Vector3d::Zero());
  }
  for (int k = 0; k < 4; ++k)
  {
    mode.arm += mode.closed[k] ? (form.sole.col(k) - mode.reference).norm() / count : 0.0;
  }
}

/// Gaps of the corners and stops that have rows, zero for other rows; the mode is that of the rows.
template <typename Robot>
RowValues<Robot> gaps(const Scene<Robot> & scene, const Mode<Robot> & mode) noexcept
{
  RowValues<Robot> result = RowValues<Robot>::Zero(scene.rows.bias.size());
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    for (int k = 0; k < 4; ++k)
    {
      const int row = scene.rows.corner[foot][k];
      if (row >= 0)
      {
        result(row) = scene.rows.gap(scene.mechanics, scene.state, foot, k);
      }
    }
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    if (scene.rows.stop[i] >= 0)
    {
      const double q = scene.state.q(i);
      result(scene.rows.stop[i]) =
        mode.joints[i].stop < 0 ? q - scene.robot.lower_limits[i] : scene.robot.upper_limits[i] - q;
    }
  }
  return result;
}

/// Rows of another mode; feet take the shape of their closed corners.
template <typename Robot>
void with(Scene<Robot> & scene, Mode<Robot> & mode, bool joints_rub = true) noexcept
{
  std::swap(scene.mode, mode);
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    shape(scene, foot);
  }
  scene.rows.gather(scene.mechanics, scene.state, scene.mode, scene.problem, joints_rub);
  std::swap(scene.mode, mode);
}

/// A mode without what moves apart faster than a speed.
template <typename Robot>
Mode<Robot> separated(Scene<Robot> & scene, Mode<Robot> mode, double speed) noexcept
{
  with(scene, mode);
  const RowValues<Robot> u = row_rates(scene, scene.state);
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    for (int k = 0; k < 4; ++k)
    {
      const int row = scene.rows.corner[foot][k];
      mode.feet[foot].closed[k] = row >= 0 && u(row) <= speed;
    }
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    const bool apart = scene.rows.stop[i] >= 0 && u(scene.rows.stop[i]) > speed;
    mode.joints[i].stop = apart ? 0 : mode.joints[i].stop;
  }
  return mode;
}

/// Corners and stops that are no further away than a distance, all of which stick.
template <typename Robot>
Mode<Robot> within(const Scene<Robot> & scene, double distance) noexcept
{
  Mode<Robot> found = scene.mode;
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    FootMode & mode = found.feet[foot];
    mode.rubbing = Rubbing::sticking;
    for (int k = 0; k < scene.rows.points(foot); ++k)
    {
      mode.closed[k] = scene.rows.gap(scene.mechanics, scene.state, foot, k) <= distance;
    }
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    const double above = scene.state.q(i) - scene.robot.lower_limits[i];
    const double below = scene.robot.upper_limits[i] - scene.state.q(i);
    JointMode & mode = found.joints[i];
    mode.rubbing = Rubbing::sticking;
    mode.stop = above <= below ? -1 : 1;
    mode.stop = scene.settings.stops && std::min(above, below) <= distance ? mode.stop : 0;
  }
  return found;
}

/// All that touches and does not move apart faster than a speed.
template <typename Robot>
Mode<Robot> touching(Scene<Robot> & scene, double speed) noexcept
{
  return separated(scene, within(scene, 10.0 * gap_tolerance), speed);
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__SCENE_HPP_
