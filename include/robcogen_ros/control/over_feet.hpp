// Where a trunk may be asked to go while feet stand.
#ifndef ROBCOGEN_ROS__CONTROL__OVER_FEET_HPP_
#define ROBCOGEN_ROS__CONTROL__OVER_FEET_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/placement.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::control
{

/// Moves a trunk's reference on, so that the feet that stand can follow it.
///
/// The robot counts as a linear inverted pendulum, `a = w^2 (c - p)`, whose capture point
/// `c + v / w` is to come to rest where it is asked for, and whose center of pressure p has to be
/// within the feet (Englsberger, Ott, Roa, Albu-Schaeffer, Hirzinger 2011, "Bipedal walking control
/// based on Capture Point dynamics"). What is asked for and can be followed stays as it is.
///
/// \param at where the robot is
/// \param base position of its base now
/// \param last reference of the cycle before
/// \param step time since then [s]
/// \param trunk what is asked for, then what can be followed
/// \return whether these differ by what the feet cannot do
template <typename Robot>
bool keep_over_feet(
  const legged::Placement<Robot> & at,
  const std::array<bool, legged::Placement<Robot>::feet> & stands, const Eigen::Vector3d & base,
  const whole_body::Motion & last, double step, whole_body::Motion & trunk) noexcept
{
  constexpr double share = 0.9;         // of the feet that capture points keep to
  constexpr double longest_step = 0.1;  // [s]
  constexpr double much = 1e-3;         // that the feet cannot do [m]
  const auto feet = at.support(stands);
  if (feet.size() < 3)
  {
    return false;
  }
  const double w = at.pendulum.rate;
  const Eigen::Vector2d to_center = at.pendulum.center - base.head<2>();
  const Eigen::Vector2d center = last.position.head<2>() + to_center;
  const Eigen::Vector2d velocity = last.linear_velocity.head<2>();
  Eigen::Vector2d goal = trunk.position.head<2>() + to_center;
  Eigen::Vector2d speed = trunk.linear_velocity.head<2>();
  Eigen::Vector2d change = trunk.linear_acceleration.head<2>();
  const Eigen::Vector2d asked = goal + speed / w, kept = feet.scaled(share).closest(asked);
  const bool far = (kept - asked).norm() > much;
  const bool near =  // far from there the trunk would pass its goal
    (goal - center).norm() < 0.02 && (speed - velocity).norm() < 0.02 * w;
  if (!far && near && feet.margin(goal - change / (w * w)) > 0.0)
  {
    return false;
  }
  if (feet.margin(center + velocity / w) <= 0.0)  // nothing that feet can do keeps it there
  {
    return false;
  }
  if (far)
  {
    goal = kept;
    speed.setZero();
    change.setZero();
  }
  change += 2.0 * w * (speed - velocity) + w * w * (goal - center);
  const Eigen::Vector2d pressed = center - change / (w * w), borne = feet.closest(pressed);
  change = w * w * (center - borne);
  const double time = std::clamp(step, 0.0, longest_step);
  trunk.linear_acceleration.head<2>() = change;
  trunk.linear_velocity.head<2>() = velocity + time * change;
  trunk.position.head<2>() = last.position.head<2>() + time * trunk.linear_velocity.head<2>();
  return far || (pressed - borne).norm() > much;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__OVER_FEET_HPP_
