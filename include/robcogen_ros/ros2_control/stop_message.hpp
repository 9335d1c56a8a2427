// Message of an arm that stops because something pushes it.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__STOP_MESSAGE_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__STOP_MESSAGE_HPP_

#include <rclcpp/logger.hpp>
#include <rclcpp/logging.hpp>
#include <string>
#include <vector>

#include "robcogen_ros/control/supervisor.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Tells a stop once, on the thread of the node.
class StopMessage
{
public:
  explicit StopMessage(const rclcpp::Logger & logger) : logger_(logger) {}

  /// \param joints their names, in the order of `external`
  /// \param external what pushed each [N m or N]
  void tell(
    Condition condition, const std::vector<std::string> & joints, const JointVector & external)
  {
    const bool stopped = condition == Condition::stopped;
    if (stopped && !told_)
    {
      Eigen::Index joint = 0;
      external.cwiseAbs().maxCoeff(&joint);
      RCLCPP_ERROR(
        logger_,
        "stopped: joint '%s' was pushed with %.3g N m or N; it stands until the controller is "
        "deactivated and activated",
        joints[static_cast<std::size_t>(joint)].c_str(), external(joint));
    }
    told_ = stopped;
  }

private:
  rclcpp::Logger logger_;
  bool told_ = false;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__STOP_MESSAGE_HPP_
