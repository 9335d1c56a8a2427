// The chain of joints between two frames of a robot.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__ROBOT_CHAIN_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__ROBOT_CHAIN_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "robcogen_ros/inverse_kinematics/inverse_kinematics.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// Reasons to refuse a chain.
enum class ChainProblem
{
  none,
  not_carried,  ///< the second frame is not beyond the first
  no_joints,    ///< none leads from one to the other
  too_many,     ///< more than `most_joints`
  together      ///< a joint of it follows another one, or leads one
};

/// A chain of a robot, or why there is none.
struct RobotChain
{
  Chain chain;
  std::vector<Joint> joints;
  ChainProblem problem = ChainProblem::none;

  /// \param base, tip numbers of frames, of which the first carries the second
  template <typename Robot>
  RobotChain(const Robot & robot, int base, int tip)
  {
    const std::vector<int> path = path_of(robot, base, tip);
    if (problem != ChainProblem::none)
    {
      return;
    }
    typename Robot::JointVector zero = Robot::JointVector::Zero(robot.joint_count);
    const auto all = robot.kinematics(zero);
    const auto pose = [&all](int frame)
    {
      const auto found = all.pose(frame);
      return Pose{found.rotation(), found.translation()};
    };
    const Pose back = pose(base).inverse();
    chain.tip = back * pose(tip);
    for (const int joint : path)
    {
      chain.add(
        axis(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(all.axes + 6 * joint)).moved(back));
      const int own = robot.joint_coordinates[joint];
      joints.push_back({own, robot.lower_limits[own], robot.upper_limits[own]});
    }
  }

private:
  /// The axis of a motion [w; v] about an origin.
  static Axis axis(const Eigen::Matrix<double, 6, 1> & motion) noexcept
  {
    const Vector3d w = motion.head<3>(), v = motion.tail<3>();
    const double turn = w.norm();
    if (turn < 1e-12)
    {
      return {v.normalized(), Vector3d::Zero(), 0.0, v.norm()};
    }
    const Vector3d direction = w / turn;
    const double slide = direction.dot(v);
    return {
      direction, w.cross(v) / (turn * turn), std::abs(turn - 1.0) < 1e-12 ? 1.0 : turn,
      std::abs(slide) < 1e-15 ? 0.0 : slide};
  }

  /// The joints from one frame to the other.
  template <typename Robot>
  std::vector<int> path_of(const Robot & robot, int base, int tip)
  {
    std::vector<int> result;
    const int end = robot.frame_links[base];
    int link = robot.frame_links[tip];
    for (; link > end; link = robot.joint_parents[link - 1])
    {
      result.push_back(link - 1);
    }
    std::reverse(result.begin(), result.end());
    const auto count = [&robot](int coordinate)
    {
      return std::count(
        robot.joint_coordinates, robot.joint_coordinates + robot.moving_joint_count, coordinate);
    };
    if (link != end)
    {
      problem = ChainProblem::not_carried;
    }
    else if (result.empty())
    {
      problem = ChainProblem::no_joints;
    }
    else if (result.size() > most_joints)
    {
      problem = ChainProblem::too_many;
    }
    else if (
      std::any_of(
        result.begin(), result.end(),
        [&](int joint) { return count(robot.joint_coordinates[joint]) > 1; }))
    {
      problem = ChainProblem::together;
    }
    return result;
  }
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__ROBOT_CHAIN_HPP_
