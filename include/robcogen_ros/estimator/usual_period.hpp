// The usual period of cycles, and how much of a late one counts.
#ifndef ROBCOGEN_ROS__ESTIMATOR__USUAL_PERIOD_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__USUAL_PERIOD_HPP_

namespace robcogen_ros::estimator
{

/// Finds the usual period of cycles, their median, by steps towards each.
class UsualPeriod
{
public:
  void forget() noexcept { usual_ = 0.0; }

  /// Takes in a cycle, and returns the usual period [s].
  double take(double step) noexcept
  {
    usual_ = usual_ > 0.0 ? usual_ * (step > usual_ ? nudge : 1.0 / nudge) : step;
    return usual_;
  }

  /// Takes in a cycle, and returns the time that a reading at its end tells of: all of it, or the
  /// usual period where it is late [s].
  double told(double step) noexcept { return step > late * take(step) ? usual_ : step; }

private:
  static constexpr double late = 1.5, nudge = 1.05;

  double usual_ = 0.0;  ///< zero while there is none [s]
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__USUAL_PERIOD_HPP_
