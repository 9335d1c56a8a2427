// Motions of trunk and feet of a robot on legs through poses at given times.
#ifndef ROBCOGEN_ROS__CONTROL__TRUNK_PLAN_HPP_
#define ROBCOGEN_ROS__CONTROL__TRUNK_PLAN_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>

#include "robcogen_ros/control/trajectory.hpp"
#include "robcogen_ros/control/whole_body_reference.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::control
{

/// Position and quaternion x, y, z, w of any length.
using Pose = Eigen::Matrix<double, 7, 1>;

/// Returns the pose of a motion with its derivatives by time.
///
/// \param near a quaternion: of the two of the orientation, the one that is nearer to it
inline Waypoint<Pose> waypoint(
  double time, const whole_body::Motion & motion, const Eigen::Vector4d & near) noexcept
{
  const auto times = [](const Eigen::Vector3d & vector, const Eigen::Quaterniond & turn)
  { return Eigen::Quaterniond(0.0, vector.x(), vector.y(), vector.z()) * turn; };
  Eigen::Quaterniond turn = motion.orientation.normalized();
  turn.coeffs() *= turn.coeffs().dot(near) < 0.0 ? -1.0 : 1.0;
  Eigen::Quaterniond rate = times(motion.angular_velocity, turn);
  rate.coeffs() *= 0.5;
  const Eigen::Vector4d second = 0.5 * (times(motion.angular_acceleration, turn).coeffs() +
                                        times(motion.angular_velocity, rate).coeffs());
  Waypoint<Pose> result{time, Pose(), Pose(), Pose()};
  result.position << motion.position, turn.coeffs();
  result.velocity << motion.linear_velocity, rate.coeffs();
  result.acceleration << motion.linear_acceleration, second;
  return result;
}

/// Returns the motion of a pose, whose quaternion may have any length.
inline whole_body::Motion motion_of(const Waypoint<Pose> & pose) noexcept
{
  const Eigen::Vector4d q = pose.position.tail<4>(), dq = pose.velocity.tail<4>();
  const double size = q.norm();
  const Eigen::Vector4d unit = q / size, rate = (dq - unit * unit.dot(dq)) / size;
  const Eigen::Vector4d ddq = pose.acceleration.tail<4>();
  const Eigen::Vector4d second =
    ddq / size - 2.0 * rate * unit.dot(dq) / size - unit * (rate.dot(dq) + unit.dot(ddq)) / size;
  const Eigen::Quaterniond turn(unit);
  const auto turning = [&turn](const Eigen::Vector4d & change)
  { return Eigen::Vector3d(2.0 * (Eigen::Quaterniond(change) * turn.conjugate()).vec()); };
  whole_body::Motion motion;
  motion.position = pose.position.head<3>();
  motion.orientation = turn;
  motion.linear_velocity = pose.velocity.head<3>();
  motion.linear_acceleration = pose.acceleration.head<3>();
  motion.angular_velocity = turning(rate);
  motion.angular_acceleration = turning(second);
  return motion;
}

/// What trunk and swinging feet are to do from a moment on: motions through the poses of points.
///
/// Positions and quaternions are interpolated, as trajectory.hpp tells, so that twists and
/// accelerations are those of the poses.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class TrunkPlan
{
public:
  using Reference = whole_body::Reference<Robot>;

  /// Adds a point; feet that stand in the first one stand throughout. A twist or an acceleration
  /// that is NaN is chosen where there are several points.
  void add(double time, const Reference & point)
  {
    add(time, point.trunk, motions_.back());
    for (std::size_t i = 0; i < point.feet.size(); ++i)
    {
      if (!point.feet[i].stance)
      {
        add(time, point.feet[i].motion, motions_[i]);
      }
    }
    duration_ = time;
  }

  double duration() const noexcept { return duration_; }  ///< time of the last point [s]

  /// Returns what is to be done some time after the first point; after the last one it is carried
  /// on for a while. For real time.
  ///
  /// \param nothing to do
  Reference sample(double age, double patience, Reference nothing) const noexcept
  {
    nothing.waits = duration_ > 0.0;
    sample(age, motions_.back(), nothing.trunk);
    for (std::size_t i = 0; i < nothing.feet.size(); ++i)
    {
      nothing.feet[i].stance = motions_[i].empty();
      sample(age, motions_[i], nothing.feet[i].motion);
    }
    return carried_on<Robot>(nothing, late(age), patience);
  }

  /// How long ago the last point was [s].
  double late(double age) const noexcept { return std::max(0.0, age - duration_); }

private:
  using Course = Waypoints<Pose>;

  static void add(double time, const whole_body::Motion & motion, Course & course)
  {
    const Eigen::Vector4d near =
      course.empty() ? motion.orientation.coeffs() : course.back().position.tail<4>().eval();
    course.push_back(waypoint(time, motion, near));
  }

  /// A twist is carried on after the last point, an acceleration only if that point tells it.
  static void sample(double age, const Course & course, whole_body::Motion & motion) noexcept
  {
    if (course.empty())
    {
      return;
    }
    motion = motion_of(at(course, course.front(), age));
    if (age > course.back().time && course.size() > 1 && !course.back().acceleration.allFinite())
    {
      motion.linear_acceleration.setZero();
      motion.angular_acceleration.setZero();
    }
  }

  std::array<Course, SizesOf<Robot>::most_contacts + 1> motions_;  ///< of feet, last of the trunk
  double duration_ = 0.0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TRUNK_PLAN_HPP_
