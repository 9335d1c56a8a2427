// A chain of joints between two frames of a robot that is known at run time, by their names.
#ifndef ROBCOGEN_ROS__PLUGINS__MODEL_CHAIN_HPP_
#define ROBCOGEN_ROS__PLUGINS__MODEL_CHAIN_HPP_

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/core/runtime_model.hpp"
#include "robcogen_ros/inverse_kinematics/robot_chain.hpp"

namespace robcogen_ros::plugins
{

/// The joints from one frame of a robot outwards to another, and where they bring frames.
///
/// One thread at a time.
class ModelChain
{
public:
  using Pose = inverse_kinematics::Pose;

  /// \param model a robot with the function `kinematics`
  /// \param base, tip names of frames
  /// \throws std::invalid_argument if there is no such chain
  ModelChain(const robcogen_model * model, const std::string & base, const std::string & tip)
  : robot_(model, {"kinematics"}), base_(known(base)), found_(robot_, base_, known(tip))
  {
    using inverse_kinematics::ChainProblem;
    const ChainProblem problem = found_.problem;
    if (problem != ChainProblem::none)
    {
      throw std::invalid_argument(
        "from '" + base + "' to '" + tip + "' " +
        (problem == ChainProblem::not_carried ? "no joints lead outwards"
         : problem == ChainProblem::no_joints ? "there are no joints"
         : problem == ChainProblem::too_many  ? "there are more than 16 joints"
                                              : "a joint follows another one, or leads one"));
    }
  }

  const inverse_kinematics::Chain & chain() const noexcept { return found_.chain; }
  const std::vector<inverse_kinematics::Joint> & joints() const noexcept { return found_.joints; }

  std::vector<std::string> joint_names() const
  {
    std::vector<std::string> result;
    for (const auto & joint : joints())
    {
      result.emplace_back(robot_.joint_names[joint.coordinate]);
    }
    return result;
  }

  /// Returns the pose of a frame in the base; nothing if it is none that these joints place.
  ///
  /// \param positions of the joints [rad or m]
  std::optional<Pose> pose(const std::string & name, const std::vector<double> & positions) const
  {
    const int frame = number(name);
    if (frame < 0 || !places(frame))
    {
      return std::nullopt;
    }
    RuntimeModel::JointVector q = RuntimeModel::JointVector::Zero(robot_.joint_count);
    for (std::size_t i = 0; i < positions.size(); ++i)
    {
      q(joints()[i].coordinate) = positions[i];
    }
    const auto all = robot_.kinematics(q);
    const auto from = all.pose(base_), to = all.pose(frame);
    return Pose{from.rotation(), from.translation()}.inverse() *
           Pose{to.rotation(), to.translation()};
  }

private:
  /// Returns the number of a frame, or -1 if there is none of this name.
  int number(const std::string & name) const
  {
    const auto * const end = robot_.frame_names + robot_.frame_count;
    const auto * const found = std::find(robot_.frame_names, end, name);
    return found == end ? -1 : static_cast<int>(found - robot_.frame_names);
  }

  /// \throws std::invalid_argument that lists all names if there is none of this name
  int known(const std::string & name) const
  {
    const int frame = number(name);
    if (frame >= 0)
    {
      return frame;
    }
    std::string message = "the robot has no link '" + name + "'; it has";
    for (int i = 0; i < robot_.frame_count; ++i)
    {
      message += std::string(" ") + robot_.frame_names[i];
    }
    throw std::invalid_argument(message);
  }

  /// Returns true if joints of the chain alone are between the base and a frame.
  bool places(int frame) const
  {
    int link = robot_.frame_links[frame];
    for (const int end = robot_.frame_links[base_]; link > end;)
    {
      const int coordinate = robot_.joint_coordinates[link - 1];
      const auto moves = [coordinate](const auto & joint)
      { return joint.coordinate == coordinate; };
      if (std::none_of(joints().begin(), joints().end(), moves))
      {
        return false;
      }
      link = robot_.joint_parents[link - 1];
    }
    return link == robot_.frame_links[base_];
  }

  RuntimeModel robot_;
  int base_;
  inverse_kinematics::RobotChain found_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__MODEL_CHAIN_HPP_
