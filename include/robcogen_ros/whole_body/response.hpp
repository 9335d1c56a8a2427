// How a robot on its feet answers to joint efforts.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__RESPONSE_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__RESPONSE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/products.hpp"
#include "robcogen_ros/whole_body/matrices.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// A robot at one state, and what efforts do there.
///
/// Variables are the efforts tau of the joints and the accelerations s by which feet in stance
/// leave what they should do, c. By the equation of motion `H a + h = S' tau + J' f` and by `J a +
/// bias = c + s` they give the forces f of the feet and the accelerations a:
///
///     f = forces_of [tau; s] + forces
///     a = accelerations_of [tau; s] + accelerations
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class Response : public Matrices<Robot>
{
public:
  using Base = Matrices<Robot>;
  using Base::Base;
  using Base::freedoms, Base::joints, Base::rows, Base::variables;
  using typename Base::Matrix, typename Base::Vector;
  using Stance = std::array<bool, SizesOf<Robot>::most_contacts>;

  Eigen::Matrix3d base_axes;  ///< rotation from world axes to those of the base
  typename Robot::Kinematics kinematics;
  Matrix jacobian;  ///< (rows, freedoms) of all feet, in stance or not
  Vector bias, velocities;
  Vector support;                        ///< efforts that hold the robot without feet
  typename Robot::Vector6 base_support;  ///< wrench that feet have to give to the base at rest

  Matrix forces_of, accelerations_of;
  Vector forces, accelerations;

  /// Prepares what does not depend on which feet stand.
  void place(const ground::State<Robot> & state, const Settings<Robot> & settings) noexcept
  {
    const Robot & robot = settings.robot;
    const auto call = [&](const auto & function, const auto &... arguments)
    { return with_constants<Robot>(settings.constants, function, arguments...); };
    base_axes = state.orientation.toRotationMatrix().transpose();
    const Eigen::Vector3d gravity = base_axes * settings.gravity;
    kinematics = call([&](const auto &... x) { return robot.kinematics(x...); }, state.q);
    jacobian = call([&](const auto &... x) { return robot.contact_jacobian(x...); }, state.q);
    bias = call(
      [&](const auto &... x) { return robot.contact_bias(x...); }, state.q, state.qd(),
      state.base_velocity());
    velocities = product<Vector>(jacobian, state.rates);
    const auto held =
      call([&](const auto &... x) { return robot.gravity_torques(x...); }, state.q, gravity);
    support = held.tau;
    base_support = held.base_wrench;
  }

  /// Prepares what does: efforts and slips become accelerations and forces. After place().
  void stand(
    const ground::State<Robot> & state, const Stance & stance,
    const Settings<Robot> & settings) noexcept
  {
    push(state, settings);
    const Vector standing = rows_of(stance, settings.robot);
    Matrix held = jacobian;
    scale_rows(held, standing);
    pushed_ = product<Matrix>(inverse_, View(held).transposed());

    // A foot in the air has a row of the identity, and no force. Feet that hold each other in more
    // ways than the robot can move (four feet of two joints each) share by a small compliance.
    Matrix stiffness = Matrix::Zero(rows, rows);
    delassus_ = product<Matrix>(held, pushed_);
    const double compliance = 1e-9 * delassus_.trace();
    for (int i = 0; i < rows; ++i)
    {
      stiffness(i, i) = standing(i);
      delassus_(i, i) += 1.0 - standing(i) + compliance;
    }
    factor_.compute(delassus_);
    factor_.solve_in_place(stiffness);

    forces_of.resize(rows, variables);
    const View of_joints = View(pushed_.bottomRows(joints)).transposed();
    multiply(stiffness, of_joints, forces_of.leftCols(joints), -1.0);
    forces_of.rightCols(rows) = stiffness;
    const Vector wanted = product<Vector>(View(pushed_).transposed(), left_over_) - bias -
                          settings.stance_damping * velocities;
    forces = product<Vector>(stiffness, wanted);
    accelerations_of = product<Matrix>(pushed_, forces_of);
    accelerations_of.leftCols(joints) += inverse_.rightCols(joints);
    accelerations = product<Vector>(pushed_, forces) - product<Vector>(inverse_, left_over_);
  }

  /// Pose of a foot in the base.
  typename Robot::Transform foot(const Contact & contact) const noexcept
  {
    return kinematics.pose(static_cast<typename Robot::Frame>(contact.frame));
  }

  /// 1 in the rows of feet that stand, 0 in the others.
  Vector rows_of(const Stance & stance, const Robot & robot) const noexcept
  {
    Vector result(rows);
    for (int i = 0; i < robot.contact_count; ++i)
    {
      const Contact & contact = robot.contacts[i];
      result.segment(contact.first_row, contact.rows()).setConstant(stance[i] ? 1.0 : 0.0);
    }
    return result;
  }

private:
  /// The inverse inertia, and the forces left over where nothing accelerates.
  void push(const ground::State<Robot> & state, const Settings<Robot> & settings) noexcept
  {
    const Robot & robot = settings.robot;
    const auto call = [&](const auto & function, const auto &... arguments)
    { return with_constants<Robot>(settings.constants, function, arguments...); };
    const typename Robot::JointVector no_qdd = Robot::JointVector::Zero(joints);
    const typename Robot::Vector6 no_acceleration = Robot::Vector6::Zero();
    const ContactVector<Robot> no_forces = ContactVector<Robot>::Zero(rows);
    const Eigen::Vector3d gravity = base_axes * settings.gravity;
    const auto moved = call(
      [&](const auto &... x) { return robot.contact_inverse_dynamics(x...); }, state.q, state.qd(),
      no_qdd, state.base_velocity(), no_acceleration, gravity, no_forces);
    left_over_.resize(freedoms);
    left_over_.head(6) = moved.base_wrench;
    left_over_.tail(joints) = moved.tau;
    inverse_ = call([&](const auto &... x) { return robot.inertia_matrix_inverse(x...); }, state.q);
  }

  Matrix inverse_, pushed_, delassus_;
  Vector left_over_;
  Cholesky<Matrix> factor_;
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__RESPONSE_HPP_
