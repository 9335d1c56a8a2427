// Efforts that hold a robot on its feet against gravity when nothing better is known.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__SUPPORT_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__SUPPORT_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/whole_body/command.hpp"
#include "robcogen_ros/whole_body/response.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// Damping of the joints, no stronger than a control cycle of some milliseconds can follow: limits
/// of efforts in files, of which it is a share, may be far from what a light leg needs.
template <typename Robot>
typename Robot::JointVector gentle_damping(
  const ground::State<Robot> & state, const Settings<Robot> & settings) noexcept
{
  constexpr double fastest_decay = 100.0;  // [1/s]
  const auto inverse = with_constants<Robot>(
    settings.constants,
    [&](const auto &... x) { return settings.robot.inertia_matrix_inverse(x...); }, state.q);
  typename Robot::JointVector result = settings.joint_damping;
  for (int i = 0; i < settings.robot.joint_count; ++i)
  {
    result(i) = std::min(result(i), fastest_decay / inverse(6 + i, 6 + i));
  }
  return result;
}

/// Commands gravity compensation with damped joints: the least forces of the feet that touch the
/// ground which carry the robot, kept from pulling and in their friction cones.
///
/// \param response placed at the state
template <typename Robot>
void hold(
  const Response<Robot> & response, const ground::State<Robot> & state,
  const typename Response<Robot>::Stance & closed, const Settings<Robot> & settings,
  Command<Robot> & command) noexcept
{
  using Matrix = typename Response<Robot>::Matrix;
  using Vector = typename Response<Robot>::Vector;
  Matrix held = response.jacobian.leftCols(6);
  scale_rows(held, response.rows_of(closed, settings.robot));
  Matrix normal_equations = product<Matrix>(View(held).transposed(), held);
  normal_equations.diagonal().array() += 1e-9 * (1.0 + normal_equations.trace());
  Vector share = response.base_support;
  Cholesky<Matrix> factor;
  factor.compute(normal_equations);
  factor.solve_in_place(share);
  Vector forces = product<Vector>(held, share);
  const Eigen::Vector3d normal = response.base_axes * settings.ground_normal.normalized();
  for (const Contact & contact : settings.robot.contacts)
  {
    const int linear = contact.first_row + contact.rows() - 3;
    const Eigen::Vector3d force = forces.template segment<3>(linear);
    const double pressure = normal.dot(force);
    const Eigen::Vector3d along = force - pressure * normal;
    if (pressure <= 0.0)
    {
      forces.segment(contact.first_row, contact.rows()).setZero();
    }
    else if (along.norm() > settings.friction * pressure)
    {
      forces.template segment<3>(linear) =
        pressure * (normal + settings.friction * along.normalized());
    }
  }
  command.forces = forces;
  const int joints = settings.robot.joint_count;
  const auto damping = gentle_damping(state, settings);
  for (int i = 0; i < joints; ++i)
  {
    const double borne = dot(response.rows, &response.jacobian(0, 6 + i), forces.data());
    const double limit = settings.effort_limits(i);
    const double effort = response.support(i) - borne - damping(i) * state.rates(6 + i);
    command.efforts(i) = std::clamp(effort, -limit, limit);
  }
  command.accelerations.setZero();
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__SUPPORT_HPP_
