// Steps in answer to commands of velocity, cycle by cycle.
#ifndef ROBCOGEN_ROS__CONTROL__COMMANDED_GAIT_HPP_
#define ROBCOGEN_ROS__CONTROL__COMMANDED_GAIT_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/gait.hpp"
#include "robcogen_ros/legged/sizes.hpp"

namespace robcogen_ros::control
{

/// How the robot is to move over the ground; NaN where nothing is said.
struct VelocityCommand
{
  /// Ahead and to the left of where the robot heads [m/s].
  Eigen::Vector2d linear = Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
  double yaw_rate = std::numeric_limits<double>::quiet_NaN();  ///< [rad/s]
  /// Whether another request has precedence: the robot then stops and stands.
  bool yields = false;

  /// What holds so long after it came [s]: nothing once `patience` is over.
  VelocityCommand after(double age, double patience) const noexcept
  {
    return age > patience ? VelocityCommand() : *this;
  }
};

/// What may change of a gait while a controller is active.
struct GaitSettings
{
  legged::GaitName name;
  legged::Sizes sizes;
  std::uint64_t revision;  ///< another one where anything that the robot stands by has changed

  explicit GaitSettings(
    const parameters::WholeBodyController & given = parameters::WholeBodyController())
  : name(legged::gait_name(given.gait)), sizes(given)
  {
    static std::atomic<std::uint64_t> revisions{0};
    revision = ++revisions;
  }
};

/// Decides where trunk and feet are to be, as long as a gait other than `stand` is set.
///
/// The robot steps while there is a command. Without one it stops, once it is in balance on all
/// feet. A change of the gait is a stop as well, and has its effect from there. All members are for
/// real time.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; of one that
///   cannot step the gait is to be `stand`
template <typename Robot>
class CommandedGait
{
public:
  using Standing = legged::Settings<Robot>;

  void forget() noexcept { gait_.reset(); }

  /// Whether a foot is in the air for longer than it is to be.
  bool overdue(int foot) const noexcept { return gait_ && gait_->overdue(foot); }

  /// Whether the last command was of more than the gait can do.
  bool cut() const noexcept { return cut_; }

  /// What is to be done, null where no gait decides.
  ///
  /// \param standing gives the settings by which the robot stands
  /// \param closed which feet touch the ground
  template <typename Stand>
  const whole_body::Reference<Robot> * update(
    const GaitSettings & settings, const Stand & standing, const ground::State<Robot> & state,
    const typename legged::Gait<Robot>::Closed & closed, const VelocityCommand & command,
    double step) noexcept
  {
    const bool wanted = settings.name != legged::GaitName::stand && !command.yields;
    cut_ = false;
    if (!gait_ || !gait_->stepping())
    {
      if (!wanted)
      {
        forget();
        return nullptr;
      }
      if (!gait_ || settings.revision != set_.revision)
      {
        begin(settings, standing(), state);
      }
    }
    const bool same = settings.name == set_.name && settings.sizes == set_.sizes;
    return &gait_->update(state, closed, wanted && same ? motion(command) : legged::Motion(), step);
  }

private:
  void begin(
    const GaitSettings & settings, const Standing & standing,
    const ground::State<Robot> & state) noexcept
  {
    const legged::Placement<Robot> placement(standing);
    set_ = settings;
    sizes_ = settings.sizes.filled(
      settings.name, placement.height, standing.gravity.norm(), standing.robot);
    const bool goes_on = gait_.has_value();
    const legged::Rise rise = goes_on ? gait_->rise() : legged::Rise();
    gait_.emplace(legged::sized(standing, placement, settings.name, sizes_));
    gait_->start(state);
    if (goes_on)  // a posture that moves does not let the rise begin again
    {
      gait_->rise() = rise;
    }
  }

  legged::Motion motion(const VelocityCommand & command) noexcept
  {
    legged::Motion result;
    result.step = command.linear.allFinite() && std::isfinite(command.yaw_rate);
    if (result.step)
    {
      const Eigen::Vector2d greatest(sizes_.velocity_ahead, sizes_.velocity_aside);
      result.velocity = command.linear.cwiseMax(-greatest).cwiseMin(greatest);
      result.yaw_rate = std::clamp(command.yaw_rate, -sizes_.yaw_rate, sizes_.yaw_rate);
      cut_ = result.velocity != command.linear || result.yaw_rate != command.yaw_rate;
    }
    return result;
  }

  std::optional<legged::Gait<Robot>> gait_;
  GaitSettings set_;
  legged::Sizes sizes_;
  bool cut_ = false;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__COMMANDED_GAIT_HPP_
