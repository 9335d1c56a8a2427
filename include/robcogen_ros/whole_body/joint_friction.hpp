// What the friction of joints takes while a robot follows its reference.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__JOINT_FRICTION_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__JOINT_FRICTION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/whole_body/reference.hpp"
#include "robcogen_ros/whole_body/response.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// Speed [rad/s or m/s] from which dry friction is compensated fully.
constexpr double sliding = 0.01;

/// Velocities of the joints with which the trunk moves as its reference, feet that stand rest and
/// the others move as theirs; those of least size.
///
/// \param response placed at the state
template <typename Robot>
typename Robot::JointVector wanted_velocities(
  const Response<Robot> & response, const Reference<Robot> & reference,
  const Robot & robot) noexcept
{
  using Matrix = typename Response<Robot>::Matrix;
  using Vector = typename Response<Robot>::Vector;
  const Eigen::Matrix3d & axes = response.base_axes;
  typename Robot::Vector6 base;
  base << axes * reference.trunk.angular_velocity, axes * reference.trunk.linear_velocity;
  Vector left = product<Vector>(response.jacobian.leftCols(6), base, -1.0);
  for (int i = 0; i < robot.contact_count; ++i)
  {
    const Contact & contact = robot.contacts[i];
    const FootReference & foot = reference.feet[i];
    if (foot.stance)
    {
      continue;
    }
    left.template segment<3>(contact.first_row + contact.rows() - 3) +=
      axes * foot.motion.linear_velocity;
    if (contact.rows() == 6)
    {
      left.template segment<3>(contact.first_row) += axes * foot.motion.angular_velocity;
    }
  }
  const auto legs = response.jacobian.rightCols(robot.joint_count);
  Matrix squares = product<Matrix>(View(legs).transposed(), legs);
  squares.diagonal().array() += 1e-6 * (1e-12 + squares.trace());
  Vector result = product<Vector>(View(legs).transposed(), left);
  Cholesky<Matrix> factor;
  factor.compute(squares);
  factor.solve_in_place(result);
  return result;
}

/// Efforts that the model's friction of the joints takes at velocities, where it is no part of the
/// dynamics; at most half of what a joint can give.
template <typename Robot>
typename Robot::JointVector joint_friction(
  const typename Robot::JointVector & velocities, const Settings<Robot> & settings) noexcept
{
  const Robot & robot = settings.robot;
  typename Robot::JointVector result = Robot::JointVector::Zero(robot.joint_count);
  for (int i = 0; i < robot.joint_count && settings.compensate_friction; ++i)
  {
    const double most = 0.5 * settings.effort_limits(i);
    const double viscous = robot.damping_in_dynamics ? 0.0 : robot.damping[i] * velocities(i);
    const double dry =
      robot.friction_in_dynamics ? 0.0 : robot.friction[i] * std::tanh(velocities(i) / sliding);
    result(i) = std::clamp(viscous + dry, -most, most);
  }
  return result;
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__JOINT_FRICTION_HPP_
