// Which gaits a robot is able to step in.
#ifndef ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_
#define ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/legged/sizes.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::legged
{

/// Finds the first flat foot that cannot go over the ground without being turned, -1 if there is
/// none.
///
/// A robot leans over the foot that stands, and puts the other one down flat, its trunk level. A
/// leg that moves the sole ahead and aside, but has no joint that turns it back, as one without the
/// roll of an ankle, cannot do that.
///
/// \param posture positions of the joints, the base level
template <typename Robot>
int tilted_foot(
  const Robot & robot, const typename ConstantsOf<Robot>::Type & constants,
  const typename Robot::JointVector & posture) noexcept
{
  using Square = Eigen::Matrix<double, 5, 5>;
  constexpr double missing = 1e-3;  // part of a motion that joints do not make
  const auto rows = [&robot](const auto &... x) { return robot.contact_jacobian(x...); };
  const ContactJacobian<Robot> jacobian = with_constants<Robot>(constants, rows, posture);
  for (int foot = 0; foot < robot.contact_count; ++foot)
  {
    const int first = robot.contacts[foot].first_row;
    Square square = Square::Zero();  // of turns and ways over the ground, by joints
    for (int joint = 6; robot.contacts[foot].rows() == 6 && joint < jacobian.cols(); ++joint)
    {
      const Eigen::Matrix<double, 5, 1> moved = jacobian.col(joint).template segment<5>(first);
      square += moved * moved.transpose();
    }
    const double small = 1e-9 * square.trace();
    Square outside = small * Square::Identity();
    Cholesky<Square> factor;
    if (factor.compute(square + outside))
    {
      factor.solve_in_place(outside);
      if (outside(3, 3) > missing || outside(4, 4) > missing)
      {
        return foot;
      }
    }
  }
  return -1;
}

/// Finds the joint of a leg that is too weak to carry the robot on one of two flat feet, -1 if
/// there is none.
///
/// The robot leans until its center of mass is above the foot, each part of the leg as far as it is
/// below the hip. The foot may carry it at its frame, or up to a fifth of the leg's length from
/// there.
///
/// \param posture positions of the joints, the base level
/// \param share receives what it needs, as a share of its limit
template <typename Robot>
int weak_joint(
  const Robot & robot, const typename ConstantsOf<Robot>::Type & constants,
  const typename Robot::JointVector & posture, double & share) noexcept
{
  constexpr double sole = 0.2;
  const auto call = [&](const auto & function, const auto &... arguments)
  { return with_constants<Robot>(constants, function, arguments...); };
  const auto kinematics = call([&](const auto &... x) { return robot.kinematics(x...); }, posture);
  const ContactJacobian<Robot> jacobian =
    call([&](const auto &... x) { return robot.contact_jacobian(x...); }, posture);
  const Eigen::Vector3d center =
    call([&](const auto &... x) { return robot.center_of_mass(x...); }, posture);
  const auto held = call(
    [&](const auto &... x) { return robot.gravity_torques(x...); }, posture, standard_gravity());
  const double weight = held.base_wrench.template tail<3>().norm();
  int result = -1;
  for (int foot = 0; foot < robot.contact_count; ++foot)
  {
    const Contact & contact = robot.contacts[foot];
    const Eigen::Vector3d way =
      center - kinematics.pose(static_cast<typename Robot::Frame>(contact.frame)).translation();
    const auto turn = [&](int joint) -> Eigen::Vector3d
    { return jacobian.col(6 + joint).template segment<3>(contact.first_row); };
    const auto moves = [&](int joint) -> Eigen::Vector3d
    { return jacobian.col(6 + joint).template segment<3>(contact.first_row + 3); };
    const auto above = [&](int joint) { return turn(joint).cross(moves(joint)).z(); };
    double length = 1e-9;
    for (int joint = 0; joint < robot.joint_count; ++joint)
    {
      length = std::max(length, above(joint));
    }
    for (int joint = 0; joint < robot.joint_count; ++joint)
    {
      const double high = above(joint) / length;
      const double effort =
        held.tau(joint) - weight * (moves(joint).z() + high * turn(joint).cross(way).z());
      const double spared =
        (1.0 - high) * weight * sole * length * turn(joint).template head<2>().norm();
      const double needed = (std::abs(effort) - spared) / robot.effort_limits[joint];
      const bool carries = !moves(joint).isZero() && robot.effort_limits[joint] > 0.0;
      result = carries && needed > std::max(share, 1.0) ? joint : result;
      share = carries ? std::max(share, needed) : share;
    }
  }
  return result;
}

/// Why a robot cannot step in a gait; empty if it can. Not for real time.
///
/// \param posture positions of the joints in which it stands, or zeros where that is not known
template <typename Robot>
std::string step_problem(
  GaitName gait, const Robot & robot, const typename ConstantsOf<Robot>::Type & constants,
  const typename Robot::JointVector & posture)
{
  if (!has_feet_for(gait, robot))
  {
    return "gait: expected stand or walk on two feet, trot, walk or played on four points";
  }
  const int foot = gait == GaitName::stand ? -1 : tilted_foot(robot, constants, posture);
  if (foot >= 0)
  {
    return "gait: expected stand, for no joint keeps the sole '" +
           std::string(robot.contact_names[foot]) +
           "' level as its leg moves it over the ground, as the roll of an ankle does: it cannot "
           "lean over one foot";
  }
  double share = 0.0;
  const bool flat = robot.contact_count == 2 && robot.contacts[0].rows() == 6 &&
                    robot.contacts[1].rows() == 6 && !posture.isZero();
  const int joint =
    gait == GaitName::walk && flat ? weak_joint(robot, constants, posture, share) : -1;
  return joint < 0 ? ""
                   : "gait: expected stand, for joint '" + std::string(robot.joint_names[joint]) +
                       "' would need " + std::to_string(std::lround(100.0 * share)) +
                       " % of its greatest effort where one foot alone carries the robot";
}

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_
