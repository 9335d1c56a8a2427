/// \file
/// The derivatives of the inverse dynamics of a serial chain, its joints side by side.
#ifndef ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_
#define ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_

#include "robcogen_ros/fetch_ahead.hpp"
#include "robcogen_ros/serial/entries.hpp"

namespace robcogen_ros::serial
{

#ifdef ROBCOGEN_JOINTS_SIDE_BY_SIDE

/// The derivatives of the inverse dynamics by positions, velocities and accelerations, each of them
/// column-major.
///
/// \tparam table the chain's numbers, a `Tree`
template <const auto & table, int joints>
static void inverse_dynamics_derivatives(
  const double * q, const double * qd, const double * qdd, const double * gravity, double * dtau_dq,
  double * dtau_dqd, double * dtau_dqdd) noexcept
{
  Slopes slopes;
  find_slopes<table, joints>(q, qd, qdd, gravity, slopes);
  put_entries<table, joints>(slopes, dtau_dq, dtau_dqd, dtau_dqdd);
}

#else

/// Named by code that calls it for no type.
template <const auto & table, int joints>
void inverse_dynamics_derivatives(
  const double * q, const double * qd, const double * qdd, const double * gravity, double * dtau_dq,
  double * dtau_dqd, double * dtau_dqdd) noexcept;

#endif  // ROBCOGEN_JOINTS_SIDE_BY_SIDE

}  // namespace robcogen_ros::serial

#endif  // ROBCOGEN_ROS__SERIAL__INVERSE_DYNAMICS_DERIVATIVES_HPP_
