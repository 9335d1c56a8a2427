// Numbers of the interfaces of ros2_control, whichever version it is and whatever type they have.
#ifndef ROBCOGEN_ROS__CONTROL__INTERFACE_NUMBERS_HPP_
#define ROBCOGEN_ROS__CONTROL__INTERFACE_NUMBERS_HPP_

#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace robcogen_ros::control
{

namespace detail
{

template <typename Interface, typename = void>
constexpr bool has_optional = false;
template <typename Interface>
constexpr bool
  has_optional<Interface, std::void_t<decltype(std::declval<const Interface &>().get_optional())>> =
    true;

template <typename Interface, typename = void>
constexpr bool has_float = false;
template <typename Interface>
constexpr bool has_float<
  Interface,
  std::void_t<decltype(decltype(std::declval<const Interface &>().get_data_type())::FLOAT32)>> =
  true;

/// True if an interface holds a float, which is not read or written as a double.
template <typename Interface>
bool holds_float([[maybe_unused]] const Interface & interface)
{
  if constexpr (has_float<Interface>)
  {
    const auto type = interface.get_data_type();
    return type == decltype(interface.get_data_type())::FLOAT32;
  }
  return false;
}

}  // namespace detail

/// Returns the place of an interface among the claimed ones; behind the last if it is not there.
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

/// Returns why an interface cannot be used, as a sentence; empty if it can.
///
/// \param place where it is among those that were claimed
/// \param name as it was asked for
template <typename Interfaces>
std::string problem_of(const Interfaces & interfaces, std::size_t place, const std::string & name)
{
  if (place >= interfaces.size())
  {
    return "there is no interface '" + name + "'";
  }
  if constexpr (detail::has_float<typename Interfaces::value_type>)
  {
    const auto type = interfaces[place].get_data_type();
    using Type = std::remove_const_t<decltype(type)>;
    if (!(type == Type::DOUBLE || type == Type::FLOAT32))
    {
      return "interface '" + name + "': expected data type double or float32, found " +
             type.to_string();
    }
  }
  return "";
}

/// The value of an interface, NaN where it cannot be read just now.
template <typename Interface>
double read_number(const Interface & interface) noexcept
{
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  try
  {
    if constexpr (detail::has_float<Interface>)
    {
      if (detail::holds_float(interface))
      {
        const auto value = interface.template get_optional<float>();
        return value ? static_cast<double>(*value) : unknown;
      }
    }
    if constexpr (detail::has_optional<Interface>)
    {
      const auto value = interface.get_optional();
      return value ? static_cast<double>(*value) : unknown;
    }
    else
    {
      return interface.get_value();
    }
  }
  catch (const std::exception &)
  {
    return unknown;
  }
}

/// Sets the value of an interface; returns whether that was possible.
template <typename Interface>
bool write_number(Interface & interface, double value) noexcept
{
  try
  {
    if constexpr (detail::has_float<Interface>)
    {
      if (detail::holds_float(interface))
      {
        return interface.set_value(static_cast<float>(value));
      }
    }
    if constexpr (std::is_void_v<decltype(interface.set_value(value))>)
    {
      interface.set_value(value);
      return true;
    }
    else
    {
      return interface.set_value(value);
    }
  }
  catch (const std::exception &)
  {
    return false;
  }
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__INTERFACE_NUMBERS_HPP_
