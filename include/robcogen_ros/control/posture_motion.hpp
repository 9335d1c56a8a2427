// Motions of the posture that a robot on legs prefers.
#ifndef ROBCOGEN_ROS__CONTROL__POSTURE_MOTION_HPP_
#define ROBCOGEN_ROS__CONTROL__POSTURE_MOTION_HPP_

#include <cstdint>

#include "robcogen_ros/control/angles.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/trajectory.hpp"

namespace robcogen_ros::control
{

/// Moves a preferred posture through points, from where it is, within the limits of the joints but
/// for where it begins; joints of which nothing is told keep theirs. A posture that is set anew
/// ends it.
///
/// All members are for real time.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
class PostureMotion
{
public:
  using JointVector = typename Robot::JointVector;
  using Points = Waypoints<JointVector>;

  explicit PostureMotion(const Robot & robot = Robot()) noexcept
  : robot_(robot),
    limits_(robot),
    zero_(JointVector::Zero(robot.joint_count)),
    start_{0.0, zero_, zero_, zero_},
    now_(start_),
    set_(zero_),
    turns_(zero_)
  {
  }

  /// Begins a motion where the posture is. A joint that turns without end goes the short way to the
  /// first of the points.
  void begin(const Points & points, const JointVector & set) noexcept
  {
    start_ = moves_ && set == set_ ? now_ : Waypoint<JointVector>{0.0, set, zero_, zero_};
    start_.time = 0.0;
    const JointVector & told = points[points.size() > 1 && points[0].time == 0.0 ? 1 : 0].position;
    const JointVector away = told - start_.position;
    turns_ = wrapped(robot_, away) - away;
    moves_ = true;
    set_ = set;
  }

  /// Sets the posture of settings to the one some time after a motion began.
  ///
  /// \tparam Settings as WholeBodySettings
  /// \param set the posture that is preferred where nothing moves it
  template <typename Settings>
  void move(
    Settings & settings, const Points & points, double age, const JointVector & set) noexcept
  {
    moves_ = moves_ && set == set_;
    if (moves_)
    {
      const JointVector before = now_.position;
      sample(points, age);
      settings.posture = now_.position;
      changes_ += before == now_.position ? 0 : 1;
    }
    settings.gait.revision += changes_ << 32U;  // a gait stands by it
  }

private:
  void sample(const Points & points, double age) noexcept
  {
    // Points are told in other turns than the start is in.
    Waypoint<JointVector> first = start_;
    first.position -= turns_.array().isFinite().select(turns_, zero_);
    now_ = at(points, first, age);
    now_.position += turns_;
    const auto told = now_.position.array().isFinite();
    now_.velocity = told.select(now_.velocity, zero_);
    now_.acceleration = told.select(now_.acceleration, zero_);
    const JointVector lower = limits_.lower.cwiseMin(start_.position);
    const JointVector upper = limits_.upper.cwiseMax(start_.position);
    const JointVector inside = now_.position.cwiseMax(lower).cwiseMin(upper);
    now_.position = told.select(inside, start_.position);
  }

  const Robot robot_;
  const Limits<Robot> limits_;
  const JointVector zero_;
  Waypoint<JointVector> start_;
  Waypoint<JointVector> now_;
  JointVector set_;            ///< posture that was preferred as the motion began
  JointVector turns_;          ///< that joints are in beside those that the points tell
  std::uint64_t changes_ = 0;  ///< of the posture by motions
  bool moves_ = false;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__POSTURE_MOTION_HPP_
