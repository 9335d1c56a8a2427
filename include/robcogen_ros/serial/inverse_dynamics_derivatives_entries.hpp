/// \file
/// The entries of the derivatives of a serial chain's inverse dynamics, its joints side by side.
///
/// Each joint of a chain carries or is carried by every other one, so the derivatives by positions
/// and velocities have no zeros to leave out; of the inertia matrix, the upper triangle is told.
#ifndef ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_ENTRIES_HPP_
#define ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_ENTRIES_HPP_

#include "robcogen_ros/serial/inverse_dynamics_derivatives.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

/// The derivatives of the inverse dynamics by positions and velocities, and the upper triangle of
/// those by accelerations, each of them column by column.
///
/// \tparam table the chain's numbers, a `Tree`
template <const auto & table, int joints>
static void inverse_dynamics_derivatives_entries(
  const double * q, const double * qd, const double * qdd, const double * gravity,
  double * dtau_dq_entries, double * dtau_dqd_entries, double * dtau_dqdd_entries) noexcept
{
  double inertia[joints * joints];
  inverse_dynamics_derivatives<table, joints>(
    q, qd, qdd, gravity, dtau_dq_entries, dtau_dqd_entries, inertia);
  for (int j = 0; j < joints; ++j)
  {
    for (int i = 0; i <= j; ++i)
    {
      *dtau_dqdd_entries++ = inertia[j * joints + i];
    }
  }
}

#else

/// Named by code that calls it for no type.
template <const auto & table, int joints>
void inverse_dynamics_derivatives_entries(
  const double * q, const double * qd, const double * qdd, const double * gravity,
  double * dtau_dq_entries, double * dtau_dqd_entries, double * dtau_dqdd_entries) noexcept;

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_ENTRIES_HPP_
