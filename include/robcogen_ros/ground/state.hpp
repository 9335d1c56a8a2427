// Where a robot with a floating base is, and how it moves.
#ifndef ROBCOGEN_ROS__GROUND__STATE_HPP_
#define ROBCOGEN_ROS__GROUND__STATE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Returns true if all contacts are positions or poses, which feet can be.
template <typename Robot>
constexpr bool contacts_are_feet(const Robot & robot) noexcept
{
  for (const Contact & contact : robot.contacts)
  {
    if (
      !contact.fixed[3] || !contact.fixed[4] || !contact.fixed[5] ||
      !(contact.rows() == 3 || contact.rows() == 6))
    {
      return false;
    }
  }
  return true;
}

/// Position, orientation and motion of a robot in the world.
///
/// \tparam Robot the Traits of a generated robot with a floating base
template <typename Robot>
struct State
{
  using JointVector = typename Robot::JointVector;
  /// Rates of all degrees of freedom, [base; joints], the base's in its own axes.
  using Rates = FreedomVector<Robot>;

  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< of the base's origin [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< world from base
  JointVector q;                                                    ///< [rad or m]
  Rates rates;  ///< [w; v; qd] [rad/s, m/s; rad/s or m/s]

  /// Makes a state at rest in the origin.
  State() noexcept : State(Robot()) {}
  explicit State(const Robot & robot) noexcept
  : q(JointVector::Zero(robot.joint_count)),
    rates(Rates::Zero(robot.joint_count + (robot.floating_base ? 6 : 0)))
  {
  }

  /// Spatial velocity [w; v] of the base in its own axes.
  typename Robot::Vector6 base_velocity() const noexcept { return rates.template head<6>(); }

  /// Velocities of the joints.
  JointVector qd() const noexcept { return rates.tail(q.size()); }

  bool finite() const noexcept
  {
    return position.allFinite() && orientation.coeffs().allFinite() && q.allFinite() &&
           rates.allFinite();
  }

  /// Moves positions by a small displacement of all degrees of freedom, the base's in its axes. The
  /// base keeps its linear velocity in the world.
  void displace(const Rates & by) noexcept
  {
    position += orientation * by.template segment<3>(3);
    const Eigen::Vector3d turn = by.template head<3>();
    const double angle = turn.norm();
    if (angle > 0.0)
    {
      const Eigen::Vector3d v = orientation * rates.template segment<3>(3);
      orientation = orientation * Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle));
      orientation.normalize();
      rates.template segment<3>(3) = orientation.conjugate() * v;
    }
    q += by.tail(q.size());
  }
};

/// Rate of change of a state.
template <typename Robot>
struct Change
{
  using Rates = typename State<Robot>::Rates;

  Eigen::Vector3d position;
  Eigen::Vector4d orientation;  ///< x, y, z, w
  typename Robot::JointVector q;
  Rates rates;  ///< the base's linear one in the world, where its momentum is kept

  /// Takes the change of a state whose rates change by accelerations.
  Change(const State<Robot> & state, const Rates & accelerations) noexcept
  : position(state.orientation * state.rates.template segment<3>(3)),
    orientation(
      0.5 *
      (state.orientation * Eigen::Quaterniond(0.0, state.rates(0), state.rates(1), state.rates(2)))
        .coeffs()),
    q(state.qd()),
    rates(accelerations)
  {
    const Eigen::Vector3d w = state.rates.template head<3>(),
                          v = state.rates.template segment<3>(3);
    rates.template segment<3>(3) =
      state.orientation * (accelerations.template segment<3>(3) + w.cross(v));
  }

  /// Adds another change with a weight.
  Change & add(double weight, const Change & other) noexcept
  {
    position += weight * other.position;
    orientation += weight * other.orientation;
    q += weight * other.q;
    rates += weight * other.rates;
    return *this;
  }

  /// Returns a state after a while of this change.
  State<Robot> after(State<Robot> state, double time) const noexcept
  {
    const Eigen::Vector3d v = state.orientation * state.rates.template segment<3>(3);
    state.position += time * position;
    state.orientation.coeffs() += time * orientation;
    state.orientation.normalize();
    state.q += time * q;
    state.rates += time * rates;
    state.rates.template segment<3>(3) =
      state.orientation.conjugate() * (v + time * rates.template segment<3>(3));
    return state;
  }
};

/// The state after some time, by Runge-Kutta's method of order four.
///
/// \param accelerations of a state, called with the part of the time that it stands for
template <typename Robot, typename Accelerations>
State<Robot> runge_kutta(
  const State<Robot> & start, double time, const Accelerations & accelerations) noexcept
{
  constexpr double parts[] = {0.5, 0.5, 1.0}, weights[] = {2.0, 2.0, 1.0};
  Change<Robot> last(start, accelerations(start, 1.0 / 6.0)), sum = last;
  for (int stage = 0; stage < 3; ++stage)
  {
    const State<Robot> state = last.after(start, parts[stage] * time);
    last = Change<Robot>(state, accelerations(state, weights[stage] / 6.0));
    sum.add(weights[stage], last);
  }
  return sum.after(start, time / 6.0);
}

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__STATE_HPP_
