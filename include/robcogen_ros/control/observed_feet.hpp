// Forces of feet without sensors, as the momentum of a robot and the efforts of its motors have
// them.
#ifndef ROBCOGEN_ROS__CONTROL__OBSERVED_FEET_HPP_
#define ROBCOGEN_ROS__CONTROL__OBSERVED_FEET_HPP_

#include <limits>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/observer/momentum_observer.hpp"
#include "robcogen_ros/parameters/external_force_broadcaster.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// Forces upwards that feet bear, from states of a robot and what its motors did between them.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs
///   `generalized_momentum` and `contact_jacobian`
template <typename Robot>
class ObservedFeet
{
public:
  ObservedFeet(const parameters::WholeBodyController & given, const Robot & robot)
  : observer_(settings(given, robot)), now_(robot)
  {
  }

  void forget() noexcept
  {
    observer_.reset();
    observed_ = passed_ = 0.0;
  }

  /// Goes on by a cycle.
  ///
  /// \param state what was measured; of no use where that is not whole
  /// \param efforts what the motors have done since the cycle before [N m or N]
  /// \param gravity in the world [m/s^2]
  /// \param step time since the cycle before [s]
  void update(
    const ground::State<Robot> & state, bool whole, const typename Robot::JointVector & efforts,
    const Eigen::Vector3d & gravity, const typename ConstantsOf<Robot>::Type & constants,
    double step) noexcept
  {
    passed_ += step;
    if (!whole)
    {
      return;
    }
    now_.q = state.q;
    now_.base_velocity = state.rates.template head<6>();
    now_.qd = state.rates.tail(state.q.size());
    now_.tau = efforts;
    now_.gravity = state.orientation.conjugate() * gravity;
    observer_.use(constants);
    observed_ = observer_.update(now_, passed_) ? observed_ + passed_ : 0.0;
    passed_ = 0.0;
  }

  /// The force of a foot [N]; NaN until the observer knows it.
  double force(std::size_t foot) const noexcept
  {
    const bool known = observed_ > settled / observer_.settings().gain;
    return known ? observer_.estimate().borne[foot] : std::numeric_limits<double>::quiet_NaN();
  }

private:
  static constexpr double settled = 5.0;  ///< time constants after which what came before is gone

  static observer::Settings<Robot> settings(
    const parameters::WholeBodyController & given, const Robot & robot)
  {
    parameters::ExternalForceBroadcaster chosen;
    chosen.gain = given.observer_gain;
    return observer::Settings<Robot>(chosen, robot);
  }

  observer::MomentumObserver<Robot> observer_;
  observer::Measurement<Robot> now_;
  double observed_ = 0.0;  ///< time without a gap [s]
  double passed_ = 0.0;    ///< since the last whole state [s]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__OBSERVED_FEET_HPP_
