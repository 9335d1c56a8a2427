// Contacts of a robot, also of one that has none.
#ifndef ROBCOGEN_ROS__OBSERVER__CONTACTS_HPP_
#define ROBCOGEN_ROS__OBSERVER__CONTACTS_HPP_

#include <Eigen/Core>
#include <type_traits>

#include "robcogen_ros/types.hpp"

namespace robcogen_ros::observer
{

/// How many contacts a robot has.
template <typename Robot, typename = void>
constexpr int contact_count = 0;
template <typename Robot>
constexpr int contact_count<Robot, std::void_t<decltype(Robot::contact_count)>> =
  Robot::contact_count;

/// How many rows they have in all.
template <typename Robot>
constexpr int contact_rows() noexcept
{
  if constexpr (contact_count<Robot> > 0)
  {
    const Contact & last = Robot::contacts[Robot::contact_count - 1];
    return last.first_row + last.rows();
  }
  return 0;
}

/// The rows of a contact as a wrench [n; f] about the origin of its frame, zero where it has none.
///
/// \param contact its number
/// \param rows those of all contacts
template <typename Robot, typename Rows>
typename Robot::Vector6 contact_wrench(int contact, const Eigen::MatrixBase<Rows> & rows) noexcept
{
  const Contact & own = Robot::contacts[contact];
  typename Robot::Vector6 wrench = Robot::Vector6::Zero();
  int row = own.first_row;
  for (int k = 0; k < 6; ++k)
  {
    if (own.fixed[k])
    {
      wrench(k) = rows(row++);
    }
  }
  return wrench;
}

}  // namespace robcogen_ros::observer

#endif  // ROBCOGEN_ROS__OBSERVER__CONTACTS_HPP_
