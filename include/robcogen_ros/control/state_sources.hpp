// Values of state interfaces, and where they go.
#ifndef ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_
#define ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_

#include <cstddef>
#include <string>
#include <vector>

#include "robcogen_ros/control/interface_numbers.hpp"

namespace robcogen_ros::control
{

/// Numbers that are read from state interfaces in each cycle.
class StateSources
{
public:
  void clear()
  {
    sources_.clear();
    problem_.clear();
  }

  /// Reads a number from the interface of a name from now on.
  template <typename Interfaces>
  void bind(const Interfaces & interfaces, const std::string & name, double & value)
  {
    const std::size_t place = place_of(interfaces, name);
    problem_ = problem_.empty() ? problem_of(interfaces, place, name) : problem_;
    sources_.push_back({place, &value});
  }

  /// Returns why not all numbers can be read; empty if they can.
  const std::string & problem() const noexcept { return problem_; }

  /// Reads all numbers, NaN where there is none just now.
  template <typename Interfaces>
  void read(const Interfaces & interfaces) const noexcept
  {
    for (const Source & source : sources_)
    {
      *source.value = read_number(interfaces[source.place]);
    }
  }

private:
  struct Source
  {
    std::size_t place;
    double * value;
  };

  std::vector<Source> sources_;
  std::string problem_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__STATE_SOURCES_HPP_
