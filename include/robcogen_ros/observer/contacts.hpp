// Forces of contacts as wrenches.
#ifndef ROBCOGEN_ROS__OBSERVER__CONTACTS_HPP_
#define ROBCOGEN_ROS__OBSERVER__CONTACTS_HPP_

#include <Eigen/Core>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::observer
{

/// The rows of a contact as a wrench [n; f] about the origin of its frame, zero where it has none.
///
/// \param rows those of all contacts
template <typename Rows>
Eigen::Matrix<double, 6, 1> contact_wrench(
  const Contact & own, const Eigen::MatrixBase<Rows> & rows) noexcept
{
  Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();
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
