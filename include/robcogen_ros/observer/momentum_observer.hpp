// External forces on a robot, from its momentum and what its motors do.
#ifndef ROBCOGEN_ROS__OBSERVER__MOMENTUM_OBSERVER_HPP_
#define ROBCOGEN_ROS__OBSERVER__MOMENTUM_OBSERVER_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/observer/contacts.hpp"
#include "robcogen_ros/observer/settings.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::observer
{

/// Forces that act on a robot from outside. Degrees of freedom are those of a floating base,
/// [moment; force] about its origin in its axes, then the joints.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct Estimate
{
  using Forces = FreedomVector<Robot>;
  using ContactForces = ContactVector<Robot>;

  Forces external;  ///< all of it [N m or N]
  /// Forces of the ground on the robot, in the rows of its contacts: axes of the base.
  ContactForces contact_forces;
  Forces remainder;  ///< what contacts do not explain
  /// Forces that friction may have added to each of these, for better or worse.
  Forces external_band;
  ContactForces contact_band;
  Forces remainder_band;

  /// Force of each contact beyond its band: upwards where the base floats, else its size [N].
  std::array<double, SizesOf<Robot>::most_contacts> borne{};
  std::array<bool, SizesOf<Robot>::most_contacts> closed{};   ///< which contacts bear a force
  std::array<bool, SizesOf<Robot>::most_joints> disturbed{};  ///< which joints have a remainder
  bool pushed = false;                                        ///< whether a floating base has one

  /// Makes an estimate in which nothing acts.
  Estimate() noexcept : Estimate(Robot()) {}
  explicit Estimate(const Robot & robot) noexcept
  : external(Forces::Zero(robot.freedoms)),
    contact_forces(ContactForces::Zero(contact_rows(robot))),
    remainder(external),
    external_band(external),
    contact_band(contact_forces),
    remainder_band(external)
  {
  }
};

/// Observes the generalized momentum `p = H v`: what it gains beyond `C' v - g` and the efforts of
/// the motors comes from outside (De Luca, Mattone 2005; Haddadin, De Luca, Albu-Schaeffer 2017).
///
///     dr/dt = K (dp/dt - (C' v - g) - [0; tau] - r)
///
/// No acceleration is needed and no inertia matrix inverted. A step is exact where the force on a
/// coordinate does not change within it, and stable for any gain and length of step.
///
/// Forces of contacts are those that explain r in the least-squares sense, weighed by thresholds:
/// of a leg of three joints with a point foot `J^-T r`. Friction that differs from the model's, by
/// a share of it where joints slide and by all of it where they rest, gives a band to each
/// estimate; only what exceeds band and threshold counts as real.
///
/// What a joint's end stop can bear, it bears: an effort inwards on a joint at its position limit
/// is no remainder and tells nothing of contacts. Meanwhile the motion of a floating base tells of
/// them as well.
///
/// It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot the Traits of a generated robot; needs `generalized_momentum`, and
///     `contact_jacobian` if it has contacts
template <typename Robot>
class MomentumObserver
{
public:
  using JointVector = typename Robot::JointVector;
  using Forces = typename Estimate<Robot>::Forces;

  MomentumObserver() : MomentumObserver(Settings<Robot>()) {}

  explicit MomentumObserver(const Settings<Robot> & settings)
  : settings_(settings),
    estimate_(settings.robot),
    last_(settings.robot),
    lower_stops_(JointVector::Constant(settings.robot.joint_count, endless)),
    upper_stops_(lower_stops_)
  {
  }

  const Settings<Robot> & settings() const noexcept { return settings_; }

  const Estimate<Robot> & estimate() const noexcept { return estimate_; }

  /// Goes on with other constants of the robot.
  void use(const typename ConstantsOf<Robot>::Type & constants) noexcept
  {
    settings_.constants = constants;
  }

  /// Forgets everything.
  void reset() noexcept
  {
    estimate_ = Estimate<Robot>(robot());
    lower_stops_.setConstant(endless);
    upper_stops_.setConstant(endless);
    started_ = false;
  }

  /// Takes a measurement.
  ///
  /// Of the first one there is nothing to compare with: the estimate stays. So it does where
  /// numbers are not finite or the step is not positive; the next sound measurement is then the
  /// first of a new interval.
  ///
  /// \param now what is measured
  /// \param step time since the measurement before [s]
  /// \return whether it could be used
  bool update(const Measurement<Robot> & now, double step) noexcept
  {
    const bool going_on = started_;
    started_ = false;
    const bool told = now.finite() && (now.gravity || !robot().floating_base);
    if (!told || !std::isfinite(step) || step <= 0.0)
    {
      return false;
    }
    const Point point = point_of(now);
    if (!point.momentum.allFinite() || !point.rate.allFinite())
    {
      return false;
    }
    look_at_stops(now.q, step);
    if (going_on)
    {
      follow(point, now.tau, step);
      explain(now);
    }
    last_ = point;
    started_ = true;
    return true;
  }

private:
  static constexpr double endless = std::numeric_limits<double>::infinity();

  /// Quantities of one measurement.
  struct Point
  {
    Forces momentum;
    Forces rate;  ///< how it changes if nothing but friction acts
    JointVector qd;

    explicit Point(const Robot & robot) noexcept
    : momentum(Forces::Zero(robot.freedoms)),
      rate(momentum),
      qd(JointVector::Zero(robot.joint_count))
    {
    }
  };

  const Robot & robot() const noexcept { return settings_.robot; }

  /// Returns the place where joints begin among degrees of freedom.
  int base() const noexcept { return robot().floating_base ? 6 : 0; }

  Point point_of(const Measurement<Robot> & now) const noexcept
  {
    const auto found = momentum_of(now);
    Point point(robot());
    point.momentum = found.momentum;
    point.rate = found.bias;
    point.qd = now.qd;
    for (int i = 0; i < robot().joint_count; ++i)
    {
      const double rate = now.qd(i), share = rate / std::max(settings_.sliding, std::abs(rate));
      point.rate(base() + i) -= robot().damping_in_dynamics ? 0.0 : settings_.damping(i) * rate;
      point.rate(base() + i) -= robot().friction_in_dynamics ? 0.0 : settings_.friction(i) * share;
    }
    return point;
  }

  /// Returns the possible distance of friction from the model's between two measurements [N m or
  /// N]: a share of it where a joint slides one way, else all of what is dry besides.
  double uncertainty(int joint, double before, double after) const noexcept
  {
    const double least = std::min(std::abs(before), std::abs(after));
    const double most = std::max(std::abs(before), std::abs(after));
    const bool slides = least >= settings_.sliding && before * after > 0.0;
    const double dry = settings_.friction(joint), wet = settings_.damping(joint) * most;
    return settings_.friction_tolerance * (dry + wet) + (slides ? 0.0 : dry);
  }

  auto momentum_of(const Measurement<Robot> & now) const noexcept
  {
    const auto function = [&](const auto &... all) { return robot().generalized_momentum(all...); };
    const auto & constants = settings_.constants;
    if constexpr (SizesOf<Robot>::may_float)
    {
      if (!SizesOf<Robot>::may_be_fixed || robot().floating_base)
      {
        return with_constants<Robot>(
          constants, function, now.q, now.qd, now.base_velocity, *now.gravity);
      }
    }
    if constexpr (SizesOf<Robot>::may_be_fixed)
    {
      return now.gravity ? with_constants<Robot>(constants, function, now.q, now.qd, *now.gravity)
                         : with_constants<Robot>(constants, function, now.q, now.qd);
    }
  }

  /// One step of the filter, of the residual and of what friction may have added to it.
  void follow(const Point & now, const JointVector & tau, double step) noexcept
  {
    const double taken = -std::expm1(-settings_.gain * step);
    Forces acted = (now.momentum - last_.momentum) / step - 0.5 * (now.rate + last_.rate);
    acted.tail(tau.size()) -= tau;
    estimate_.external += taken * (acted - estimate_.external);
    for (int i = 0; i < robot().joint_count; ++i)
    {
      double & band = estimate_.external_band(base() + i);
      band += taken * (uncertainty(i, last_.qd(i), now.qd(i)) - band);
    }
  }

  /// Counts the time since joints were at their stops.
  void look_at_stops(const JointVector & q, double step) noexcept
  {
    for (int i = 0; i < robot().joint_count; ++i)
    {
      const double lower = robot().lower_limits[i], upper = robot().upper_limits[i];
      const double margin = std::min(settings_.stop_margin, 0.1 * std::max(0.0, upper - lower));
      lower_stops_(i) = q(i) > lower + margin ? lower_stops_(i) + step : 0.0;
      upper_stops_(i) = q(i) < upper - margin ? upper_stops_(i) + step : 0.0;
    }
  }

  /// Returns true if a stop may bear a part of an effort on a joint that acts in a direction: it is
  /// there now, or was so lately that the estimate still shows it.
  bool stopped(int joint, double direction) const noexcept
  {
    const JointVector & stops = direction > 0.0 ? lower_stops_ : upper_stops_;
    return stops(joint) < 5.0 / settings_.gain;
  }

  /// Finds the contacts that give these forces, and what they leave.
  void explain(const Measurement<Robot> & now) noexcept
  {
    estimate_.remainder = estimate_.external;
    estimate_.remainder_band = estimate_.external_band;
    if constexpr (SizesOf<Robot>::most_contacts > 0)
    {
      if (contact_count(robot()) > 0)
      {
        distribute(now.q);
        judge_contacts(now);
      }
    }
    for (int i = 0; i < robot().joint_count; ++i)
    {
      double & remainder = estimate_.remainder(base() + i);
      remainder = stopped(i, remainder) ? 0.0 : remainder;
      const double size =
        std::abs(estimate_.remainder(base() + i)) - estimate_.remainder_band(base() + i);
      judge(estimate_.disturbed[i], size, settings_.joint_threshold(i));
    }
    if constexpr (SizesOf<Robot>::may_float)
    {
      if (robot().floating_base)
      {
        judge_base();
      }
    }
  }

  /// Forces of the contacts that explain the external ones.
  void distribute(const JointVector & q) noexcept
  {
    using Normal = MatrixWithin<
      SizesOf<Robot>::rows, SizesOf<Robot>::rows, SizesOf<Robot>::most_rows,
      SizesOf<Robot>::most_rows>;
    const auto function = [&](const auto &... all) { return robot().contact_jacobian(all...); };
    const ContactJacobian<Robot> J = with_constants<Robot>(settings_.constants, function, q);
    const int rows = static_cast<int>(J.rows()), freedoms = static_cast<int>(J.cols());
    const Forces weight = weights();
    ContactJacobian<Robot> share = J;
    Normal normal = Normal::Zero(rows, rows);
    normal.diagonal().setConstant(settings_.contact_damping);
    for (int j = 0; j < freedoms; ++j)
    {
      share.col(j) *= weight(j);
      for (int k = 0; k < rows; ++k)
      {
        add_multiple(rows, share(k, j), &J(0, j), &normal(0, k));
      }
    }
    Cholesky<Normal> factor;
    factor.compute(normal);
    factor.solve_in_place(share);
    estimate_.contact_forces.setZero();
    estimate_.contact_band.setZero();
    estimate_.remainder_band.setZero();
    for (int j = 0; j < freedoms; ++j)
    {
      const double band = estimate_.external_band(j);
      estimate_.contact_forces += estimate_.external(j) * share.col(j);
      estimate_.contact_band += band * share.col(j).cwiseAbs();
      for (int i = 0; i < freedoms; ++i)
      {
        const double explained = dot(rows, &J(0, i), &share(0, j));
        estimate_.remainder_band(i) += band * std::abs((i == j ? 1.0 : 0.0) - explained);
      }
    }
    for (int i = 0; i < freedoms; ++i)
    {
      estimate_.remainder(i) -= dot(rows, &J(0, i), estimate_.contact_forces.data());
    }
  }

  /// Returns for each force the inverse square of its threshold; zero for a base that anything may
  /// push, or a joint whose stop may bear a part of it.
  Forces weights() const noexcept
  {
    Forces weights = Forces::Zero(robot().freedoms);
    weights.tail(robot().joint_count) = settings_.joint_threshold;
    bool any_stopped = false;
    for (int i = 0; i < robot().joint_count; ++i)
    {
      if (stopped(i, 1.0) || stopped(i, -1.0))
      {
        weights(base() + i) = 0.0;
        any_stopped = true;
      }
    }
    for (int i = 0; i < base() && (any_stopped || !settings_.base_is_free); ++i)
    {
      weights(i) = i < 3 ? settings_.base_moment_threshold : settings_.base_force_threshold;
    }
    return (weights.array() > 0.0).select(weights.array().square().inverse(), 0.0);
  }

  /// Feet of a robot that floats bear what is upwards, contacts of others any force.
  void judge_contacts(const Measurement<Robot> & now) noexcept
  {
    for (int i = 0; i < contact_count(robot()); ++i)
    {
      const Eigen::Vector3d force =
        contact_wrench(robot().contacts[i], estimate_.contact_forces).template tail<3>();
      const Eigen::Vector3d band =
        contact_wrench(robot().contacts[i], estimate_.contact_band).template tail<3>();
      double size = force.norm() - band.norm();
      if (robot().floating_base && now.gravity->norm() > 0.0)
      {
        const Eigen::Vector3d up = -now.gravity->normalized();
        size = force.dot(up) - band.dot(up.cwiseAbs());
      }
      estimate_.borne[i] = size;
      judge(estimate_.closed[i], size, settings_.contact_threshold);
    }
  }

  void judge_base() noexcept
  {
    const Eigen::Array<double, 6, 1> over = estimate_.remainder.template head<6>().cwiseAbs() -
                                            estimate_.remainder_band.template head<6>();
    const double moment = over.template head<3>().max(0.0).matrix().norm();
    const double force = over.template tail<3>().max(0.0).matrix().norm();
    const double most =
      std::max(moment / settings_.base_moment_threshold, force / settings_.base_force_threshold);
    judge(estimate_.pushed, most, 1.0);
  }

  /// Judges a size as real from a threshold on, until it has fallen well below.
  void judge(bool & real, double size, double threshold) const noexcept
  {
    real = size > (real ? settings_.release * threshold : threshold);
  }

  Settings<Robot> settings_;
  Estimate<Robot> estimate_;
  Point last_;
  JointVector lower_stops_, upper_stops_;  ///< time since they were reached [s]
  bool started_ = false;
};

}  // namespace robcogen_ros::observer

#endif  // ROBCOGEN_ROS__OBSERVER__MOMENTUM_OBSERVER_HPP_
