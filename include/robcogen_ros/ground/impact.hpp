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

/// Returns the change of the kinetic energy by impulses, of rows that had velocities before.
template <typename Robot>
double kinetic_change(const Scene<Robot> & scene, const RowValues<Robot> & before) noexcept
{
  return 0.5 * scene.problem.force.dot(before + scene.problem.motion);
}

/// Brings forces into their cones, of which they may be out by rounding.
template <int most>
void confine(ConeProblem<most> & problem) noexcept
{
  for (int row = 0; row < problem.size(); ++row)
  {
    double & force = problem.force(row);
    force = problem.normal[row] ? std::max(problem.least(row), force) : force;
  }
  for (int i = 0; i < problem.friction_count; ++i)
  {
    const Friction & friction = problem.frictions[i];
    const Eigen::Vector3d force = problem.of(friction, problem.force);
    const double r = problem.radius(friction), length = force.norm();
    problem.set(friction, (length > r ? r / length : 1.0) * force, problem.force);
  }
  problem.find_motion();
}

/// Returns true if the problem has impulses in their cones that take energy away; finds them.
template <typename Robot>
bool dissipates(Scene<Robot> & scene, bool found) noexcept
{
  const RowValues<Robot> & before = scene.problem.b;
  confine(scene.problem);
  return found && kinetic_change(scene, before) <= 1e-12 * before.squaredNorm() * scene.weight;
}

/// Finds impulses that take energy away. Where there are none that fit, the nearest in their cones
/// are taken, and if these add energy, some without friction, which never do.
template <typename Robot>
void find_impulses(Scene<Robot> & scene) noexcept
{
  if (dissipates(scene, scene.problem.solve()))
  {
    return;
  }
  ++scene.counters.unsettled;
  scene.problem.relax();
  if (dissipates(scene, true))
  {
    return;
  }
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    scene.problem.frictions[i].coefficient = 0.0;
    scene.problem.frictions[i].bound = 0.0;
  }
  scene.problem.relax();
}

/// Restitution: normal impulses of feet that hit grow by a part of themselves, as far as energy
/// does not rise by it.
template <typename Robot>
void restitute(Scene<Robot> & scene) noexcept
{
  const RowValues<Robot> plastic_force = scene.problem.force, before = scene.problem.b;
  double e = scene.settings.plane.restitution;
  for (int i = 0; i < 7 && e > 0.0; ++i, e *= 0.7)
  {
    bool bounces = false;
    for (int foot = 0; foot < scene.robot.contact_count; ++foot)
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
    if (!bounces || dissipates(scene, scene.problem.solve()))
    {
      return;
    }
  }
  scene.problem.force = plastic_force;
}

/// Impulses of all that touches.
template <typename Robot>
void collide(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  Mode<Robot> all = touching(scene, std::numeric_limits<double>::infinity());
  with(scene, all, false);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.problem.b = row_rates(scene, scene.state);
  find_impulses(scene);
  restitute(scene);
  add_impulses(scene, all);
  scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  scene.fresh = false;
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__IMPACT_HPP_
