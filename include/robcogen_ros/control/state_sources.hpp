// Values of state interfaces, and where they go.
#ifndef ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_
#define ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_

#include <cstddef>
#include <string_view>
#include <vector>

#include "robcogen_ros/control/ros2_control_versions.hpp"

namespace robcogen_ros::control
{

/// Where an interface is among those that were claimed; behind the last if it is not there.
template <typename Interfaces>
std::size_t place_of(const Interfaces & interfaces, std::string_view name)
{
  std::size_t result = 0;
  while (result < interfaces.size() && interfaces[result].get_name() != name)
  {
    ++result;
  }
  return result;
}

/// Numbers that are read from state interfaces in each cycle.
class StateSources
{
public:
  void clear()
  {
    sources_.clear();
    complete_ = true;
  }

  /// Reads a number from the interface of a name from now on.
  template <typename Interfaces>
  void bind(const Interfaces & interfaces, std::string_view name, double & value)
  {
    const std::size_t place = place_of(interfaces, name);
    complete_ = complete_ && place < interfaces.size();
    sources_.push_back({place, &value});
  }

  /// Whether all interfaces were there.
  bool complete() const noexcept { return complete_; }

  /// Reads all numbers, NaN where there is none just now.
  template <typename Interfaces>
  void read(const Interfaces & interfaces) const noexcept
  {
    for (const Source & source : sources_)
    {
      *source.value = versions::read(interfaces[source.place]);
    }
  }

private:
  struct Source
  {
    std::size_t place;
    double * value;
  };

  std::vector<Source> sources_;
  bool complete_ = true;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_
