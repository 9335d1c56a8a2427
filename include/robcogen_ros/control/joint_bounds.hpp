// Accelerations that keep joints within their limits, and the efforts that see to it.
#ifndef ROBCOGEN_ROS__CONTROL__JOINT_BOUNDS_HPP_
#define ROBCOGEN_ROS__CONTROL__JOINT_BOUNDS_HPP_

#include <algorithm>
#include <cmath>

#include "robcogen_ros/control/limits.hpp"

namespace robcogen_ros::control
{

/// Efforts that brake joints before their limits of position and velocity.
///
/// Towards a limit a joint accelerates by at most `r^2 distance - 2 r velocity`, the motion of a
/// critically damped spring that rests at the limit, and by at most `2 r (greatest velocity -
/// velocity)`. Efforts of joints that would do more are corrected as those of contacts are, one
/// multiplier a joint, by projected Gauss-Seidel on H^-1 (Cottle, Pang, Stone 1992, chapter 5).
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class JointBounds
{
public:
  using JointVector = typename Robot::JointVector;

  explicit JointBounds(const Robot & robot) noexcept : limits_(robot), own_(limits_) {}

  /// Widens the limits to the position at which the robot is found.
  void widen(const JointVector & position) noexcept
  {
    limits_ = own_;
    limits_.lower = limits_.lower.cwiseMin(position);
    limits_.upper = limits_.upper.cwiseMax(position);
  }

  /// Efforts to add [N m or N].
  ///
  /// \param q, qd positions and velocities
  /// \param qdd accelerations without them
  /// \param inverse that of the joint-space inertia
  /// \param rate r [1/s]; 0: no limit is minded
  template <typename Matrix>
  JointVector efforts(
    const JointVector & q, const JointVector & qd, const JointVector & qdd, const Matrix & inverse,
    double rate) const noexcept
  {
    const Eigen::Index n = q.size();
    JointVector added = JointVector::Zero(n);
    if (!(rate > 0.0))
    {
      return added;
    }
    constexpr int sweeps = 50;
    constexpr double accuracy = 1e-9;
    JointVector left = qdd;
    for (int sweep = 0; sweep < sweeps; ++sweep)
    {
      double change = 0.0;
      for (Eigen::Index i = 0; i < n; ++i)
      {
        const double own = left(i) - inverse(i, i) * added(i);
        const double wanted = std::clamp(own, least(i, q, qd, rate), most(i, q, qd, rate));
        const double step = (wanted - own) / inverse(i, i) - added(i);
        added(i) += step;
        left += step * inverse.col(i);
        change = std::max(change, std::abs(step) * inverse(i, i));
      }
      if (!(change > accuracy))
      {
        break;
      }
    }
    return added;
  }

private:
  double most(
    Eigen::Index i, const JointVector & q, const JointVector & qd, double rate) const noexcept
  {
    return std::min(
      rate * rate * (limits_.upper(i) - q(i)) - 2.0 * rate * qd(i),
      2.0 * rate * (limits_.velocity(i) - qd(i)));
  }
  double least(
    Eigen::Index i, const JointVector & q, const JointVector & qd, double rate) const noexcept
  {
    return std::max(
      rate * rate * (limits_.lower(i) - q(i)) - 2.0 * rate * qd(i),
      2.0 * rate * (-limits_.velocity(i) - qd(i)));
  }

  Limits<Robot> limits_, own_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__JOINT_BOUNDS_HPP_
