// How a foot moves through the air.
#ifndef ROBCOGEN_ROS__LEGGED__SWING_HPP_
#define ROBCOGEN_ROS__LEGGED__SWING_HPP_

#include <Eigen/Core>
#include <algorithm>

namespace robcogen_ros::legged
{

/// Position, velocity and acceleration.
struct Course
{
  double position = 0.0, velocity = 0.0, acceleration = 0.0;

  /// Later on the way of least jerk from here that is at rest at a place after a while.
  ///
  /// Followed step by step, to a place that may change from step to step, the course is smooth to
  /// second order.
  ///
  /// \param left time until it rests [s]
  /// \param step how much later, at most `left` [s]
  Course towards(double place, double left, double step) const noexcept
  {
    if (step >= left)
    {
      return {place, 0.0, 0.0};
    }
    const double t = step / left, way = place - position;
    const double v = velocity * left, a = acceleration * left * left;
    const double c3 = 10.0 * way - 6.0 * v - 1.5 * a;
    const double c4 = -15.0 * way + 8.0 * v + 1.5 * a;
    const double c5 = 6.0 * way - 3.0 * v - 0.5 * a;
    return {
      position + t * (v + t * (0.5 * a + t * (c3 + t * (c4 + t * c5)))),
      (v + t * (a + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))) / left,
      (a + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))) / (left * left)};
  }
};

/// A foot from its lift-off to its touch-down: it leaves the ground at rest, rises, and comes down
/// where it is to stand, turned as it is to stand. If it meets no ground there it sinks until it
/// does.
class Swing
{
public:
  /// \param from where the foot stands [m]
  /// \param heading in which it stands [rad]
  /// \param duration until it stands again [s]
  /// \param height of its middle above the line between both ends [m]
  /// \param speed at which it comes down [m/s]
  Swing(
    const Eigen::Vector3d & from, double heading, double duration, double height,
    double speed) noexcept
  : turn_{heading, 0.0, 0.0}, duration_(duration), height_(height), speed_(speed), start_(from.z())
  {
    for (int i = 0; i < 3; ++i)
    {
      axes_[i].position = from(i);
    }
  }
  Swing() noexcept : Swing(Eigen::Vector3d::Zero(), 0.0, 1.0, 0.0, 0.0) {}

  /// Moves on.
  ///
  /// \param foothold where the foot is to stand [m]
  /// \param heading in which it is to [rad]
  /// \param step length of the cycle [s]
  /// \param sinking speed at which it looks for the ground when its time is over [m/s]
  void advance(
    const Eigen::Vector3d & foothold, double heading, double step, double sinking) noexcept
  {
    const double left = duration_ - elapsed_;
    elapsed_ += step;
    if (left > 0.0)
    {
      axes_[0] = axes_[0].towards(foothold.x(), left, step);
      axes_[1] = axes_[1].towards(foothold.y(), left, step);
      turn_ = turn_.towards(heading, left, step);
      rise_ = rise_.towards(foothold.z() - start_, left, step);
      const double s = std::min(elapsed_ / duration_, 1.0), r = 1.0 - s, rate = 1.0 / duration_;
      axes_[2].position = start_ + rise_.position + 64.0 * height_ * s * s * s * r * r * r +
                          speed_ * duration_ * s * s * s * r;
      axes_[2].velocity = rise_.velocity + 192.0 * height_ * rate * s * s * r * r * (r - s) +
                          speed_ * s * s * (3.0 * r - s);
      axes_[2].acceleration = rise_.acceleration +
                              384.0 * height_ * rate * rate * s * r * (1.0 - 5.0 * s * r) +
                              6.0 * speed_ * rate * s * (r - s);
    }
    else
    {
      // The speed of sinking grows smoothly, within the time of a swing.
      const double s = std::min((elapsed_ - duration_) / duration_, 1.0);
      const double grows = std::max(sinking - speed_, 0.0);
      axes_[2].velocity = -speed_ - grows * s * s * (3.0 - 2.0 * s);
      axes_[2].position += step * axes_[2].velocity;
      axes_[2].acceleration = s < 1.0 ? -grows / duration_ * 6.0 * s * (1.0 - s) : 0.0;
    }
  }

  /// Takes in whether the foot is felt to touch; returns whether it stands from now on. It has
  /// touched in each of the last cycles, for noise of its force lets a foot in the air touch in
  /// one.
  ///
  /// \param early share of the time from which on it may
  bool lands(bool touches, double early) noexcept
  {
    touched_ = touches && progress() >= early ? touched_ + 1 : 0;
    return touched_ >= sure;
  }

  /// Time until touch-down, 0 when it is over [s].
  double left() const noexcept { return std::max(duration_ - elapsed_, 0.0); }
  /// Share of the time that has passed.
  double progress() const noexcept { return elapsed_ / duration_; }

  const Course & heading() const noexcept { return turn_; }
  Eigen::Vector3d position() const noexcept
  {
    return {axes_[0].position, axes_[1].position, axes_[2].position};
  }
  Eigen::Vector3d velocity() const noexcept
  {
    return {axes_[0].velocity, axes_[1].velocity, axes_[2].velocity};
  }
  Eigen::Vector3d acceleration() const noexcept
  {
    return {axes_[0].acceleration, axes_[1].acceleration, axes_[2].acceleration};
  }

private:
  static constexpr int sure = 3;  ///< cycles in a row in which a foot touches that stands

  Course axes_[3], turn_;
  Course rise_;  // from the height of the start to that of the foothold, without the arc
  double duration_, elapsed_ = 0.0, height_, speed_, start_;
  int touched_ = 0;  ///< for how many cycles
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SWING_HPP_
