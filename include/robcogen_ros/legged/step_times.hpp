// Periods and duties that robots step with.
#ifndef ROBCOGEN_ROS__LEGGED__STEP_TIMES_HPP_
#define ROBCOGEN_ROS__LEGGED__STEP_TIMES_HPP_

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>

#include "robcogen_ros/legged/placement.hpp"
#include "robcogen_ros/legged/settings.hpp"
#include "robcogen_ros/legged/sizes.hpp"

namespace robcogen_ros::legged
{

/// Shortest period of a gait: that of a robot two centimeters high is longer [s].
constexpr double least_period = 0.1;

/// Least share of the period in which a foot stands: of a trot half of the feet do; of a walk of
/// more than two all but one, and all in a fifth of the period, in which the trunk leans. Zero of
/// other gaits.
constexpr double least_duty(GaitName gait, int feet) noexcept
{
  return gait == GaitName::trot   ? 0.5
         : gait != GaitName::walk ? 0.0
         : feet > 2               ? 1.0 - 0.8 / feet
                                  : 0.5;
}

/// The least feet that stand at a time in a gait.
constexpr int least_feet(GaitName gait, int feet) noexcept
{
  return gait == GaitName::stand ? feet : gait == GaitName::walk ? feet - 1 : feet / 2;
}

/// Returns why no robot steps with a period and a duty; nothing if one does, and for zeros, which
/// are those of its height.
///
/// \param prefix of their names
inline std::string step_times_problem(
  GaitName gait, int feet, double period, double duty, const std::string & prefix = "")
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  const double least = least_duty(gait, feet);
  if (period > 0.0 && period < least_period)
  {
    text << prefix << "period: expected " << least_period << " s or more, found " << period;
  }
  else if (duty > 0.0 && duty < least)
  {
    text << prefix << "duty: expected " << least << " or more of a "
         << (gait == GaitName::walk ? "walk, which leans on all feet before one lifts" : "trot")
         << ", found " << duty;
  }
  return text.str();
}

/// Returns why a robot of its height does not keep up with a period and a duty; nothing if it does.
///
/// A pendulum of that height falls within a trot that lasts for longer; feet that are in the air
/// for less throw the robot up.
///
/// \param standing settings with gravity and posture of the robot
/// \param period, duty without zeros
/// \param prefix of their names
template <typename Robot>
std::string pace_problem(
  GaitName gait, const Settings<Robot> & standing, double period, double duty,
  const std::string & prefix = "")
{
  constexpr double least = 1.25, most = 5.0, least_swing = 0.5;  // by the pendulum's time
  const double height = Placement<Robot>(standing).height;
  const double time = std::sqrt(std::max(height, 0.0) / standing.gravity.norm());
  const bool trots = gait == GaitName::trot;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(2);
  if (trots && (period < least * time || period > most * time))
  {
    text << prefix << "period: expected " << least * time << " to " << most * time
         << " s of a trot of a robot whose base is " << height << " m high, found " << period;
  }
  else if (trots || gait == GaitName::walk)
  {
    const double swing = (1.0 - duty) * period;
    if (swing < least_swing * time)
    {
      text << prefix << "period and duty: feet are in the air for " << swing
           << " s a step, expected " << least_swing * time << " or more of a robot whose base is "
           << height << " m high: give a longer period or a lower duty";
    }
  }
  return text.str();
}

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__STEP_TIMES_HPP_
