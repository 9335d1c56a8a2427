// Points of messages of trajectory_msgs.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TRAJECTORY_POINTS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TRAJECTORY_POINTS_HPP_

#include <cstddef>
#include <string>
#include <vector>

#include "robcogen_ros/control/trajectory.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

/// Returns the time of a point since the start [s].
template <typename Point>
double seconds(const Point & point) noexcept
{
  return point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec;
}

/// Returns what is wrong with the number of points or their times, nothing if these increase from
/// zero or later on.
template <typename Points>
std::string wrong_times(const Points & points)
{
  if (points.empty() || points.size() > most_waypoints)
  {
    return "expected 1 to " + std::to_string(most_waypoints) + " points, found " +
           std::to_string(points.size());
  }
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    if (i == 0 ? seconds(points[0]) < 0.0 : !(seconds(points[i]) > seconds(points[i - 1])))
    {
      return "expected time_from_start that increases from zero or later on, found " +
             std::to_string(seconds(points[i])) + " s of point " + std::to_string(i);
    }
  }
  return "";
}

/// Puts values where their joints are; whether there are as many, or none.
inline bool place(
  const std::vector<double> & values, const std::vector<Eigen::Index> & order, JointVector & to)
{
  for (std::size_t i = 0; i < values.size() && values.size() == order.size(); ++i)
  {
    to(order[i]) = values[i];
  }
  return values.empty() || values.size() == order.size();
}

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TRAJECTORY_POINTS_HPP_
