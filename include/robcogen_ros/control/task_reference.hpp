// Where a tool is to be, from sources that may jump or fall silent.
#ifndef ROBCOGEN_ROS__CONTROL__TASK_REFERENCE_HPP_
#define ROBCOGEN_ROS__CONTROL__TASK_REFERENCE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "robcogen_ros/control/tool.hpp"
#include "robcogen_ros/parameters/task_space_controller.hpp"
#include "robcogen_ros/turn.hpp"

namespace robcogen_ros::control
{

/// Request for a tool in a cycle, in the base frame; NaN where nothing is said.
struct TaskRequest
{
  static constexpr double silent = std::numeric_limits<double>::quiet_NaN();

  Eigen::Vector3d position = Eigen::Vector3d::Constant(silent);     ///< [m]
  Eigen::Vector4d orientation = Eigen::Vector4d::Constant(silent);  ///< x, y, z, w
  Vector6 twist = Vector6::Constant(silent);                        ///< [rad/s, m/s]
  Vector6 wrench = Vector6::Constant(silent);                       ///< on the world [N m, N]

  bool has_pose() const noexcept
  {
    constexpr double utmost = 1e6;  // [m]
    return (position.array().abs() <= utmost).all() && is_unit(orientation);
  }
};

/// Bounds of the motion of a target.
struct TaskBounds
{
  double angle, distance;       ///< ahead of the tool [rad], [m]
  double angular_speed, speed;  ///< [rad/s], [m/s]
  double torque, force;         ///< of a wrench [N m], [N]

  explicit TaskBounds(const parameters::TaskSpaceController & table) noexcept
  : angle(table.max_angular_error),
    distance(table.max_linear_error),
    angular_speed(table.max_angular_velocity),
    speed(table.max_linear_velocity),
    torque(table.max_torque),
    force(table.max_force)
  {
  }
};

/// The target of a tool: it goes to where the reference is, no faster and no further ahead of the
/// tool than it may. A twist alone moves the reference, but not on from a target that waits.
class TaskReference
{
public:
  /// \param patience how long a twist and a wrench hold [s]
  explicit TaskReference(double patience) noexcept : patience_(patience) {}

  /// The tool is to stand at a pose.
  void hold(const Pose & pose) noexcept
  {
    goal_ = target_ = pose;
    rest();
  }

  /// No twist and no wrench holds any longer.
  void rest() noexcept
  {
    twist_.setZero();
    wrench_.setZero();
  }

  /// A cycle.
  ///
  /// \param tool where the tool is
  /// \param step time since the last one [s]
  void take(
    const TaskRequest & request, const Pose & tool, const TaskBounds & bounds, double step) noexcept
  {
    constexpr double longest = 0.1;  // [s]
    const double time = step > 0.0 ? std::min(step, longest) : 0.0;
    hear(request.twist, bounds.angular_speed, bounds.speed, step, twist_, twist_age_);
    hear(request.wrench, bounds.torque, bounds.force, step, wrench_, wrench_age_);
    if (request.has_pose())
    {
      goal_.position = request.position;
      goal_.orientation = Eigen::Quaterniond(request.orientation.normalized());
    }
    else
    {
      goal_.position += time * twist_.tail<3>();
      goal_.orientation = turned(time * twist_.head<3>(), goal_.orientation);
    }
    follow(bounds, time);
    if (waits(tool, bounds) && !request.has_pose() && !twist_.isZero())
    {
      goal_ = target_;
    }
  }

  const Pose & target() const noexcept { return target_; }
  const Vector6 & twist() const noexcept { return twist_; }    ///< [rad/s, m/s]
  const Vector6 & wrench() const noexcept { return wrench_; }  ///< on the world [N m, N]
  /// Returns true if the target is where the reference is.
  bool reached() const noexcept
  {
    return target_.position == goal_.position &&
           target_.orientation.coeffs() == goal_.orientation.coeffs();
  }

private:
  /// Takes over what was said, or forgets what was said too long ago.
  void hear(
    const Vector6 & said, double angular, double linear, double step, Vector6 & kept,
    double & age) noexcept
  {
    age = said.allFinite() ? 0.0 : age + (step > 0.0 ? step : 0.0);
    if (said.allFinite())
    {
      Eigen::Vector3d turning = said.head<3>(), moving = said.tail<3>();
      shorten(turning, angular);
      shorten(moving, linear);
      kept << turning, moving;
    }
    else if (age > patience_)
    {
      kept.setZero();
    }
  }

  /// Moves the target to the goal.
  void follow(const TaskBounds & bounds, double time) noexcept
  {
    Eigen::Vector3d way = goal_.position - target_.position;
    Eigen::Vector3d turn = turn_between(target_.orientation, goal_.orientation);
    target_.position = shorten(way, time * bounds.speed) ? target_.position + way : goal_.position;
    target_.orientation = shorten(turn, time * bounds.angular_speed)
                            ? turned(turn, target_.orientation)
                            : goal_.orientation;
  }

  /// Keeps it near to the tool; returns whether it was not.
  bool waits(const Pose & tool, const TaskBounds & bounds) noexcept
  {
    Eigen::Vector3d way = target_.position - tool.position;
    Eigen::Vector3d turn = turn_between(tool.orientation, target_.orientation);
    const bool ahead = shorten(way, bounds.distance), turns = shorten(turn, bounds.angle);
    target_.position = ahead ? tool.position + way : target_.position;
    target_.orientation = turns ? turned(turn, tool.orientation) : target_.orientation;
    return ahead || turns;
  }

  const double patience_;
  Pose goal_, target_;
  Vector6 twist_ = Vector6::Zero(), wrench_ = Vector6::Zero();
  double twist_age_ = 0.0, wrench_age_ = 0.0;  ///< [s]
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TASK_REFERENCE_HPP_
