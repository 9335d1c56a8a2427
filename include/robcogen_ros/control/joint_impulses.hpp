// Velocity changes in one step by what takes energy away: damping, dry friction, stops of joints.
#ifndef ROBCOGEN_ROS__CONTROL__JOINT_IMPULSES_HPP_
#define ROBCOGEN_ROS__CONTROL__JOINT_IMPULSES_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/products.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// Friction of joints, and whether they stop at their position limits.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
struct Dissipation
{
  using JointVector = typename Robot::JointVector;

  JointVector damping;   ///< viscous friction [N m s/rad, N s/m]
  JointVector friction;  ///< dry friction [N m, N]
  bool stops = true;

  /// Takes the model's numbers, whether or not its dynamics contain friction.
  explicit Dissipation(const Robot & robot) noexcept
  : damping(Eigen::Map<const JointVector>(robot.damping, robot.joint_count)),
    friction(Eigen::Map<const JointVector>(robot.friction, robot.joint_count))
  {
  }

  bool valid() const noexcept
  {
    return damping.allFinite() && friction.allFinite() && (damping.array() >= 0.0).all() &&
           (friction.array() >= 0.0).all();
  }

  /// Returns true if there is friction.
  bool present() const noexcept { return !damping.isZero(0.0) || !friction.isZero(0.0); }
};

/// Impulses of damping, dry friction and stops on a robot in one step.
///
/// Damping is integrated implicitly, weighted so that a single damped joint slows down exactly
/// exponentially; it stays stable however strong it is. Dry friction stops a joint and keeps it
/// where it is as long as it can; at a stop a joint does not bounce.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class JointImpulses
{
public:
  using JointVector = typename Robot::JointVector;
  using Rates = FreedomVector<Robot>;
  using Inertia = MatrixWithin<
    SizesOf<Robot>::freedoms, SizesOf<Robot>::freedoms, SizesOf<Robot>::most_freedoms,
    SizesOf<Robot>::most_freedoms>;

  /// \param rates any of the robot
  explicit JointImpulses(const Rates & rates) noexcept
  : early_(rates), low_(rates), high_(rates), found_(Rates::Zero(rates.size()))
  {
  }

  /// Prepares a step; false if the inertia is none.
  ///
  /// \param before rates at its start
  /// \param blocked_below, blocked_above of a joint: whether it is at that stop
  template <typename Below, typename Above>
  bool prepare(
    const Inertia & inertia, const Rates & before, double step,
    const Dissipation<Robot> & dissipation, const Below & blocked_below,
    const Above & blocked_above) noexcept
  {
    constexpr double endless = std::numeric_limits<double>::infinity();
    inertia_ = later_ = inertia;
    const auto joints = static_cast<int>(dissipation.damping.size());
    const auto base = static_cast<int>(before.size()) - joints;
    early_.setZero();
    low_.setZero();
    high_.setZero();
    for (int i = 0; i < joints; ++i)
    {
      const int k = base + i;
      const double damping = step * dissipation.damping(i);
      const double late = damping * late_weight(damping / inertia(k, k));
      later_(k, k) += late;
      early_(k) = (damping - late) * before(k);
      low_(k) = blocked_above(i) ? -endless : -step * dissipation.friction(i);
      high_(k) = blocked_below(i) ? endless : step * dissipation.friction(i);
    }
    found_ = allowed(found_);
    if (!factor_.compute(later_))
    {
      return false;
    }
    response_.setIdentity(before.size(), before.size());
    factor_.solve_in_place(response_);
    return true;
  }

  /// Rates at the end of the step, from what they would be without all this.
  Rates after(const Rates & free) noexcept
  {
    const Rates pushed = product<Rates>(inertia_, free) - early_ + found_;
    Rates rates = product<Rates>(response_, pushed);
    const Rates wanted = found_ - rates.cwiseQuotient(response_.diagonal());
    if ((allowed(wanted).array() != found_.array()).any())
    {
      settle(rates);
    }
    return rates;
  }

private:
  /// Impulses within what friction and stops can give.
  Rates allowed(const Rates & impulses) const noexcept
  {
    return impulses.cwiseMax(low_).cwiseMin(high_);
  }

  /// Projected Gauss-Seidel: each impulse brings its joint to rest as far as it may.
  void settle(Rates & rates) noexcept
  {
    constexpr int sweeps = 50;
    const auto n = static_cast<int>(rates.size());
    const double tolerance = 1e-11 * (1.0 + rates.template lpNorm<Eigen::Infinity>());
    for (int sweep = 0; sweep < sweeps; ++sweep)
    {
      double change = 0.0;
      for (int i = 0; i < n; ++i)
      {
        const double own = response_(i, i);
        const double impulse = std::clamp(found_(i) - rates(i) / own, low_(i), high_(i));
        const double push = impulse - found_(i);
        add_multiple(n, push, &response_(0, i), rates.data());
        change = std::max(change, std::abs(push) * own);
        found_(i) = impulse;
      }
      if (change <= tolerance)
      {
        return;
      }
    }
  }

  /// The weight of the later velocity with which the step's decay is exactly exp(-rate).
  static double late_weight(double rate) noexcept
  {
    constexpr double slowest = 1e-6;  // below it is a half, to eight digits
    const double z = std::max(rate, slowest);
    return -1.0 / std::expm1(-z) - 1.0 / z;
  }

  Inertia inertia_, later_, response_;
  Cholesky<Inertia> factor_;
  Rates early_, low_, high_;
  Rates found_;  ///< impulses of dry friction and stops
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__JOINT_IMPULSES_HPP_
