// Stops an arm that something pushes.
#ifndef ROBCOGEN_ROS__CONTROL__STOP_REFLEX_HPP_
#define ROBCOGEN_ROS__CONTROL__STOP_REFLEX_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "robcogen_ros/control/efforts.hpp"
#include "robcogen_ros/observer/momentum_observer.hpp"

namespace robcogen_ros::control
{

/// A robot none of whose contacts is known: all that pushes it is external.
template <typename Robot>
struct WithoutContacts : Robot
{
  static constexpr int contact_count = 0, most_contacts = 0;
  static constexpr std::array<Contact, 0> contacts{};

  WithoutContacts() = default;
  explicit WithoutContacts(const Robot & robot) : Robot(robot) {}
};

/// Watches the external efforts on the joints of an arm, and says when it is to stop.
///
/// What acts on a joint beyond the efforts commanded, the model's friction and what an end stop
/// bears (observer::MomentumObserver) is compared with a threshold, after the share of friction
/// that may be unknown. The arm then brakes, and stands from where it has come to rest, until it
/// is activated anew.
///
/// All members but the constructor are for real time: they allocate nothing, lock nothing and
/// throw nothing.
///
/// \tparam Robot one that is known at run time, with `generalized_momentum` if it is to stop;
///   others never do
template <typename Robot>
class StopReflex
{
public:
  using JointVector = typename Robot::JointVector;

  /// \param table of a controller's parameters
  /// \throws std::invalid_argument if the robot lacks the function, or a list has a wrong length
  template <typename Parameters>
  StopReflex(const Parameters & table, const Robot & robot)
  : external_(JointVector::Zero(robot.joint_count)), speed_(external_)
  {
    if (table.stop_efforts.empty())
    {
      return;
    }
    if constexpr (sized_at_run_time<Robot>)
    {
      if (!robot.has_generalized_momentum())
      {
        throw std::invalid_argument(
          "stop_efforts: expected a robot with the function generalized_momentum");
      }
      parameters::ExternalForceBroadcaster given;
      given.gain = table.stop_gain;
      given.joint_thresholds = table.stop_efforts;
      given.friction_tolerance = table.stop_friction_tolerance;
      observer_.emplace(observer::Settings<Watched>(given, Watched(robot)));
    }
    else
    {
      throw std::invalid_argument("stop_efforts: expected a robot that is known at run time");
    }
  }

  /// Begins anew: nothing has pushed the arm.
  void activate() noexcept
  {
    phase_ = Phase::watching;
    external_.setZero();
    if (observer_)
    {
      observer_->reset();
    }
  }

  /// Takes a cycle.
  ///
  /// \param q, qd positions and velocities; not finite where they are not known
  /// \param acted efforts since the last cycle [N m or N]
  /// \param gravity as the efforts have it, none: the model's
  /// \param period time since the last cycle [s]
  void observe(
    const JointVector & q, const JointVector & qd, const JointVector & acted,
    const std::optional<Eigen::Vector3d> & gravity, double period) noexcept
  {
    if constexpr (sized_at_run_time<Robot>)
    {
      if (!observer_)
      {
        return;
      }
      observer::Measurement<Watched> now(observer_->settings().robot);
      now.q = q;
      now.qd = qd;
      now.tau = acted;
      now.gravity = gravity;
      if (observer_->update(now, period))
      {
        proceed(qd, period);
      }
    }
  }

  /// True if something has pushed the arm since it was activated.
  bool stopped() const noexcept { return phase_ != Phase::watching; }
  /// True if it is still to come to rest.
  bool brakes() const noexcept { return phase_ == Phase::braking; }
  /// Accelerations that bring it to rest [rad/s^2 or m/s^2]: what it had of speed when it was
  /// stopped falls along a straight line, in 5 ms or in four cycles where these are longer, and
  /// all other motion with this as a time constant.
  ///
  /// \param qd velocities [rad/s or m/s]
  /// \param period of a cycle [s]
  JointVector slowing(const JointVector & qd, double period) const noexcept
  {
    const double rate = period > 0.0 ? std::min(200.0, 0.25 / period) : 200.0;
    const double had = speed_.squaredNorm();
    const double left = had > 0.0 ? std::clamp(qd.dot(speed_) / had, 0.0, 1.0) : 0.0;
    const double fall = rate * period < left ? rate : left / period;
    return -(fall * speed_) - rate * (qd - left * speed_);
  }
  /// External effort on each joint now; after a stop, that when it stopped [N m or N].
  const JointVector & external() const noexcept { return external_; }

private:
  using Watched = WithoutContacts<Robot>;
  enum class Phase
  {
    watching,
    braking,
    standing,
  };
  /// Time after which an arm stands even if something still moves it [s].
  static constexpr double longest = 0.1;

  void proceed(const JointVector & qd, double period) noexcept
  {
    const auto & found = observer_->estimate();
    if (phase_ == Phase::watching)
    {
      external_ = found.remainder.tail(external_.size());
      for (Eigen::Index i = 0; i < external_.size(); ++i)
      {
        phase_ = found.disturbed[static_cast<std::size_t>(i)] ? Phase::braking : phase_;
      }
      speed_ = qd;
      braked_ = 0.0;
    }
    else if (phase_ == Phase::braking)
    {
      braked_ += period;
      const bool rests = qd.cwiseAbs().maxCoeff() < sliding;
      phase_ = rests || braked_ > longest ? Phase::standing : phase_;
    }
  }

  std::optional<observer::MomentumObserver<Watched>> observer_;
  JointVector external_;
  JointVector speed_;  ///< when it was stopped [rad/s or m/s]
  Phase phase_ = Phase::watching;
  double braked_ = 0.0;  ///< for how long [s]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__STOP_REFLEX_HPP_
