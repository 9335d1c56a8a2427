// Messages of what goes on being wrong with a robot on legs.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TROUBLE_LOG_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TROUBLE_LOG_HPP_

#include <rclcpp/logger.hpp>
#include <rclcpp/logging.hpp>
#include <sstream>
#include <string>

#include "robcogen_ros/control/troubles.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Tells what goes on being wrong, on the thread of the node.
class TroubleLog
{
public:
  static constexpr double rate = 5.0;  ///< at which it is looked for troubles [Hz]

  TroubleLog(const rclcpp::Logger & logger, const Robot & robot) : logger_(logger), told_(robot) {}

  void operator()(const control::Troubles<Robot> & now)
  {
    std::istringstream lines(told_.news(now));
    for (std::string text; std::getline(lines, text);)
    {
      RCLCPP_WARN(logger_, "%s", text.c_str());
    }
  }

private:
  rclcpp::Logger logger_;
  control::ToldTroubles<Robot> told_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TROUBLE_LOG_HPP_
