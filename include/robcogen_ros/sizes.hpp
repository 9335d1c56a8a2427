// Sizes of a robot's vectors and matrices, known to the compiler or at run time only.
#ifndef ROBCOGEN_ROS__SIZES_HPP_
#define ROBCOGEN_ROS__SIZES_HPP_

#include <Eigen/Core>
#include <type_traits>

#include "robcogen_ros/types.hpp"

namespace robcogen_ros
{

/// True if sizes of a robot are known at run time only; it then says how large they may be.
template <typename Robot, typename = void>
constexpr bool sized_at_run_time = false;
template <typename Robot>
constexpr bool sized_at_run_time<Robot, std::void_t<decltype(Robot::most_joints)>> = true;

/// True if the type of a robot says that it has contacts.
template <typename Robot, typename = void>
constexpr bool has_contacts = false;
template <typename Robot>
constexpr bool has_contacts<Robot, std::void_t<decltype(&Robot::contact_count)>> = true;

/// Returns the number of contacts of a robot.
template <typename Robot>
constexpr int contact_count([[maybe_unused]] const Robot & robot) noexcept
{
  if constexpr (has_contacts<Robot>)
  {
    return robot.contact_count;
  }
  return 0;
}

/// Returns the number of rows of all contacts of a robot.
template <typename Robot>
constexpr int contact_rows([[maybe_unused]] const Robot & robot) noexcept
{
  int rows = 0;
  if constexpr (has_contacts<Robot>)
  {
    for (const Contact & contact : robot.contacts)
    {
      rows += contact.rows();
    }
  }
  return rows;
}

/// Sizes of the types of a robot, Eigen::Dynamic where they are known at run time only, and the
/// greatest that they can be; whether its base may float, and may be fixed.
template <typename Robot, bool at_run_time = sized_at_run_time<Robot>>
struct SizesOf
{
  static constexpr bool may_float = Robot::floating_base, may_be_fixed = !may_float;
  static constexpr int joints = Robot::joint_count, most_joints = joints;
  static constexpr int freedoms = joints + (Robot::floating_base ? 6 : 0), most_freedoms = freedoms;
  static constexpr int contacts = contact_count(Robot{}), most_contacts = contacts;
  static constexpr int rows = contact_rows(Robot{}), most_rows = rows;
};
template <typename Robot>
struct SizesOf<Robot, true>
{
  static constexpr bool may_float = true, may_be_fixed = true;
  static constexpr int any = Eigen::Dynamic;
  static constexpr int joints = any, most_joints = Robot::most_joints;
  static constexpr int freedoms = any, most_freedoms = most_joints + 6;
  static constexpr int contacts = any, most_contacts = Robot::most_contacts;
  static constexpr int rows = any, most_rows = 6 * most_contacts;
};

/// A matrix with room for the greatest sizes: none is allocated.
template <int rows, int columns, int most_rows, int most_columns>
using MatrixWithin = Eigen::Matrix<
  double, rows, columns, rows == 1 && columns != 1 ? Eigen::RowMajor : Eigen::ColMajor, most_rows,
  most_columns>;

/// Vector of `size` numbers, or as many as are known at run time, at most `most`: none is
/// allocated. Room comes in steps of 256, so that there are few types, which compile fast.
template <int size, int most>
using VectorWithin =
  Eigen::Matrix<double, size, 1, 0, size == Eigen::Dynamic ? (most + 255) / 256 * 256 : size, 1>;

/// A number of each degree of freedom, of the base first.
template <typename Robot>
using FreedomVector = VectorWithin<SizesOf<Robot>::freedoms, SizesOf<Robot>::most_freedoms>;

/// A number of each row of the contacts.
template <typename Robot>
using ContactVector = VectorWithin<SizesOf<Robot>::rows, SizesOf<Robot>::most_rows>;

/// Rows of the contacts by degrees of freedom.
template <typename Robot>
using ContactJacobian = MatrixWithin<
  SizesOf<Robot>::rows, SizesOf<Robot>::freedoms, SizesOf<Robot>::most_rows,
  SizesOf<Robot>::most_freedoms>;

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIZES_HPP_
