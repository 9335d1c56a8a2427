// Steps by impulses, which always exist.
#ifndef ROBCOGEN_ROS__GROUND__MOREAU_HPP_
#define ROBCOGEN_ROS__GROUND__MOREAU_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/ground/impact.hpp"
#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// Lifts feet out of the plane and joints out of their stops, and lets none of them in.
template <typename Robot>
void lift(Scene<Robot> & scene) noexcept
{
  constexpr double reach = 0.01;  // of what may come down by that
  for (int round = 0; round < 4; ++round)
  {
    Mode<Robot> near = within(scene, reach);
    with(scene, near, false);
    const RowValues<Robot> above = gaps(scene, near);
    if (above.size() == 0 || above.minCoeff() >= -gap_tolerance)
    {
      break;
    }
    scene.rows.couple(scene.mechanics, scene.problem);
    scene.problem.b = above;
    for (int i = 0; i < scene.problem.friction_count; ++i)
    {
      scene.problem.frictions[i].moves = true;
      scene.problem.frictions[i].direction.setZero();
    }
    scene.problem.solve();
    scene.state.displace(scene.rows.response(scene.mechanics, scene.problem.force));
    update(scene, scene.state);
  }
  scene.state.q = within_stops(scene, scene.state.q);
  update(scene, scene.state);
}

/// Impulses over some time of what a mode holds.
template <typename Robot>
void solve_over(Scene<Robot> & scene, Mode<Robot> & mode, double time) noexcept
{
  with(scene, mode);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.problem.b = row_rates(scene, scene.state);
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    scene.problem.frictions[i].bound *= time;
    scene.problem.frictions[i].moves = false;
  }
  find_impulses(scene);
}

/// Linear momentum in the world.
template <typename Robot>
Eigen::Vector3d momentum(const Scene<Robot> & scene) noexcept
{
  const auto rows = scene.mechanics.inertia.template middleRows<3>(3);
  return scene.state.orientation * product<Eigen::Vector3d>(rows, scene.state.rates);
}

/// A step of Moreau's method: a flight, then impulses for the time of it, at what is below the
/// plane then. They move it half as far as if they had begun the flight, as a constant force does.
template <typename Robot>
void step_by_impulses(Scene<Robot> & scene, double time) noexcept
{
  update(scene, scene.state);
  scene.state = runge_kutta(
    scene.state, time,
    [&](const State<Robot> & state, double) { return free_acceleration(scene, state); });
  update(scene, scene.state);
  const Eigen::Vector3d before = momentum(scene);
  Mode<Robot> near = within(scene, 10.0 * gap_tolerance);
  solve_over(scene, near, time);
  scene.state.displace(0.5 * time * scene.rows.response(scene.mechanics, scene.problem.force));
  update(scene, scene.state);
  lift(scene);
  scene.state.rates.template segment<3>(3) += scene.state.orientation.conjugate() *
                                              (before - momentum(scene)) /
                                              scene.mechanics.inertia(5, 5);
  Mode<Robot> also = within(scene, 10.0 * gap_tolerance);
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    for (int k = 0; k < 4; ++k)
    {
      also.feet[foot].closed[k] = also.feet[foot].closed[k] || near.feet[foot].closed[k];
    }
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    also.joints[i].stop = also.joints[i].stop != 0 ? also.joints[i].stop : near.joints[i].stop;
  }
  solve_over(scene, also, time);
  add_impulses(scene, also);
  scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    FootMode & mode = scene.mode.feet[foot];
    for (int k = 0; k < 4; ++k)
    {
      const int row = scene.rows.corner[foot][k];
      mode.closed[k] = row >= 0 && scene.problem.force(row) > 0.0;
    }
    mode.rubbing = Rubbing::none;
  }
  scene.fresh = false;
}

/// Time in which what moves so slowly that it may be at rest comes to rest, or zero if all is: what
/// touches, and what slides and turned about, or creeps.
template <typename Robot>
double easing_time(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  Mode<Robot> mode = touching(scene, 1e2 * rest);
  with(scene, mode);
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.rows.recall(mode, scene.problem);
  scene.problem.force = scene.problem.near;
  double result = 0.0;
  const RowValues<Robot> u = row_rates(scene, scene.state);
  for (int row = 0; row < u.size(); ++row)
  {
    if (scene.problem.normal[row] && std::abs(u(row)) > 1e-2 * rest)
    {
      result = std::max(result, std::abs(u(row)) / (scene.settings.gravity.norm() + 1e-3));
    }
  }
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    const Friction & friction = scene.problem.frictions[i];
    const Eigen::Vector3d v = slip(scene, friction, scene.state);
    const bool back = v.dot(friction.direction) < 0.0;
    if (v.norm() > 1e-2 * rest && v.norm() <= (back ? halting : creeping))
    {
      const double r =
        std::max(scene.problem.radius(friction), friction.coefficient * 0.1 * scene.weight);
      result = std::max(result, v.norm() / (r * scene.problem.trace(friction)));
    }
  }
  return 2.0 * result;
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__MOREAU_HPP_
