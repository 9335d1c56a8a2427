// The numbers of vectors by name, as semantic components of ros2_control name them.
#ifndef ROBCOGEN_ROS__CONTROL__SEMANTIC_NUMBERS_HPP_
#define ROBCOGEN_ROS__CONTROL__SEMANTIC_NUMBERS_HPP_

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <string>

namespace robcogen_ros::control
{

constexpr std::array axis_names{".x", ".y", ".z", ".w"};

/// Calls `visit(name, number)` for each number of a vector, named as semantic components name them.
template <typename Values, typename Visit>
void each_number(const std::string & quantity, Values && values, const Visit & visit)
{
  for (Eigen::Index k = 0; k < values.size(); ++k)
  {
    visit(quantity + axis_names[static_cast<std::size_t>(k)], values(k));
  }
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SEMANTIC_NUMBERS_HPP_
