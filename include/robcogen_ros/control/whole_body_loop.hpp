// Whole-body control without its middleware: readings and requests in, efforts out, by cycles.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_LOOP_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_LOOP_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/commanded_gait.hpp"
#include "robcogen_ros/control/contact_measurement.hpp"
#include "robcogen_ros/control/estimated_base.hpp"
#include "robcogen_ros/control/led_reference.hpp"
#include "robcogen_ros/control/measurements.hpp"
#include "robcogen_ros/control/observed_feet.hpp"
#include "robcogen_ros/control/parting.hpp"
#include "robcogen_ros/control/resting_foot.hpp"
#include "robcogen_ros/control/whole_body_reference.hpp"
#include "robcogen_ros/control/whole_body_settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/whole_body/controller.hpp"

namespace robcogen_ros::control
{

/// Keeps a robot on legs on its reference, and says what is commanded when something is missing.
///
/// All members but the constructor are for real time: they allocate nothing, lock nothing and throw
/// nothing. Every command is finite and within the effort limits.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base, or one that is
///   known at run time; needs what whole_body::Controller, legged::Gait and ObservedFeet need
template <typename Robot>
class WholeBodyLoop
{
public:
  using JointVector = typename Robot::JointVector;
  using Closed = typename ContactMeasurement<SizesOf<Robot>::most_contacts>::Closed;
  using Settings = WholeBodySettings<Robot>;

  /// \param behaviour what of it does not change while the controller is active
  /// \param state_timeout longest time without a state of a joint, and for which the force of a
  ///   foot counts [s]. States then come one by one and at any time, those of the base within its
  ///   own timeout; without them the robot is left with `failure_effort` until they are back.
  ///   Without a timeout cycles are counted, and control ends for good.
  explicit WholeBodyLoop(
    const parameters::WholeBodyController & behaviour,
    std::optional<double> state_timeout = std::nullopt, const Robot & robot = Robot())
  : robot_(robot),
    state_timeout_(state_timeout),
    base_state_timeout_(behaviour.base_state_timeout),
    base_patience_(behaviour.base_state == "topic" ? behaviour.base_state_timeout : 0.0),
    max_stale_cycles_(behaviour.max_stale_cycles),
    measures_contacts_(behaviour.contact_source == "forces"),
    observes_contacts_(behaviour.contact_source == "observer"),
    failure_(control::parting(behaviour.failure_effort)),
    joints_(robot),
    estimated_(behaviour, robot),
    contacts_(state_timeout.value_or(0.0)),
    observed_(behaviour, robot),
    state_(robot),
    reference_(robot),
    law_(robot),
    efforts_(JointVector::Zero(robot.joint_count)),
    forces_(Forces::Zero(contact_rows(robot)))
  {
  }

  /// Begins: nothing is known.
  void activate() noexcept
  {
    joints_.forget();
    base_.forget();
    estimated_.forget();
    gait_.forget();
    state_ = ground::State<Robot>(robot_);
    efforts_.setZero();
    forces_.setZero();
    contacts_.forget();
    observed_.forget();
    condition_ = WholeBodyCondition::normal;
    faults_ = 0;
    iterations_ = 0;
    waited_ = 0.0;
    walked_ = found_ = failed_ = false;
  }

  /// One cycle.
  ///
  /// \param request what to do where no gait decides, with NaN where nothing is said
  /// \param period time since the last cycle [s]
  /// \param velocity what a gait is to do
  /// \return efforts [N m or N]
  const JointVector & update(
    const Settings & settings, const WholeBodyReadings<Robot> & readings,
    const whole_body::Reference<Robot> & request, double period,
    const VelocityCommand & velocity) noexcept
  {
    if (failed_)
    {
      return efforts_;
    }
    const double passed = std::max(0.0, period);
    joints_.wait(state_timeout_ ? std::min(passed, longest_wait * *state_timeout_) : 0.0);
    joints_.take(readings.position, readings.velocity, period);
    waited_ += passed;
    const bool estimates = estimated_.estimator().has_value();
    judge_contacts(settings, readings, passed, estimates);
    const bool waits = measures_contacts_ && waited_ <= state_timeout_.value_or(-1.0);
    const BaseReading base = estimated_.reading(
      readings.base, readings.imu, readings.position, contacts_.told(waits), passed);
    if (base_.known() || base.whole() || waited_ > base_patience_)
    {
      base_.take(base, period, -settings.law.gravity.normalized());
    }
    condition_ = judge_states();
    if (condition_ == WholeBodyCondition::lost)
    {
      return lose(settings);
    }
    if (!known())
    {
      return efforts_;
    }
    measure();
    if (observes_contacts_)
    {
      const bool whole = joints_.missing() == 0 && found_;
      const auto & law = settings.law;
      observed_.update(state_, whole, efforts_, law.gravity, law.constants, passed);
    }
    if (!found_)
    {
      begin();
    }
    const whole_body::Reference<Robot> * const stepping = step(settings, velocity, period);
    walked_ = stepping != nullptr || (walked_ && !velocity.yields);
    if (!walked_ && request.trunk.position.allFinite())
    {
      reference_.move(base_.offset(), base_.turn());
      base_.follow_world();
      measure();
    }
    const whole_body::Reference<Robot> last = reference_.now();
    reference_.take(
      stepping != nullptr ? *stepping : request, settings.posture, stepping != nullptr || !walked_);
    const bool asked = request.waits || request.trunk.position.allFinite();
    const bool far =
      asked && stepping == nullptr && !walked_ &&
      lead(standing(settings), state_, contacts_.closed(), last, passed, reference_.now());
    judge_contacts(settings, readings, passed, !estimates);
    if (tilt() > settings.greatest_tilt)
    {
      return fail(settings, WholeBodyCondition::fallen);
    }
    take(law_.compute(state_, contacts_.closed(), reference_.now(), settings.law), far);
    estimated_.bear(robot_, forces_, passed);
    return efforts_.allFinite() ? efforts_ : fail(settings, WholeBodyCondition::unsound);
  }

  /// Efforts to leave the robot with; those of a failure stay [N m or N].
  JointVector parting(const Settings & settings, Parting kind) noexcept
  {
    JointVector result = JointVector::Zero(robot_.joint_count);
    if (kind == Parting::keep || failed_)
    {
      result = efforts_;
    }
    else if (kind == Parting::hold_gravity && found_)
    {
      // A state that is not finite is answered by what carries the robot where it was last.
      ground::State<Robot> nowhere = state_;
      nowhere.position.setConstant(std::numeric_limits<double>::quiet_NaN());
      result = law_.compute(nowhere, contacts_.closed(), reference_.now(), settings.law).efforts;
    }
    return result.allFinite() ? result : JointVector(JointVector::Zero(robot_.joint_count));
  }

  const ground::State<Robot> & state() const noexcept { return state_; }
  /// Where the base is by the readings, whose world may have jumped.
  ground::State<Robot> told_state() const noexcept
  {
    ground::State<Robot> result = state_;
    result.position = base_.offset() + base_.turn() * state_.position;
    result.orientation = base_.turn() * state_.orientation;
    return result;
  }
  /// What the trunk is to do in the world of the readings.
  whole_body::Motion told_trunk() const noexcept
  {
    return reference().trunk.moved(base_.offset(), base_.turn());
  }
  const whole_body::Reference<Robot> & reference() const noexcept { return reference_.now(); }
  /// A posture, where it is NaN the one that was found.
  JointVector preferred(const JointVector & posture) const noexcept
  {
    return reference_.preferred(posture);
  }
  const JointVector & efforts() const noexcept { return efforts_; }
  /// Of the ground on the robot, as asked for: rows and axes of `contact_jacobian` [N m, N].
  const auto & forces() const noexcept { return forces_; }
  const Closed & closed() const noexcept { return contacts_.closed(); }
  /// Whether a foot rests on the ground that its sensor does not feel.
  bool unfelt(std::size_t foot) const noexcept { return contacts_.unfelt(foot); }
  WholeBodyCondition condition() const noexcept { return condition_; }
  std::uint32_t faults() const noexcept { return faults_; }  ///< of whole_body::Fault
  int iterations() const noexcept { return iterations_; }
  int jumps() const noexcept { return base_.jumps(); }  ///< of the base's position
  /// Whether the command of velocity was of more than the gait can do.
  bool cut() const noexcept { return gait_.cut(); }
  bool plays() const noexcept { return gait_.plays(); }           ///< a gait that was found
  int silences() const noexcept { return contacts_.silences(); }  ///< of forces of feet
  /// Whether states of all joints and of the base have come.
  bool known() const noexcept { return joints_.complete() && base_.known(); }
  /// Whether the state of the base is too old.
  bool base_lost() const noexcept { return !(base_.waited() <= base_state_timeout_); }
  int stale_cycles() const noexcept { return std::max(joints_.missing(), base_.missing()); }
  /// What has the base, none where it is read.
  const auto & estimator() const noexcept { return estimated_.estimator(); }
  double lean() const noexcept { return estimated_.lean(); }  ///< of the IMU [rad]
  /// Whether control has ended; only activate() begins anew.
  bool failed() const noexcept { return failed_; }

private:
  using Forces = decltype(whole_body::Command<Robot>::forces);
  static constexpr double of_observed = 2.5;  ///< threshold of forces that no sensor has measured

  WholeBodyCondition judge_states() const noexcept
  {
    if (state_timeout_)
    {
      const bool fresh = joints_.fresh(*state_timeout_) && !base_lost();
      return fresh || !known() ? WholeBodyCondition::normal : WholeBodyCondition::lost;
    }
    const int missing = stale_cycles();
    return missing > max_stale_cycles_ ? WholeBodyCondition::lost
           : missing == 0 && known()   ? WholeBodyCondition::normal
                                       : WholeBodyCondition::stale;
  }

  /// States have been missing for too long.
  const JointVector & lose(const Settings & settings) noexcept
  {
    if (!state_timeout_)
    {
      return fail(settings, WholeBodyCondition::lost);
    }
    efforts_ = parting(settings, failure_);
    return efforts_;
  }

  const JointVector & fail(const Settings & settings, WholeBodyCondition condition) noexcept
  {
    efforts_ = parting(settings, failure_);
    condition_ = condition;
    failed_ = true;
    return efforts_;
  }

  void measure() noexcept
  {
    const BaseReading & base = base_.last();
    state_.position = base.position;
    state_.orientation.coeffs() = base.orientation;
    state_.q = joints_.position();
    state_.rates << base.angular_velocity, base.linear_velocity, joints_.velocity();
  }

  void begin() noexcept
  {
    reference_.begin(state_.position, state_.orientation, state_.q);
    up_ = state_.orientation.conjugate() * Eigen::Vector3d::UnitZ();
    found_ = true;
  }

  /// What a gait is to do, null where none decides.
  const whole_body::Reference<Robot> * step(
    const Settings & settings, const VelocityCommand & velocity, double period) noexcept
  {
    const auto stands = [&] { return standing(settings); };
    return gait_.update(settings.gait, stands, state_, contacts_.closed(), velocity, period);
  }

  /// How the robot stands on its feet.
  typename CommandedGait<Robot>::Standing standing(const Settings & settings) const noexcept
  {
    typename CommandedGait<Robot>::Standing result(robot_);
    result.gravity = settings.law.gravity;
    result.ground_normal = settings.law.ground_normal;
    result.posture = reference_.preferred(settings.posture);
    result.soles = settings.law.soles;
    result.constants = settings.law.constants;
    return result;
  }

  /// How far the trunk is tilted from how it was found, in whichever direction.
  double tilt() const noexcept
  {
    const Eigen::Vector3d up = state_.orientation.conjugate() * Eigen::Vector3d::UnitZ();
    return std::atan2(up.cross(up_).norm(), up.dot(up_));
  }

  /// \param passed time since the last cycle [s]
  /// \param now whether it is time: an estimator has contacts judged before the reference is known
  void judge_contacts(
    const Settings & settings, const WholeBodyReadings<Robot> & readings, double passed,
    bool now) noexcept
  {
    const auto mass = [this](const auto &... all) { return robot_.total_mass(all...); };
    const double weight =
      with_constants<Robot>(settings.law.constants, mass, state_.q) * settings.law.gravity.norm();
    const double touches =
      (observes_contacts_ ? of_observed : 1.0) * settings.contact_threshold * weight;
    if (now && measures_contacts_)
    {
      contacts_.listen(
        readings.forces.leftCols(robot_.contact_count).colwise().norm(), weight,
        settings.contact_release * touches,
        [&]
        {
          return found_ && !estimated_.falls() &&
                 !any_descends(robot_, settings.law, state_, contacts_.closed());
        },
        passed);
    }
    for (int i = 0; now && i < robot_.contact_count; ++i)
    {
      const auto foot = static_cast<std::size_t>(i);
      const double force = measures_contacts_   ? readings.forces.col(i).norm()
                           : observes_contacts_ ? observed_.force(foot)
                                                : JointReadings<Robot>::unknown;
      contacts_.take(
        foot, force, {touches, settings.contact_release * touches},
        reference_.now().feet[foot].stance || gait_.overdue(i),
        [&]
        {
          return measures_contacts_ && rests(robot_, settings.law, state_, contacts_.closed(), i);
        },
        passed);
    }
  }

  /// \param far whether the reference is out of reach
  void take(whole_body::Command<Robot> command, bool far) noexcept
  {
    command.add(whole_body::Fault::reference_out_of_reach, far);
    command.add(whole_body::Fault::cannot_step, gait_.stuck());
    command.add(whole_body::Fault::foot_not_felt, contacts_.any_unfelt());
    command.add(whole_body::Fault::gait_not_played, gait_.misses());
    command.add(whole_body::Fault::velocities_zero, joints_.still());
    command.add(whole_body::Fault::imu_leans, lean() > 0.0);
    efforts_ = command.efforts;
    forces_ = command.forces;
    faults_ = command.faults;
    iterations_ = command.iterations;
  }

  const Robot robot_;
  const std::optional<double> state_timeout_;  ///< [s]
  const double base_state_timeout_;            ///< [s]
  const double base_patience_;                 ///< how long the base may be unknown at first [s]
  const std::int64_t max_stale_cycles_;
  const bool measures_contacts_;
  const bool observes_contacts_;
  const Parting failure_;
  Measurements<Robot> joints_;
  BaseMeasurement base_;
  EstimatedBase<Robot> estimated_;
  ContactMeasurement<SizesOf<Robot>::most_contacts> contacts_;
  ObservedFeet<Robot> observed_;
  ground::State<Robot> state_;
  WholeBodyReference<Robot> reference_;
  CommandedGait<Robot> gait_;
  whole_body::Controller<Robot> law_;
  Eigen::Vector3d up_ = Eigen::Vector3d::UnitZ();  // in base axes, when it was found
  JointVector efforts_;
  Forces forces_;
  WholeBodyCondition condition_ = WholeBodyCondition::normal;
  std::uint32_t faults_ = 0;
  int iterations_ = 0;
  double waited_ = 0.0;  ///< since activation [s]
  bool walked_ = false;  ///< since something was asked for that goes before the gait
  bool found_ = false;
  bool failed_ = false;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_LOOP_HPP_
