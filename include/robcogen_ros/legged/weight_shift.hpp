// How a robot gets its weight over the feet that are to carry it, where its legs are spread.
#ifndef ROBCOGEN_ROS__LEGGED__WEIGHT_SHIFT_HPP_
#define ROBCOGEN_ROS__LEGGED__WEIGHT_SHIFT_HPP_

#include <Eigen/Core>

namespace robcogen_ros::legged
{

/// Waits of a robot that sways, for its capture point to come over the feet that are to carry it.
///
/// Driven there at leisure, the center of mass comes along, which legs that are spread do not allow
/// that far. Driven as fast as the support allows, and from above the other feet, the capture point
/// is there while the center of mass is still amidst all of them. So a robot that has waited for
/// too long turns to the other feet and hurries, again and again. It gives up for a while after too
/// many turns, or where it has stopped so short of the feet that legs would not do in a hurry.
class WeightShift
{
public:
  static constexpr double hurry = 4.0;  ///< times the usual gain of the capture point's errors

  /// Feet lift off, or a robot that stood is to step.
  void begin() noexcept
  {
    waited_ = 0.0;
    turns_ = 0;
  }

  /// Waits for another step; returns whether it turns to the other feet.
  ///
  /// \param step length of the cycle [s]
  /// \param patience how long to wait [s]
  /// \param way from amidst all feet to those that are to carry [m]
  /// \param come where the capture point has come, from there [m]
  bool turns(
    double step, double patience, const Eigen::Vector2d & way,
    const Eigen::Vector2d & come) noexcept
  {
    waited_ += step;
    if (waited_ <= (in_vain() ? rest : 1.0) * patience)
    {
      return false;
    }
    const double along = way.dot(come);
    const bool stretched = along >= 0.0 && along < least * way.squaredNorm();
    turns_ = in_vain() ? 0 : stretched ? most + 1 : turns_ + 1;
    waited_ = 0.0;
    return hurries();
  }

  bool hurries() const noexcept { return turns_ > 0 && !in_vain(); }
  bool in_vain() const noexcept { return turns_ > most; }  ///< whether it has given up

private:
  static constexpr double least = 1.0 / 3.0;  ///< share of the way to the feet
  static constexpr double rest = 10.0;        ///< times the patience, after which it tries again
  static constexpr int most = 6;              ///< turns

  double waited_ = 0.0;  ///< since the last of them [s]
  int turns_ = 0;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__WEIGHT_SHIFT_HPP_
