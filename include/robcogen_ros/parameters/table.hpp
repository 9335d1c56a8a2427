// Parameters by their tables: what is known of one, and how values of it are checked.
#ifndef ROBCOGEN_ROS__PARAMETERS__TABLE_HPP_
#define ROBCOGEN_ROS__PARAMETERS__TABLE_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace robcogen_ros::parameters
{

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

/// A value of a parameter.
using Value = std::variant<bool, std::int64_t, double, std::string, Numbers, Words>;

/// Times at which a parameter may change.
enum class Change
{
  always,
  inactive,
  unconfigured,
};

constexpr double endless = std::numeric_limits<double>::infinity();

/// A row of a table; its type and its default are those of a member of the table's struct.
struct Entry
{
  std::string_view name;
  Change change;
  double least;
  double greatest;
  bool exclusive;            ///< the least number is refused, too, and an infinite one allowed
  std::size_t size;          ///< of a list; 0: any
  std::string_view choices;  ///< words it may be, with commas; empty: any
  std::string_view meaning;
};

/// A name that is refused in favour of another.
struct OldName
{
  std::string_view name;
  std::string_view successor;
};

/// The words of a text between blanks, commas and brackets.
inline Words words_of(std::string_view text)
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

namespace detail
{

/// Throws; where exceptions are off, ends the program.
[[noreturn]] inline void refuse(const std::string & message)
{
#ifdef __cpp_exceptions
  throw std::invalid_argument(message);
#else
  (void)message;
  std::abort();
#endif
}

[[noreturn]] inline void refuse(const Entry & entry, const std::string & expected)
{
  refuse(std::string(entry.name) + ": expected " + expected);
}

inline void check(const Entry & entry, double number)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  if (
    entry.exclusive ? number > entry.least
                    : number - number == 0.0 && entry.least <= number && number <= entry.greatest)
  {
    return;
  }
  if (entry.exclusive)
  {
    text << "more than " << entry.least;
  }
  else if (entry.greatest < endless)
  {
    text << entry.least << " to " << entry.greatest;
  }
  else
  {
    text << "a finite number";
    entry.least > -endless ? text << ", " << entry.least << " or more" : text;
  }
  text << ", found " << number;
  refuse(entry, text.str());
}

inline void check(const Entry & entry, std::int64_t number)
{
  check(entry, static_cast<double>(number));
}

inline void check(const Entry & entry, const std::string & word)
{
  const Words choices = words_of(entry.choices);
  if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
  {
    refuse(entry, "one of " + std::string(entry.choices) + ", found '" + word + "'");
  }
}

inline void check(const Entry &, bool) {}

/// A list has its length, or may be empty if it is so by default.
template <typename Item>
void check(const Entry & entry, const std::vector<Item> & list, bool may_be_empty)
{
  if (entry.size > 0 && list.size() != entry.size && !(list.empty() && may_be_empty))
  {
    refuse(
      entry, std::to_string(entry.size) + " numbers" + (may_be_empty ? " or none" : "") +
               ", found " + std::to_string(list.size()));
  }
  if (list.empty() && !may_be_empty)
  {
    constexpr bool numbers = std::is_same_v<Item, double>;
    refuse(entry, std::string(numbers ? "numbers" : "a list of names") + ", found none");
  }
  for (const Item & item : list)
  {
    check(entry, item);
  }
}

}  // namespace detail

/// Takes over a value: whole numbers are numbers, too, and one number is a list of one.
///
/// \param to the default
/// \throws std::invalid_argument if it is of another type, out of range or none of the choices
template <typename Held>
void take_over(const Entry & entry, Value value, Held & to)
{
  constexpr bool numeric = std::is_same_v<Held, double> || std::is_same_v<Held, Numbers>;
  if (const auto * const whole = std::get_if<std::int64_t>(&value); numeric && whole != nullptr)
  {
    value = static_cast<double>(*whole);
  }
  if (std::holds_alternative<double>(value) && std::is_same_v<Held, Numbers>)
  {
    value = Numbers{std::get<double>(value)};
  }
  const auto * const held = std::get_if<Held>(&value);
  if (held == nullptr)
  {
    static constexpr std::array names{"true or false", "a whole number", "a number",
                                      "a text",        "numbers",        "a list of names"};
    detail::refuse(entry, names[Value(Held{}).index()]);
  }
  if constexpr (std::is_same_v<Held, Numbers> || std::is_same_v<Held, Words>)
  {
    detail::check(entry, *held, to.empty());
  }
  else
  {
    detail::check(entry, *held);
  }
  to = *held;
}

/// Source of the values of parameters; those that are not there keep their defaults.
using Lookup = std::function<std::optional<Value>(std::string_view name)>;

/// Reads the parameters of a table, each checked.
///
/// \throws std::invalid_argument that says which value is wrong and what is expected
template <typename Parameters>
Parameters read(const Lookup & lookup)
{
  Parameters result;
  result.each(
    [&lookup](auto & value, const Entry & entry)
    {
      if (const std::optional<Value> given = lookup(entry.name))
      {
        take_over(entry, *given, value);
      }
    });
  return result;
}

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__TABLE_HPP_
