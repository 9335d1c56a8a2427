// Which contacts of a robot are closed, and which of them stick.
#ifndef ROBCOGEN_ROS__GROUND__MODE_HPP_
#define ROBCOGEN_ROS__GROUND__MODE_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Kinds of rubbing: of a foot on the ground, or a joint in its bearing.
enum class Rubbing
{
  none,
  sticking,
  sliding,
};

/// Contact of a foot with the ground.
struct FootMode
{
  std::array<bool, 4> closed{};  ///< its corners, or its one point, first
  Rubbing rubbing = Rubbing::none;
  /// Direction of sliding, of length 1: along the ground's x and y, and its turn times `arm`.
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  double slow = 0.0;  ///< speed of sliding up to which this direction does not turn [m/s]
  Eigen::Vector3d reference = Eigen::Vector3d::Zero();  ///< where friction acts, foot coordinates
  double arm = 0.0;                                     ///< of the friction about the normal [m]
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();     ///< where `reference` sticks in the world
  Eigen::Vector3d heading = Eigen::Vector3d::Zero();    ///< the foot's x axis there
  Eigen::Vector4d pushes = Eigen::Vector4d::Zero();     ///< of the corners as the mode began [N]
  Eigen::Vector3d holds = Eigen::Vector3d::Zero();      ///< of its friction then [N]

  int closed_count() const noexcept
  {
    return static_cast<int>(std::count(closed.begin(), closed.end(), true));
  }
  bool touches() const noexcept { return closed_count() > 0; }

  /// Number of rows that rub: a single point has no friction about the normal.
  int rubbing_rows() const noexcept { return touches() ? (arm > 0.0 ? 3 : 2) : 0; }
};

/// Stop and friction that hold a joint.
struct JointMode
{
  int stop = 0;  ///< -1 at its lower stop, 1 at its upper one
  Rubbing rubbing = Rubbing::none;
  double direction = 0.0;  ///< of sliding, 1 or -1
  double push = 0.0;       ///< of the stop as the mode began [N m, N]
  double hold = 0.0;       ///< of its friction then [N m, N]
};

/// Contacts, stops and friction that hold a robot.
template <typename Robot>
struct Mode
{
  std::array<FootMode, SizesOf<Robot>::most_contacts> feet{};
  std::array<JointMode, SizesOf<Robot>::most_joints> joints{};
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__MODE_HPP_
