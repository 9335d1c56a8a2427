// Control laws in the space of a tool.
#ifndef ROBCOGEN_ROS__CONTROL__TASK_LAW_HPP_
#define ROBCOGEN_ROS__CONTROL__TASK_LAW_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>

#include "robcogen_ros/control/angles.hpp"
#include "robcogen_ros/control/efforts.hpp"
#include "robcogen_ros/control/joint_bounds.hpp"
#include "robcogen_ros/control/task_inertia.hpp"
#include "robcogen_ros/control/task_reference.hpp"
#include "robcogen_ros/control/tool.hpp"
#include "robcogen_ros/products.hpp"

namespace robcogen_ros::control
{

/// Parameters of the control of a tool, as they are for a robot.
template <typename Robot>
struct TaskSettings : EffortSettings<Robot>
{
  using JointVector = typename Robot::JointVector;
  using Parameters = parameters::TaskSpaceController;

  bool shapes_inertia;  ///< mode motion: gains are accelerations
  bool in_tool_axes;
  Vector6 stiffness, damping;
  double damping_ratio, mass_limit, arm;
  TaskBounds bounds;
  std::optional<JointVector> posture;
  double posture_stiffness, posture_damping, limit_rate;
  JointVector effort_rates;  ///< [N m/s or N/s]

  /// \throws std::invalid_argument if a list has a wrong length
  explicit TaskSettings(const Parameters & given, const Robot & robot = Robot())
  : EffortSettings<Robot>(given, robot),
    shapes_inertia(given.mode == "motion"),
    in_tool_axes(given.axes == "tool"),
    stiffness(given.stiffness.data()),
    damping(given.damping.data()),
    damping_ratio(given.damping_ratio),
    mass_limit(given.apparent_mass_limit),
    arm(given.characteristic_length),
    bounds(given),
    posture_stiffness(given.posture_stiffness),
    posture_damping(given.posture_damping),
    limit_rate(given.limit_rate),
    effort_rates(JointVector::Constant(robot.joint_count, parameters::endless))
  {
    if (!given.posture.empty())
    {
      posture = parameters::per_joint<JointVector>("posture", given.posture, robot.joint_count);
    }
    effort_rates =
      parameters::per_joint("effort_rate_limits", given.effort_rate_limits, effort_rates);
  }
};

/// Results of a law of a tool.
struct TaskReport
{
  Vector6 error = Vector6::Zero();   ///< from the tool to its target [rad, m]
  Vector6 wrench = Vector6::Zero();  ///< of the task, on the robot at the tool [N m, N]
  double apparent_mass = 0.0;        ///< the greatest in any direction, without a bound [kg]
  int damped = 0;                    ///< in how many directions it is bounded
};

/// Efforts that move a tool to its target.
///
/// With `C qd + g` the forces of velocity and weight, J and `Jd qd` of the tool, its bounded
/// inertia L (TaskInertia), the error e (a rotation vector before the way) and the twist v:
///
///     impedance   f = K e + D (v_r - v) - L Jd qd,  D = z D_1(K, L) + D_0
///     motion      f = L (K e + D (v_r - v) - Jd qd),  D = 2 z K^(1/2) + D_0
///     efforts     C qd + g + J' (f + f_r) + (1 - J' L J H^-1) H a + friction
///     posture     a = k (q_0 - q) - d qd
///
/// (Khatib 1987, equations 23 to 51; Albu-Schaeffer, Ott, Hirzinger 2003.) The posture moves no
/// tool where L is not bounded. Where it is, it does: so joints that move the tool have no spring
/// (k is zero) unless they are more than six. Friction is that at the motion `H^-1 J' L v_r` of the
/// joints which move the tool. Efforts that keep joints within limits (JointBounds) come on top.
///
/// It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot one that is known at run time, on a fixed base; needs `inverse_dynamics`,
///   `inertia_matrix_inverse` and `kinematics`
template <typename Robot>
class TaskLaw : public BoundedEfforts<Robot>
{
public:
  using JointVector = typename Robot::JointVector;

  explicit TaskLaw(const TaskSettings<Robot> & settings) noexcept
  : BoundedEfforts<Robot>(settings), settings_(settings)
  {
  }

  /// Efforts without limits [N m or N], gravity's among them.
  ///
  /// \param q, qd positions and velocities of joints [rad or m, rad/s or m/s]
  /// \param tool how the tool moves there
  /// \param posture where joints are to be as far as the tool allows it
  JointVector efforts(
    const JointVector & q, const JointVector & qd, const ToolMotion<Robot> & tool,
    const TaskReference & reference, const JointVector & posture, const JointBounds<Robot> & bounds,
    TaskReport & report) const noexcept
  {
    const Robot & robot = settings_.dynamics.robot;
    const auto inverse = robot.inertia_matrix_inverse(q);
    const View jacobian(tool.jacobian);
    using Columns = MatrixWithin<SizesOf<Robot>::joints, 6, SizesOf<Robot>::most_joints, 6>;
    const Columns yielding = product<Columns>(View(inverse), jacobian.transposed());
    const TaskInertia inertia(
      product<Matrix6>(jacobian, View(yielding)), settings_.mass_limit, settings_.arm);
    report.error = error(tool.pose, reference.target());
    report.apparent_mass = inertia.apparent_mass();
    report.damped = inertia.damped();
    report.wrench = wrench(tool, reference, inertia, report.error);

    const JointVector tends = tendency(q, qd, tool, posture);
    const Vector6 force =
      report.wrench + reference.wrench() - inertia.times(product<Vector6>(jacobian, View(tends)));
    const JointVector qdd = tends + product<JointVector>(View(yielding), View(force));
    JointVector moving =
      product<JointVector>(View(yielding), View(inertia.times(reference.twist())));
    for (Eigen::Index i = 0; i < moving.size(); ++i)
    {
      moving(i) = tool.jacobian.col(i).isZero() ? 0.0 : moving(i);
    }
    return settings_.dynamics.efforts(q, qd, tends) +
           product<JointVector>(jacobian.transposed(), View(force)) + this->lost(moving) +
           bounds.efforts(q, qd, qdd, inverse, settings_.limit_rate);
  }

private:
  /// Returns the acceleration of joints to the posture that the tool allows.
  JointVector tendency(
    const JointVector & q, const JointVector & qd, const ToolMotion<Robot> & tool,
    const JointVector & posture) const noexcept
  {
    JointVector pull = wrapped(settings_.dynamics.robot, JointVector(posture - q));
    Eigen::Index moving = 0;
    for (Eigen::Index i = 0; i < pull.size(); ++i)
    {
      moving += tool.jacobian.col(i).isZero() ? 0 : 1;
    }
    for (Eigen::Index i = 0; moving <= 6 && i < pull.size(); ++i)
    {
      pull(i) = tool.jacobian.col(i).isZero() ? pull(i) : 0.0;
    }
    return settings_.posture_stiffness * pull - settings_.posture_damping * qd;
  }

  static Vector6 error(const Pose & from, const Pose & to) noexcept
  {
    Vector6 result;
    result << turn_between(from.orientation, to.orientation), to.position - from.position;
    return result;
  }

  Vector6 wrench(
    const ToolMotion<Robot> & tool, const TaskReference & reference, const TaskInertia & inertia,
    const Vector6 & error) const noexcept
  {
    const Matrix6 stiffness = turned(settings_.stiffness, tool);
    const Vector6 slip = reference.twist() - tool.twist;
    if (settings_.shapes_inertia)
    {
      const Vector6 rates =
        2.0 * settings_.damping_ratio * settings_.stiffness.cwiseSqrt() + settings_.damping;
      return inertia.times(stiffness * error + turned(rates, tool) * slip - tool.drift);
    }
    const Matrix6 damping =
      settings_.damping_ratio * inertia.damping(stiffness) + turned(settings_.damping, tool);
    return stiffness * error + damping * slip - inertia.times(tool.drift);
  }

  /// Gains of six axes in those of the base frame.
  Matrix6 turned(const Vector6 & gains, const ToolMotion<Robot> & tool) const noexcept
  {
    Matrix6 result = gains.asDiagonal();
    if (settings_.in_tool_axes)
    {
      const Eigen::Matrix3d axes = tool.pose.orientation.toRotationMatrix();
      result.topLeftCorner<3, 3>() = axes * gains.head<3>().asDiagonal() * axes.transpose();
      result.bottomRightCorner<3, 3>() = axes * gains.tail<3>().asDiagonal() * axes.transpose();
    }
    return result;
  }

  const TaskSettings<Robot> & settings_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TASK_LAW_HPP_
