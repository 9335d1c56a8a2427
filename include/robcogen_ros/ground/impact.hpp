// Impulses of feet that hit the ground, and of joints that hit their stops.
#ifndef ROBCOGEN_ROS__GROUND__IMPACT_HPP_
#define ROBCOGEN_ROS__GROUND__IMPACT_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "robcogen_ros/ground/hold.hpp"
#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// What impulses change of the kinetic energy, of rows that had velocities before.
template <typename Robot>
double kinetic_change(const Scene<Robot> & scene, const RowValues<Robot> & before) noexcept
{
  return 0.5 * scene.problem.force.dot(before + scene.problem.motion);
}

/// Finds impulses that take energy away. Where there are none with friction, they have none: then
/// there are always such.
template <typename Robot>
void find_impulses(Scene<Robot> & scene) noexcept
{
  const RowValues<Robot> before = scene.problem.b;
  const double small = 1e-12 * before.squaredNorm() * scene.weight;
  if (scene.problem.solve() && kinetic_change(scene, before) <= small)
  {
    return;
  }
  ++scene.counters.unsettled;
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    scene.problem.frictions[i].coefficient = 0.0;
  }
  scene.problem.solve();
}

/// Restitution: normal impulses of feet that hit grow by a part of themselves, as far as energy
/// does not rise by it.
template <typename Robot>
void restitute(Scene<Robot> & scene) noexcept
{
  const RowValues<Robot> plastic_force = scene.problem.force, before = scene.problem.b;
  double e = scene.settings.plane.restitution;
  for (int i = 0; i < 8 && e > 0.0; ++i, e = i < 7 ? 0.7 * e : 0.0)
  {
    bool bounces = false;
    scene.problem.least.setZero();
    for (int foot = 0; foot < Robot::contact_count; ++foot)
    {
      for (int k = 0; k < 4; ++k)
      {
        const int row = scene.rows.corner[foot][k];
        if (row >= 0 && before(row) < -plastic)
        {
          scene.problem.least(row) = (1.0 + e) * plastic_force(row);
          bounces = true;
        }
      }
    }
    if (!bounces)
    {
      return;
    }
    if (
      scene.problem.solve() &&
      kinetic_change(scene, before) <= 1e-12 * before.squaredNorm() * scene.weight)
    {
      return;
    }
  }
  if (scene.settings.plane.restitution > 0.0)
  {
    scene.problem.least.setZero();
    scene.problem.solve();
  }
}

/// Impulses of all that touches.
template <typename Robot>
void collide(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  Mode<Robot> all = touching(scene, std::numeric_limits<double>::infinity());
  with(scene, all, false);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.problem.b = scene.rows.jacobian * scene.state.rates;
  find_impulses(scene);
  restitute(scene);
  add_impulses(scene, all);
  scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  scene.fresh = false;
}

/// Lifts feet out of the plane.
template <typename Robot>
void lift(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  scene.mode = {};
  for (int foot = 0; foot < Robot::contact_count; ++foot)
  {
    for (int k = 0; k < scene.rows.points(foot); ++k)
    {
      scene.mode.feet[foot].closed[k] = scene.rows.gap(scene.mechanics, scene.state, foot, k) < 0.0;
    }
    shape(scene, foot);
  }
  project(scene, false);
}

/// A step of Moreau's method: impulses over the step, which always exist. What they push touches.
template <typename Robot>
void step_by_impulses(Scene<Robot> & scene, double time) noexcept
{
  ++scene.counters.unsettled;
  update(scene, scene.state);
  const RatesOf<Robot> accelerated =
    scene.state.rates + time * free_acceleration(scene, scene.state);
  Mode<Robot> near = within(scene, time * (1.0 + accelerated.norm()));
  with(scene, near);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.problem.b = scene.rows.jacobian * accelerated + gaps(scene, near).cwiseMax(0.0) / time;
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    scene.problem.frictions[i].bound *= time;
    scene.problem.frictions[i].sticks = true;
  }
  find_impulses(scene);
  add_impulses(scene, near);
  const RowValues<Robot> pushes = scene.problem.force;
  const auto corners = scene.rows.corner;
  scene.state.rates = accelerated + scene.rows.response(scene.mechanics, scene.problem.force);
  scene.state = Change<Robot>(scene.state, RatesOf<Robot>::Zero()).after(scene.state, time);
  scene.state.q = within_stops(scene, scene.state.q);
  lift(scene);
  collide(scene);
  for (int foot = 0; foot < Robot::contact_count; ++foot)
  {
    for (int k = 0; k < 4; ++k)
    {
      const bool pushed = corners[foot][k] >= 0 && pushes(corners[foot][k]) > 0.0;
      scene.mode.feet[foot].closed[k] = scene.mode.feet[foot].closed[k] || pushed;
    }
  }
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__IMPACT_HPP_
