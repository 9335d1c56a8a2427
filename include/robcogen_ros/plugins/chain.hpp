// The chain of joints between two links of a generated robot, as users of serial arms name it.
#ifndef ROBCOGEN_ROS__PLUGINS__CHAIN_HPP_
#define ROBCOGEN_ROS__PLUGINS__CHAIN_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace robcogen_ros::plugins
{

/// The joints between two links, from the root outwards; one value each, as KDL orders them.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
class Chain
{
public:
  using Frame = typename Robot::Frame;
  using JointVector = typename Robot::JointVector;

  /// \param root the name of a link or frame; empty: the base
  /// \param tip the same of one beyond the root; empty: the chain is all joints of the robot
  /// \throws std::invalid_argument if there is no such chain
  Chain(const std::string & root, const std::string & tip)
  : root_(frame(root.empty() ? std::string(Robot::link_names[0]) : root))
  {
    if (tip.empty())
    {
      joints_.resize(Robot::joint_count);
      std::iota(joints_.begin(), joints_.end(), 0);
      return;
    }
    if (!collect(frame(tip)) || joints_.empty())
    {
      throw std::invalid_argument(
        "no joints lead outwards from '" + name(root_) + "' to '" + tip + "'");
    }
  }

  /// The frame that it begins at.
  Frame root() const noexcept { return root_; }

  /// The number of its joints.
  Eigen::Index size() const noexcept { return static_cast<Eigen::Index>(joints_.size()); }

  /// Numbers of its joints among the robot's.
  const std::vector<int> & joints() const noexcept { return joints_; }

  /// Returns true if its joints are all that the robot has.
  bool whole() const noexcept { return size() == Robot::joint_count; }

  /// The names of its joints, separated by blanks.
  std::string joint_names() const
  {
    std::string names;
    for (const int joint : joints_)
    {
      names += (names.empty() ? "" : " ") + std::string(Robot::joint_names[joint]);
    }
    return names;
  }

  /// The frame of this name.
  ///
  /// \throws std::invalid_argument that lists all names if there is none
  static Frame frame(const std::string & wanted)
  {
    if (const auto found = Robot::find_frame(wanted))
    {
      return *found;
    }
    std::string message = "the robot has no link '" + wanted + "'; it has";
    for (int i = 0; i < Robot::frame_count; ++i)
    {
      message += " " + std::string(Robot::frame_names[i]);
    }
    throw std::invalid_argument(message);
  }

  static std::string name(Frame frame) { return Robot::frame_names[static_cast<int>(frame)]; }

  /// Returns true if its joints tell where a frame is, seen from the root.
  bool places(Frame frame) const noexcept
  {
    int link = Robot::frame_links[static_cast<int>(frame)];
    for (const int end = root_link(); link > end; link = Robot::joint_parents[link - 1])
    {
      const int joint = Robot::joint_coordinates[link - 1];
      if (std::find(joints_.begin(), joints_.end(), joint) == joints_.end())
      {
        return false;
      }
    }
    return link == root_link();
  }

  /// Values of all joints of the robot, zero for those not in the chain.
  template <typename Values>
  JointVector spread(const Eigen::MatrixBase<Values> & values) const noexcept
  {
    JointVector result = JointVector::Zero();
    for (Eigen::Index i = 0; i < size(); ++i)
    {
      result(joints_[static_cast<std::size_t>(i)]) = values(i);
    }
    return result;
  }

private:
  int root_link() const noexcept { return Robot::frame_links[static_cast<int>(root_)]; }

  /// Walks back from the tip; links are numbered outwards. Returns whether it met the root.
  bool collect(Frame tip)
  {
    int link = Robot::frame_links[static_cast<int>(tip)];
    for (const int end = root_link(); link > end; link = Robot::joint_parents[link - 1])
    {
      const int joint = Robot::joint_coordinates[link - 1];
      if (std::find(joints_.begin(), joints_.end(), joint) == joints_.end())
      {
        joints_.push_back(joint);
      }
    }
    std::reverse(joints_.begin(), joints_.end());
    return link == root_link();
  }

  Frame root_;
  std::vector<int> joints_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__CHAIN_HPP_
