// Which gaits a robot is able to step in.
#ifndef ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_
#define ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_

#include <Eigen/Core>
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

/// Why a robot cannot step in a gait; empty if it can. Not for real time.
///
/// \param posture positions of the joints in which it stands, or zeros
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
  if (foot < 0)
  {
    return "";
  }
  return "gait: expected stand, for no joint keeps the sole '" +
         std::string(robot.contact_names[foot]) +
         "' level as its leg moves it over the ground, as the roll of an ankle does: it cannot "
         "lean over one foot";
}

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__CAN_STEP_HPP_
