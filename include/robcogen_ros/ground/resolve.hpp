// Which contacts carry, stick and slide after an event.
#ifndef ROBCOGEN_ROS__GROUND__RESOLVE_HPP_
#define ROBCOGEN_ROS__GROUND__RESOLVE_HPP_

#include <Eigen/Core>
#include <cmath>

#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// Takes over what was found. Returns whether feet touch with fewer corners then.
template <typename Robot>
bool take(Scene<Robot> & scene, Mode<Robot> & mode) noexcept
{
  bool changed = false;
  const double still = 1e-7 * scene.settings.gravity.norm() + 1e-12;
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    FootMode & of = mode.feet[foot];
    bool whole = of.closed_count() == 4;
    for (int k = 0; k < 4; ++k)
    {
      const int row = scene.rows.corner[foot][k];
      whole = whole && row >= 0 && std::abs(scene.problem.motion(row)) <= still;
    }
    for (int k = 0; k < 4; ++k)
    {
      const int row = scene.rows.corner[foot][k];
      const bool closed = row >= 0 && (whole || scene.problem.carries[row]);
      changed = changed || (of.closed[k] && !closed && scene.rows.points(foot) == 4);
      of.closed[k] = closed;
      of.pushes(k) = closed ? scene.problem.force(row) : 0.0;
    }
    const int index = scene.rows.foot_friction[foot];
    const bool rubs = of.touches() && index >= 0;
    of.rubbing = !rubs                                   ? Rubbing::none
                 : scene.problem.frictions[index].sticks ? Rubbing::sticking
                                                         : Rubbing::sliding;
    of.direction = rubs ? scene.problem.frictions[index].direction : Eigen::Vector3d::Zero();
    of.holds.setZero();
    if (rubs)
    {
      of.holds = scene.problem.of(scene.problem.frictions[index], scene.problem.force);
    }
  }
  for (int i = 0; i < scene.robot.joint_count; ++i)
  {
    JointMode & of = mode.joints[i];
    of.stop = scene.rows.stop[i] >= 0 && scene.problem.carries[scene.rows.stop[i]] ? of.stop : 0;
    of.push = of.stop != 0 ? scene.problem.force(scene.rows.stop[i]) : 0.0;
    const int index = scene.rows.joint_friction[i];
    of.rubbing = index < 0                               ? Rubbing::none
                 : scene.problem.frictions[index].sticks ? Rubbing::sticking
                                                         : Rubbing::sliding;
    of.direction = index < 0 ? 0.0 : scene.problem.frictions[index].direction.x();
    of.hold = index < 0 ? 0.0 : scene.problem.force(scene.problem.frictions[index].first);
  }
  return changed;
}

/// Makes a mode the present one. Feet that begin to stick do so where they are.
template <typename Robot>
void adopt(Scene<Robot> & scene, const Mode<Robot> & found) noexcept
{
  const Mode<Robot> before = scene.mode;
  scene.mode = found;
  for (int foot = 0; foot < scene.robot.contact_count; ++foot)
  {
    FootMode & mode = scene.mode.feet[foot];
    const FootMode & old = before.feet[foot];
    shape(scene, foot);
    const bool stays = mode.rubbing == Rubbing::sticking && old.rubbing == Rubbing::sticking &&
                       mode.closed == old.closed;
    if (stays)
    {
      mode.anchor = old.anchor;
      mode.heading = old.heading;
    }
    else if (mode.rubbing == Rubbing::sticking)
    {
      mode.anchor = place_of(scene, foot);
      mode.heading = heading_of(scene, foot);
    }
  }
  scene.fresh = true;
}

/// Finds which contacts carry, stick and slide. False if no set of them is consistent.
template <typename Robot>
bool resolve(Scene<Robot> & scene) noexcept
{
  update(scene, scene.state);
  Mode<Robot> found = touching(scene, 1e2 * rest);
  for (int round = 0; round < 4; ++round)
  {
    with(scene, found);
    scene.rows.couple(scene.mechanics, scene.problem);
    scene.rows.recall(found, scene.problem);
    const RatesOf<Robot> free = free_acceleration(scene, scene.state);
    scene.problem.b = product<RowValues<Robot>>(scene.rows.jacobian, free) + scene.rows.bias;
    for (int i = 0; i < scene.problem.friction_count; ++i)
    {
      Friction & friction = scene.problem.frictions[i];
      const Eigen::Vector3d u = slip(scene, friction, scene.state);
      friction.moves = u.norm() > rest;
      friction.direction = friction.moves ? u.normalized() : Eigen::Vector3d::Zero().eval();
    }
    if (!scene.problem.solve())
    {
      return false;
    }
    if (!take(scene, found))
    {
      adopt(scene, found);
      return true;
    }
  }
  adopt(scene, found);
  return true;
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__RESOLVE_HPP_
