// What holds a robot keeps it where it is.
#ifndef ROBCOGEN_ROS__GROUND__HOLD_HPP_
#define ROBCOGEN_ROS__GROUND__HOLD_HPP_

#include <Eigen/Core>

#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// Finds the distance of a foot from where it sticks.
template <typename Robot>
void misplaced(Scene<Robot> & scene, int foot) noexcept
{
  const FootMode & mode = scene.mode.feet[foot];
  const bool rolls = scene.settings.feet[foot].is_ball();
  if (scene.rows.foot_friction[foot] < 0 || rolls || mode.rubbing != Rubbing::sticking)
  {
    return;
  }
  const Friction & friction = scene.problem.frictions[scene.rows.foot_friction[foot]];
  if (friction.sticks)
  {
    const Eigen::Vector3d off = scene.axes * (place_of(scene, foot) - mode.anchor);
    scene.problem.b.template segment<2>(friction.first) = off.template head<2>();
    if (friction.size == 3)
    {
      scene.problem.b(friction.first + 2) =
        mode.arm * scene.axes.row(2).dot(mode.heading.cross(heading_of(scene, foot)));
    }
  }
}

/// Counts impulses that were just solved for.
template <typename Robot>
void add_impulses(Scene<Robot> & scene, const Mode<Robot> & all) noexcept
{
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    if (all.feet[foot].touches())
    {
      scene.impulses.col(foot) += scene.rows.wrench(
        scene.mechanics, scene.state, all, foot, scene.problem.force, scene.problem);
    }
  }
}

/// Puts what is held back to where it is held, and takes the velocity out of it by impulses that
/// count.
template <typename Robot>
void project(Scene<Robot> & scene, bool sticking) noexcept
{
  if (!scene.state.finite())
  {
    return;
  }
  update(scene, scene.state);
  scene.rows.gather(scene.mechanics, scene.state, scene.mode, scene.problem);
  if (scene.rows.bias.size() == 0)
  {
    return;
  }
  scene.rows.couple(scene.mechanics, scene.problem);
  scene.problem.carries = scene.problem.normal;
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    Friction & friction = scene.problem.frictions[i];
    friction.sticks = friction.sticks && sticking;
    friction.bound = 0.0;
    friction.direction *= sticking ? 1.0 : 0.0;
  }
  scene.problem.b = gaps(scene, scene.mode);
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    misplaced(scene, foot);
  }
  scene.problem.solve_known();
  scene.state.displace(scene.rows.response(scene.mechanics, scene.problem.force));
  if (sticking)
  {
    scene.problem.b = row_rates(scene, scene.state);
    scene.problem.solve_known();
    add_impulses(scene, scene.mode);
    scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  }
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__HOLD_HPP_
