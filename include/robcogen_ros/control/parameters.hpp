// The parameters of the controller: one table that declares, checks and documents them.
#ifndef ROBCOGEN_ROS__CONTROL__PARAMETERS_HPP_
#define ROBCOGEN_ROS__CONTROL__PARAMETERS_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "robcogen_ros/number.hpp"

namespace robcogen_ros::control
{

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

/// A value of a parameter.
using Value = std::variant<bool, std::int64_t, double, std::string, Numbers, Words>;

/// What a parameter holds, in the order of the alternatives of Value.
enum class Kind
{
  boolean,
  integer,
  number,
  word,
  numbers,
  words,
};

/// When a parameter may change.
enum class Change
{
  always,
  inactive,
  unconfigured,
};

constexpr double endless = std::numeric_limits<double>::infinity();

/// A row of the table.
struct ParameterEntry
{
  std::string_view name;
  Kind kind;
  std::string_view fallback;  ///< its default, as it is written in YAML
  double least;
  double greatest;
  std::string_view choices;  ///< words it may be, separated by spaces; empty: any
  Change change;
  std::string_view meaning;
  bool may_be_infinite = false;
};

// clang-format off
/// Rows of several tables.
namespace shared
{
constexpr ParameterEntry effort_limits{"effort_limits", Kind::numbers, "[]", 0, endless, "", Change::always,
    "Largest efforts [N m or N], more than 0, one for all joints or one for each joint. They only "
    "lower the model's limits. Empty or .inf: the model's limits.", true};
constexpr ParameterEntry estimate_velocity{"estimate_velocity", Kind::boolean, "false", 0, 0, "", Change::unconfigured,
    "Set to true if joints have no velocity interface. Velocities are then estimated from "
    "positions."};
constexpr ParameterEntry max_stale_cycles{"max_stale_cycles", Kind::integer, "5", 0, 1000, "", Change::unconfigured,
    "Number of cycles in a row in which states may be missing before the controller fails."};
constexpr ParameterEntry model_check{"model_check", Kind::word, "strict", 0, 0, "strict warn off", Change::unconfigured,
    "What happens if the robot description differs from the compiled model: strict refuses to "
    "start, warn logs a warning, off skips the check."};
constexpr ParameterEntry model_tolerance{"model_tolerance", Kind::number, "1e-6", 0, 1, "", Change::unconfigured,
    "Tolerance of the model check: absolute for lengths [m] and unit vectors, relative for masses "
    "and inertias."};
constexpr ParameterEntry robot_description{"robot_description", Kind::word, "''", 0, 0, "", Change::unconfigured,
    "URDF for the model check. Needed only if the controller manager passes no description on "
    "(ros2_control 2)."};
constexpr ParameterEntry state_publish_rate{"state_publish_rate", Kind::number, "50.0", 0, 1000, "", Change::unconfigured,
    "Rate of ~/controller_state [Hz]. 0: it is not published."};
}  // namespace shared

inline constexpr std::array controller_parameters{
  ParameterEntry{"mode", Kind::word, "computed_torque", 0, 0, "gravity compensation pd_gravity computed_torque feed_forward", Change::inactive,
    "Control law."},
  ParameterEntry{"kp", Kind::numbers, "[100.0]", 0, endless, "", Change::always,
    "Gain on the position error, one for all joints or one for each joint: [1/s^2] in "
    "computed_torque, [N m/rad] or [N/m] in pd_gravity."},
  ParameterEntry{"kd", Kind::numbers, "[20.0]", 0, endless, "", Change::always,
    "Gain on the velocity error, one for all joints or one for each joint: [1/s] in "
    "computed_torque, [N m s/rad] or [N s/m] in pd_gravity."},
  shared::effort_limits,
  ParameterEntry{"feed_forward", Kind::boolean, "true", 0, 0, "", Change::always,
    "Whether computed_torque includes the acceleration of the reference and the Coriolis terms."},
  ParameterEntry{"compensate_friction", Kind::boolean, "true", 0, 0, "", Change::always,
    "Whether efforts include the model's joint friction at the velocity of the reference."},
  ParameterEntry{"add_gravity", Kind::boolean, "true", 0, 0, "", Change::always,
    "Whether efforts include gravity. Set to false for a robot that compensates its own weight."},
  ParameterEntry{"gravity", Kind::numbers, "[]", -endless, endless, "", Change::always,
    "Gravity in base coordinates [m/s^2], three values. Empty: the model's gravity."},
  ParameterEntry{"command_interfaces", Kind::words, "[effort]", 0, 0, "effort position velocity", Change::unconfigured,
    "Interfaces that are commanded. Position and velocity pass the reference on, in mode "
    "feed_forward."},
  shared::estimate_velocity,
  ParameterEntry{"activation_time", Kind::number, "0.5", 0, 60, "", Change::unconfigured,
    "Time after activation in which efforts rise from gravity compensation to the full control "
    "law [s]."},
  ParameterEntry{"hold_position_on_activation", Kind::boolean, "true", 0, 0, "", Change::unconfigured,
    "Whether the robot holds its position until a reference comes. False: until then only gravity "
    "is compensated."},
  ParameterEntry{"reference_timeout", Kind::number, "0.1", 0, endless, "", Change::unconfigured,
    "Time for which the last reference of the topic is extrapolated with its velocity. Then it "
    "stops [s]."},
  shared::max_stale_cycles,
  ParameterEntry{"max_missed_cycles", Kind::integer, "20", 0, 1000000, "", Change::unconfigured,
    "Number of cycles that may be missed. After a longer pause, efforts rise again over "
    "activation_time."},
  ParameterEntry{"deactivation_effort", Kind::word, "zero", 0, 0, "zero hold_gravity keep", Change::unconfigured,
    "Efforts after the controller is deactivated: zero, gravity compensation, or the last ones."},
  ParameterEntry{"failure_effort", Kind::word, "hold_gravity", 0, 0, "zero hold_gravity", Change::unconfigured,
    "Efforts after states are lost or an effort is not finite: zero or gravity compensation."},
  shared::model_check,
  shared::model_tolerance,
  shared::robot_description,
  shared::state_publish_rate,
};
// clang-format on

namespace detail
{

/// The words of a text between blanks, commas and brackets.
inline Words split(std::string_view text)
{
  std::string spaced(text);
  std::replace_if(
    spaced.begin(), spaced.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  std::istringstream stream(spaced);
  Words words;
  for (std::string word; stream >> word;)
  {
    words.push_back(word);
  }
  return words;
}

}  // namespace detail

/// The default value of a parameter.
inline Value fallback(const ParameterEntry & entry)
{
  const std::string text(entry.fallback);
  const Words words = detail::split(text);
  Numbers numbers;
  switch (entry.kind)
  {
    case Kind::boolean:
      return text == "true";
    case Kind::integer:
      return std::int64_t{std::stoll(text)};
    case Kind::number:
      return number(text);
    case Kind::word:
      return text == "''" ? std::string() : text;
    case Kind::words:
      return words;
    case Kind::numbers:
      break;
  }
  for (const std::string & word : words)
  {
    numbers.push_back(number(word));
  }
  return numbers;
}

/// A value as the kind of its parameter: whole numbers are numbers, one number is a list of one.
///
/// \throws std::invalid_argument if it is of another kind, out of range or none of the choices
inline Value checked(const ParameterEntry & entry, Value value)
{
  const auto refuse = [&entry](const std::string & expected)
  { throw std::invalid_argument(std::string(entry.name) + ": expected " + expected); };
  const bool numeric = entry.kind == Kind::number || entry.kind == Kind::numbers;
  if (const auto * const whole = std::get_if<std::int64_t>(&value); numeric && whole != nullptr)
  {
    value = static_cast<double>(*whole);
  }
  if (std::holds_alternative<double>(value) && entry.kind == Kind::numbers)
  {
    value = Numbers{std::get<double>(value)};
  }
  if (value.index() != static_cast<std::size_t>(entry.kind))
  {
    static constexpr std::array names{"true or false", "a whole number", "a number",
                                      "a word",        "numbers",        "words"};
    refuse(names[static_cast<std::size_t>(entry.kind)]);
  }
  const auto check_number = [&](double number)
  {
    const bool finite = number - number == 0.0 || (entry.may_be_infinite && number == number);
    if (!(entry.least <= number && number <= entry.greatest) || !finite)
    {
      std::ostringstream range;
      range.imbue(std::locale::classic());
      range << entry.least << " to " << entry.greatest << ", found " << number;
      refuse(range.str());
    }
  };
  const auto check_word = [&, choices = detail::split(entry.choices)](const std::string & word)
  {
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
    {
      refuse("one of " + std::string(entry.choices) + ", found '" + word + "'");
    }
  };
  const auto check = [&](const auto & held)
  {
    using Held = std::decay_t<decltype(held)>;
    if constexpr (std::is_same_v<Held, Numbers>)
    {
      std::for_each(held.begin(), held.end(), check_number);
    }
    else if constexpr (std::is_same_v<Held, Words>)
    {
      std::for_each(held.begin(), held.end(), check_word);
    }
    else if constexpr (std::is_same_v<Held, std::string>)
    {
      check_word(held);
    }
    else if constexpr (!std::is_same_v<Held, bool>)
    {
      check_number(static_cast<double>(held));
    }
  };
  std::visit(check, value);
  return value;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__PARAMETERS_HPP_
