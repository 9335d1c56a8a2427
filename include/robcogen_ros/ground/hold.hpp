// What holds a robot keeps it where it is.
#ifndef ROBCOGEN_ROS__GROUND__HOLD_HPP_
#define ROBCOGEN_ROS__GROUND__HOLD_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// How far a foot is from where it sticks.
template <typename Robot>
void misplaced(Scene<Robot> & scene, int foot) noexcept
{
  const FootMode & mode = scene.mode.feet[foot];
  const bool rolls = !scene.settings.feet[foot].flat() && Robot::contacts[foot].rows() == 6;
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

/// Puts what is held back to where it is held, and takes the velocity out of it.
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
    friction.direction.setZero();
  }
  scene.problem.b = gaps(scene, scene.mode);
  for (int foot = 0; foot < Robot::contact_count; ++foot)
  {
    misplaced(scene, foot);
  }
  scene.problem.solve_known();
  scene.state.displace(scene.rows.response(scene.mechanics, scene.problem.force));
  if (sticking)
  {
    scene.problem.b = scene.rows.jacobian * scene.state.rates;
    scene.problem.solve_known();
    scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  }
}

/// Counts impulses that were just solved for.
template <typename Robot>
void add_impulses(Scene<Robot> & scene, const Mode<Robot> & all) noexcept
{
  for (int foot = 0; foot < Robot::contact_count; ++foot)
  {
    if (all.feet[foot].touches())
    {
      scene.impulses.col(foot) += scene.rows.wrench(
        scene.mechanics, scene.state, all, foot, scene.problem.force, scene.problem);
    }
  }
}

/// Brings to rest what slides so slowly that it may stick: what turned about, or creeps. From rest
/// it sticks, or slides where all that rubs lets it; the direction of creeping changes faster than
/// any step could follow. The impulses are the ground's; dry friction of joints leaves open what is
/// its part of them, and then none are counted.
template <typename Robot>
void halt(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  scene.rows.gather(scene.mechanics, scene.state, scene.mode, scene.problem);
  bool halts = false;
  for (int i = 0; i < scene.problem.friction_count; ++i)
  {
    Friction & friction = scene.problem.frictions[i];
    const Values<3> u = slip(scene, friction, scene.state);
    const bool back = u.dot(friction.direction.head(friction.size)) < 0.0;
    const bool slow = !friction.sticks && u.norm() <= (back ? halting : creeping);
    friction.sticks = friction.sticks || slow;
    friction.direction.setZero();
    halts = halts || slow;
  }
  if (halts)
  {
    scene.rows.couple(scene.mechanics, scene.problem);
    scene.problem.carries = scene.problem.normal;
    scene.problem.b = scene.rows.jacobian * scene.state.rates;
    scene.problem.solve_known();
    const auto & rubbing = scene.rows.joint_friction;
    if (std::none_of(rubbing.begin(), rubbing.end(), [](int index) { return index >= 0; }))
    {
      add_impulses(scene, scene.mode);
    }
    scene.state.rates += scene.rows.response(scene.mechanics, scene.problem.force);
  }
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__HOLD_HPP_
