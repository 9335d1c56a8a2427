// A frame of a robot that is controlled, and how it moves relative to another one.
#ifndef ROBCOGEN_ROS__CONTROL__TOOL_HPP_
#define ROBCOGEN_ROS__CONTROL__TOOL_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A rigid motion: angular velocity before that of the origin, in some frame's axes.
struct Pose
{
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

/// Place of the tool in the base frame, and its motion there.
template <typename Robot>
struct ToolMotion
{
  using Jacobian = MatrixWithin<6, SizesOf<Robot>::joints, 6, SizesOf<Robot>::most_joints>;

  Pose pose;
  Jacobian jacobian;                ///< of the tool's origin; angular rows first
  Vector6 twist = Vector6::Zero();  ///< [rad/s, m/s]
  Vector6 drift = Vector6::Zero();  ///< its acceleration where joints have none [rad/s^2, m/s^2]

  explicit ToolMotion(const Robot & robot = Robot()) noexcept
  : jacobian(Jacobian::Zero(6, robot.joint_count))
  {
  }
};

/// Two frames, base and tool, each of which may move.
///
/// \tparam Robot one that is known at run time; needs `kinematics`
template <typename Robot>
class Tool
{
public:
  using JointVector = typename Robot::JointVector;

  /// \param base, tool numbers of frames; it allocates
  Tool(const Robot & robot, int base, int tool) : base_(base), tool_(tool)
  {
    base_path_ = path(robot, base);
    tool_path_ = path(robot, tool);
    const auto ends =
      std::mismatch(base_path_.begin(), base_path_.end(), tool_path_.begin(), tool_path_.end());
    shared_ = static_cast<std::size_t>(ends.first - base_path_.begin());
  }

  /// Returns true if a joint moves the one relative to the other.
  bool moves() const noexcept { return base_path_.size() + tool_path_.size() > 2 * shared_; }

  /// \param q, qd positions and velocities of joints [rad or m, rad/s or m/s]
  ToolMotion<Robot> motion(
    const Robot & robot, const JointVector & q, const JointVector & qd) const noexcept
  {
    const auto found = robot.kinematics(q);
    const auto base = found.pose(base_), tool = found.pose(tool_);
    ToolMotion<Robot> result(robot);
    const Spatial of_base = run(robot, found.axes, base_path_, qd, -1.0, result.jacobian);
    const Spatial of_tool = run(robot, found.axes, tool_path_, qd, 1.0, result.jacobian);
    const Vector6 twist = of_tool.velocity - of_base.velocity;
    const Vector6 drift = of_tool.drift - of_base.drift - cross(of_base.velocity, twist);
    const Eigen::Matrix3d back = base.rotation().transpose();
    const Eigen::Vector3d origin = tool.translation();
    for (int i = 0; i < robot.joint_count; ++i)
    {
      result.jacobian.col(i) = at(origin, back, result.jacobian.col(i));
    }
    result.twist = at(origin, back, twist);
    result.drift = at(origin, back, drift);
    const Eigen::Vector3d w = result.twist.template head<3>();
    result.drift.template tail<3>() += w.cross(result.twist.template tail<3>());
    result.pose.position = back * (origin - base.translation());
    result.pose.orientation = Eigen::Quaterniond(Eigen::Matrix3d(back * tool.rotation()));
    return result;
  }

private:
  /// Velocity and acceleration about the origin of the robot's base, in its axes.
  struct Spatial
  {
    Vector6 velocity = Vector6::Zero(), drift = Vector6::Zero();
  };

  /// The joints from the robot's base to a frame.
  static std::vector<int> path(const Robot & robot, int frame)
  {
    std::vector<int> result;
    for (int link = robot.frame_links[frame]; link > 0; link = robot.joint_parents[link - 1])
    {
      result.push_back(link - 1);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  /// Runs along a path; adds the axes of its joints, those that both paths have left out.
  Spatial run(
    const Robot & robot, const double * axes, const std::vector<int> & path, const JointVector & qd,
    double sign, typename ToolMotion<Robot>::Jacobian & jacobian) const noexcept
  {
    Spatial result;
    for (std::size_t i = 0; i < path.size(); ++i)
    {
      const int joint = path[i], own = robot.joint_coordinates[joint];
      const Vector6 axis =
        robot.joint_multipliers[joint] * Eigen::Map<const Vector6>(axes + 6 * joint);
      result.drift += qd(own) * cross(result.velocity, axis);
      result.velocity += qd(own) * axis;
      if (i >= shared_)
      {
        jacobian.col(own) += sign * axis;
      }
    }
    return result;
  }

  /// Returns the rate of a motion vector that moves with a velocity (Featherstone 2008, 2.9).
  static Vector6 cross(const Vector6 & velocity, const Vector6 & motion) noexcept
  {
    const Eigen::Vector3d w = velocity.head<3>(), v = velocity.tail<3>();
    const Eigen::Vector3d turn = motion.head<3>(), move = motion.tail<3>();
    Vector6 result;
    result << w.cross(turn), w.cross(move) + v.cross(turn);
    return result;
  }

  /// A motion about another point, in turned axes.
  static Vector6 at(
    const Eigen::Vector3d & point, const Eigen::Matrix3d & back, const Vector6 & motion) noexcept
  {
    const Eigen::Vector3d w = motion.head<3>();
    Vector6 result;
    result << back * w, back * (motion.tail<3>() + w.cross(point));
    return result;
  }

  int base_, tool_;
  std::vector<int> base_path_, tool_path_;
  std::size_t shared_ = 0;  ///< how many joints both begin with
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TOOL_HPP_
