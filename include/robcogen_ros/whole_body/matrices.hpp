// The matrices that whole-body control computes with.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::whole_body
{

/// Number of rows that describe the forces of a contact of `contact_rows` rows.
constexpr int cone_rows(int contact_rows) noexcept
{
  return contact_rows == 6 ? 17 : 5;
}

/// Number of rows that describe the forces of all contacts of a robot.
template <typename Robot>
constexpr int cone_rows(const Robot & robot) noexcept
{
  int rows = 0;
  for (const Contact & contact : robot.contacts)
  {
    rows += cone_rows(contact.rows());
  }
  return rows;
}

/// Matrices and vectors of a robot, all of one type so that they compile fast: their sizes are
/// known at run time, and each has the room of the greatest. None allocates.
template <typename Robot>
struct Matrices
{
  using Sizes = SizesOf<Robot>;
  static constexpr int most =
    std::max(Sizes::most_freedoms + 2 * Sizes::most_rows, 17 * Sizes::most_contacts);

  int joints, freedoms, rows, cones, variables;

  explicit Matrices(const Robot & robot) noexcept
  : joints(robot.joint_count),
    freedoms(6 + joints),
    rows(contact_rows(robot)),
    cones(cone_rows(robot)),
    variables(joints + rows)
  {
  }

  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most, most>;
  using Vector = VectorWithin<Eigen::Dynamic, most>;
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__MATRICES_HPP_
