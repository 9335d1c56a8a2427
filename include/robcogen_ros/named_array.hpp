// Arrays whose entries are named: values of joints, links or frames.
#ifndef ROBCOGEN_ROS__NAMED_ARRAY_HPP_
#define ROBCOGEN_ROS__NAMED_ARRAY_HPP_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace robcogen_ros
{

/// Table of names, one more entry at its end.
template <std::size_t size>
using Names = const char * const[size];

/// Returns the key that has a name; none if no key has.
///
/// \tparam Key enumeration in the order of the names
template <typename Key, std::size_t size>
constexpr std::optional<Key> find(const Names<size> & names, std::string_view wanted) noexcept
{
  for (std::size_t i = 0; i + 1 < size; ++i)
  {
    if (wanted == names[i])
    {
      return static_cast<Key>(i);
    }
  }
  return std::nullopt;
}

/// A value for each entry of an enumeration, of fixed size.
///
/// \tparam Key the enumeration, counted from zero
/// \tparam Value what is kept
/// \tparam names the table of names, in the order of the enumeration
template <typename Key, typename Value, const auto & names>
struct NamedArray
{
  static constexpr std::size_t count = sizeof(names) / sizeof(*names) - 1;

  std::array<Value, count> values{};

  static constexpr std::size_t size() noexcept { return count; }
  static constexpr std::string_view name(Key key) noexcept { return names[index(key)]; }

  constexpr Value & operator[](Key key) noexcept { return values[index(key)]; }
  constexpr const Value & operator[](Key key) const noexcept { return values[index(key)]; }

  /// An entry, as loops see it: `for (auto [key, name, value] : map)`.
  template <typename V>
  struct Entry
  {
    Key key;
    std::string_view name;
    V & value;
  };

  template <typename V>
  struct Iterator
  {
    V * values;
    std::size_t place;

    constexpr Entry<V> operator*() const noexcept
    {
      return {static_cast<Key>(place), names[place], values[place]};
    }
    constexpr Iterator & operator++() noexcept
    {
      ++place;
      return *this;
    }
    constexpr bool operator!=(const Iterator & other) const noexcept
    {
      return place != other.place;
    }
  };

  constexpr Iterator<Value> begin() noexcept { return {values.data(), 0}; }
  constexpr Iterator<Value> end() noexcept { return {values.data(), count}; }
  constexpr Iterator<const Value> begin() const noexcept { return {values.data(), 0}; }
  constexpr Iterator<const Value> end() const noexcept { return {values.data(), count}; }

private:
  static constexpr std::size_t index(Key key) noexcept { return static_cast<std::size_t>(key); }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__NAMED_ARRAY_HPP_
