// Numbers in texts as code has them, whatever the locale of the process.
#ifndef ROBCOGEN_ROS__NUMBER_HPP_
#define ROBCOGEN_ROS__NUMBER_HPP_

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace robcogen_ros
{

/// The number that a text is, with a point.
///
/// \throws std::invalid_argument if it is none
inline double number(std::string_view text)
{
  double result = 0.0;
  const char * const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, result);
  if (error != std::errc() || rest != end)
  {
    throw std::invalid_argument("expected a number, found '" + std::string(text) + "'");
  }
  return result;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__NUMBER_HPP_
