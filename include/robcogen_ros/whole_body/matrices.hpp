// The matrices that whole-body control computes with.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "robcogen_ros/types.hpp"

namespace robcogen_ros::whole_body
{

/// Rows of all contacts of a robot.
template <typename Robot>
constexpr int contact_rows() noexcept
{
  int rows = 0;
  for (const Contact & contact : Robot::contacts)
  {
    rows += contact.rows();
  }
  return rows;
}

/// How many rows describe the forces of a contact that has as many rows itself.
constexpr int cone_rows(int contact_rows) noexcept
{
  return contact_rows == 6 ? 17 : 5;
}

/// How many describe those of all contacts of a robot.
template <typename Robot>
constexpr int cone_rows() noexcept
{
  int rows = 0;
  for (const Contact & contact : Robot::contacts)
  {
    rows += cone_rows(contact.rows());
  }
  return rows;
}

/// Which joints move a contact: those of the legs.
template <typename Robot>
constexpr std::array<bool, Robot::joint_count> leg_joints() noexcept
{
  std::array<bool, Robot::joint_count> result{};
  for (const Contact & contact : Robot::contacts)
  {
    int link = Robot::frame_links[contact.frame];
    for (; link > 0; link = Robot::joint_parents[link - 1])
    {
      result[Robot::joint_coordinates[link - 1]] = true;
    }
  }
  return result;
}

/// Matrices and vectors of a robot, all of one type so that they compile fast: their sizes are
/// known at run time, and each has the room of the greatest. None allocates.
template <typename Robot>
struct Matrices
{
  static constexpr int joints = Robot::joint_count;
  static constexpr int freedoms = 6 + joints;
  static constexpr int rows = contact_rows<Robot>();
  static constexpr int cones = cone_rows<Robot>();
  static constexpr int variables = joints + rows;
  static constexpr int most = std::max(freedoms + 2 * rows, cones);

  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most, most>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_
