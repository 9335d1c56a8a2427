/// \file
/// Settings of an object by the names of its table of parameters.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__TABLE_SETTINGS_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__TABLE_SETTINGS_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "robcogen_ros/model.h"
#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::core
{

/// Returns true if numbers tell a parameter: lists of words and free texts are none.
///
/// \param others settings that stand instead of parameters of their names
template <typename Held>
bool is_setting(const parameters::Entry & entry, const std::vector<robcogen_argument> & others)
{
  const auto stands = [&entry](const robcogen_argument & other)
  { return other.name == entry.name; };
  return !std::is_same_v<Held, parameters::Words> &&
         (!std::is_same_v<Held, std::string> || !entry.choices.empty()) &&
         std::none_of(others.begin(), others.end(), stands);
}

/// The parameters of a table that are settings, all of them optional: numbers, flags, of a word its
/// place among the choices, of a list without a size of its own a number a joint.
///
/// \param more settings that follow, some perhaps instead of parameters of their names
template <typename Parameters>
std::vector<robcogen_argument> table_settings(const std::vector<robcogen_argument> & more)
{
  std::vector<robcogen_argument> result;
  Parameters().each(
    [&result, &more](auto & value, const parameters::Entry & entry)
    {
      using Held = std::decay_t<decltype(value)>;
      std::size_t rows = 1;
      if (std::is_same_v<Held, parameters::Numbers>)
      {
        rows = entry.size > 0 ? entry.size : std::size_t{ROBCOGEN_JOINTS};
      }
      if (is_setting<Held>(entry, more))
      {
        result.push_back({entry.name.data(), rows, 0, 1});
      }
    });
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

/// A value of a parameter, as numbers tell it.
template <typename Held>
parameters::Value told(const parameters::Entry & entry, const double * numbers, std::size_t joints)
{
  if constexpr (std::is_same_v<Held, parameters::Numbers>)
  {
    return Held(numbers, numbers + (entry.size > 0 ? entry.size : joints));
  }
  else if constexpr (std::is_same_v<Held, std::string>)
  {
    return parameters::words_of(entry.choices).at(static_cast<std::size_t>(*numbers));
  }
  else if constexpr (std::is_same_v<Held, bool>)
  {
    return *numbers != 0.0;
  }
  else
  {
    return static_cast<Held>(*numbers);
  }
}

/// Reads the parameters of a table, and where the settings that follow begin.
///
/// \param given pointers to the settings; null where one is left out
/// \param others settings that follow
/// \throws std::logic_error if one is out of its range
template <typename Parameters>
std::pair<Parameters, const double * const *> read_settings(
  const double * const * given, std::size_t joints,
  const std::vector<robcogen_argument> & others = {})
{
  Parameters result;
  result.each(
    [&given, joints, &others](auto & value, const parameters::Entry & entry)
    {
      using Held = std::decay_t<decltype(value)>;
      if constexpr (!std::is_same_v<Held, parameters::Words>)
      {
        const double * const numbers = is_setting<Held>(entry, others) ? *given++ : nullptr;
        if (numbers != nullptr)
        {
          parameters::take_over(entry, told<Held>(entry, numbers, joints), value);
        }
      }
    });
  return {result, given};
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__TABLE_SETTINGS_HPP_
