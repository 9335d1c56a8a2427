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
#include <memory>
#include <optional>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/gait.hpp"
#include "robcogen_ros/legged/playback.hpp"
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
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct GaitSettings
{
  legged::GaitName name;
  legged::Sizes sizes;
  std::shared_ptr<const legged::FoundGait<Robot>> found;  ///< that is played, if any is
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
/// feet. A change of the gait is a stop as well, and has its effect from there. A gait that was
/// found is played while the command is its velocity; the robot gets into it, out of it, and goes
/// otherwise by steps of its pattern. All members are for real time.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; of one that
///   cannot step the gait is to be `stand`
template <typename Robot>
class CommandedGait
{
public:
  using Standing = legged::Settings<Robot>;
  using Closed = typename legged::Gait<Robot>::Closed;

  void forget() noexcept
  {
    gait_.reset();
    playback_.reset();
    missed_ = 0;
  }

  /// Whether a foot is in the air for longer than it is to be.
  bool overdue(int foot) const noexcept
  {
    return playback_ ? playback_->overdue(foot) : gait_ && gait_->overdue(foot);
  }

  /// True while a gait that was found is played.
  bool plays() const noexcept { return playback_.has_value(); }

  /// Whether the motion of a gait that was found is wanted, but steps do not lead into it.
  bool misses() const noexcept { return missed_ >= patience; }

  /// Whether the robot is to step, but cannot lean over any of its feet.
  bool stuck() const noexcept { return gait_ && gait_->stuck(); }

  /// Whether the last command was of more than the gait can do.
  bool cut() const noexcept { return cut_; }

  /// What is to be done, null where no gait decides.
  ///
  /// \param standing gives the settings by which the robot stands
  /// \param closed which feet touch the ground
  template <typename Stand>
  const whole_body::Reference<Robot> * update(
    const GaitSettings<Robot> & settings, const Stand & standing,
    const ground::State<Robot> & state, const Closed & closed, const VelocityCommand & command,
    double step) noexcept
  {
    const bool wanted = settings.name != legged::GaitName::stand && !command.yields;
    cut_ = false;
    if (!gait_ || (!gait_->stepping() && !playback_))
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
    const bool same =
      settings.name == set_.name && settings.sizes == set_.sizes && settings.found == set_.found;
    const legged::Motion asked = wanted && same ? motion(command) : legged::Motion();
    const bool plays = set_.found && asked.step && is_played(asked);
    if (playback_ && (!plays || playback_->far()) && playback_->about_to_lift(closed, step))
    {
      playback_.reset();
      gait_->start(state);
    }
    if (playback_)
    {
      return &playback_->update(state, closed, step);
    }
    const whole_body::Reference<Robot> & stepped = gait_->update(state, closed, asked, step);
    const bool lifts_off = lifts(stepped);
    missed_ = plays ? missed_ + (lifts_off ? 1 : 0) : 0;
    if (!lifts_off || !plays || !play(state, stepped))
    {
      return &stepped;
    }
    missed_ = 0;
    return &playback_->update(state, closed, 0.0);
  }

private:
  /// Share of its speed by which a command may differ from that of a gait that is played.
  static constexpr double alike = 0.1;
  static constexpr int patience =
    12;  ///< lift-offs at which a gait does not begin, until it is told
  static constexpr double rounding = 1e-6;  ///< share by which numbers of files are off
  /// Share of a stride for which feet stand at least in steps that lead into a gait.
  static constexpr double least_duty = 0.55;

  void begin(
    const GaitSettings<Robot> & settings, const Standing & standing,
    const ground::State<Robot> & state) noexcept
  {
    const legged::Placement<Robot> placement(standing);
    set_ = settings;
    sizes_ = settings.sizes.filled(
      settings.name, placement.height, standing.gravity.norm(), standing.robot);
    const bool goes_on = gait_.has_value();
    const legged::Rise rise = goes_on ? gait_->rise() : legged::Rise();
    stepping_ = legged::sized(standing, placement, settings.name, sizes_);
    if (set_.found)
    {
      const auto & footfalls = set_.found->footfalls;
      const double duty = std::max(footfalls.duties[0], least_duty);
      stepping_->pattern = {footfalls.period, duty, footfalls.phases, standing.robot.contact_count};
      const double speed = (1.0 + rounding) * std::abs(set_.found->speed);
      sizes_.velocity_ahead = std::max(sizes_.velocity_ahead, speed);
    }
    gait_.emplace(*stepping_);
    gait_->start(state);
    if (goes_on)  // a posture that moves does not let the rise begin again
    {
      gait_->rise() = rise;
    }
  }

  /// True if the motion of the gait that was found is wanted.
  bool is_played(const legged::Motion & asked) const noexcept
  {
    const Eigen::Vector2d ahead(set_.found->speed, 0.0);
    const double most = alike * std::abs(set_.found->speed);
    return (asked.velocity - ahead).norm() <= most &&
           std::abs(asked.yaw_rate) * set_.found->height <= most;
  }

  /// True if a foot lifts off in this cycle.
  bool lifts(const whole_body::Reference<Robot> & stepped) noexcept
  {
    bool result = false;
    for (int foot = 0; foot < gait_->count(); ++foot)
    {
      result = result || (stood_[foot] && !stepped.feet[foot].stance);
      stood_[foot] = stepped.feet[foot].stance;
    }
    return result;
  }

  /// Begins to play where feet stand as in steps of the same pattern, and the robot is near enough.
  bool play(
    const ground::State<Robot> & state, const whole_body::Reference<Robot> & stepped) noexcept
  {
    const double time = gait_->phase() * set_.found->footfalls.period;
    bool same = true;
    for (int foot = 0; foot < gait_->count(); ++foot)
    {
      same = same && stepped.feet[foot].stance == set_.found->stands(foot, time);
    }
    if (same)
    {
      playback_.emplace(*set_.found, *stepping_);
      if (!playback_->catches(playback_->begin(state, time)))
      {
        playback_.reset();
      }
    }
    return playback_.has_value();
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
  std::optional<Standing> stepping_;  ///< settings of its steps
  std::optional<legged::Playback<Robot>> playback_;
  Closed stood_{};  ///< feet, in the cycle before
  GaitSettings<Robot> set_;
  legged::Sizes sizes_;
  int missed_ = 0;  ///< lift-offs at which the gait that is wanted did not begin
  bool cut_ = false;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__COMMANDED_GAIT_HPP_
