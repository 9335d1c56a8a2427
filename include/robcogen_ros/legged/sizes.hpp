// Gaits of robots on two and four legs, with times and lengths by their height.
#ifndef ROBCOGEN_ROS__LEGGED__SIZES_HPP_
#define ROBCOGEN_ROS__LEGGED__SIZES_HPP_

#include <cmath>
#include <string_view>

#include "robcogen_ros/legged/placement.hpp"
#include "robcogen_ros/legged/settings.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"

namespace robcogen_ros::legged
{

/// What a robot does when it is told to move.
enum class GaitName
{
  stand,
  trot,
  walk,
  played,  ///< one that was found
};

/// The gait of a name.
inline GaitName gait_name(std::string_view word) noexcept
{
  return word == "trot"     ? GaitName::trot
         : word == "walk"   ? GaitName::walk
         : word == "played" ? GaitName::played
                            : GaitName::stand;
}

/// Returns whether a robot has the feet of a gait: to trot four points, to walk four points or two
/// feet. One that was found is played on four points: a Talos falls where it gets into one by
/// steps.
template <typename Robot>
constexpr bool has_feet_for(GaitName gait, const Robot & robot = Robot()) noexcept
{
  bool points = robot.contact_count == 4;
  for (const auto & contact : robot.contacts)
  {
    points = points && contact.rows() == 3;
  }
  return gait == GaitName::stand || points || (gait == GaitName::walk && robot.contact_count == 2);
}

/// Times and lengths of a gait; zero where the robot's height decides.
struct Sizes
{
  double period;          ///< of the cycle [s]
  double duty;            ///< share of it in which a foot stands
  double swing_height;    ///< [m]
  double longest_step;    ///< [m]
  double velocity_ahead;  ///< greatest [m/s]
  double velocity_aside;  ///< greatest [m/s]
  double yaw_rate;        ///< greatest [rad/s]
  bool recover;           ///< whether a robot that stands steps where a push would topple it

  explicit Sizes(const parameters::WholeBodyController & given = parameters::WholeBodyController())
  : period(of_gait(given.gait, given.gait_period)),
    duty(of_gait(given.gait, given.gait_duty)),
    swing_height(given.swing_height),
    longest_step(given.longest_step),
    velocity_ahead(given.greatest_velocity[0]),
    velocity_aside(given.greatest_velocity[1]),
    yaw_rate(given.greatest_yaw_rate),
    recover(given.recover)
  {
  }

  bool operator==(const Sizes & other) const noexcept
  {
    return period == other.period && duty == other.duty && swing_height == other.swing_height &&
           longest_step == other.longest_step && velocity_ahead == other.velocity_ahead &&
           velocity_aside == other.velocity_aside && yaw_rate == other.yaw_rate &&
           recover == other.recover;
  }

  /// With numbers for zeros.
  ///
  /// \param height of the base above its feet [m]
  /// \param gravity [m/s^2]
  template <typename Robot>
  Sizes filled(GaitName gait, double height, double gravity, const Robot & robot) const noexcept
  {
    const auto or_else = [](double number, double otherwise)
    { return number > 0.0 ? number : otherwise; };
    const Shares usual = usual_shares(gait, robot);
    Sizes result = *this;
    result.period = or_else(period, usual.period * std::sqrt(height / gravity));
    result.duty = or_else(duty, usual.duty);
    result.swing_height = or_else(swing_height, usual.swing_height * height);
    result.longest_step = or_else(longest_step, 0.4 * height);
    const double fast = usual.speed * std::sqrt(gravity * height);
    result.velocity_ahead = or_else(velocity_ahead, fast);
    result.velocity_aside = or_else(velocity_aside, 0.5 * fast);
    result.yaw_rate = or_else(yaw_rate, fast / height);
    return result;
  }

private:
  /// Of numbers of a trot and of a walk that of a gait.
  static double of_gait(std::string_view name, const parameters::Numbers & numbers) noexcept
  {
    return numbers[gait_name(name) == GaitName::walk ? 1 : 0];
  }

  /// By the height of a robot: period by the root of height by gravity, duty, lift by height, speed
  /// by the root of gravity times height.
  struct Shares
  {
    double period, duty, swing_height, speed;
  };

  template <typename Robot>
  static Shares usual_shares(GaitName gait, const Robot & robot) noexcept
  {
    if (gait == GaitName::trot || (gait == GaitName::played && robot.contact_count == 4))
    {
      return {2.0, 0.55, 0.13, 0.15};
    }
    if (robot.contact_count == 2)
    {
      const bool flat = robot.contacts[0].rows() == 6;
      return flat ? Shares{4.0, 0.6, 0.06, 0.06} : Shares{2.2, 0.55, 0.06, 0.02};
    }
    return {16.0, 0.9, 0.13, 0.04};
  }
};

/// Settings of a gait, for a robot that can step.
///
/// \param standing settings with gravity, posture and constants of the robot
/// \param placement of the robot as it stands so
/// \param sizes without zeros
template <typename Robot>
Settings<Robot> sized(
  Settings<Robot> standing, const Placement<Robot> & placement, GaitName gait,
  const Sizes & sizes) noexcept
{
  constexpr int feet = SizesOf<Robot>::most_contacts;
  const int count = standing.robot.contact_count;
  standing.pattern = gait == GaitName::trot
                       ? trot<feet>(placement.below, sizes.period, sizes.duty, count)
                       : walk<feet>(placement.below, sizes.period, sizes.duty, count);
  standing.recover = sizes.recover;
  standing.swing_height = sizes.swing_height;
  standing.longest_step = sizes.longest_step;
  standing.settled = 0.05 * placement.height;
  // No foot comes to rest above the ground, where others wait for it: one of two that land at once
  // does where the estimated base leans.
  standing.touch_down_speed =
    (count == 2 ? 0.03 : 0.06) * std::sqrt(standing.gravity.norm() * placement.height);
  return standing;
}

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SIZES_HPP_
