/// \file
/// The choice between two numbers by the sign of a third, for any scalar.
#ifndef ROBCOGEN_ROS__SELECT_HPP_
#define ROBCOGEN_ROS__SELECT_HPP_

#include <type_traits>
#include <utility>

namespace robcogen_ros
{

/// True if a scalar keeps choices for later, as those of CppAD do, by CondExpGe and CondExpLt.
template <typename T, typename = void>
constexpr bool keeps_choices = false;

template <typename T>
constexpr bool keeps_choices<
  T, std::void_t<decltype(CondExpGe(
       std::declval<const T &>(), std::declval<const T &>(), std::declval<const T &>(),
       std::declval<const T &>()))>> = true;

/// The first number where the condition is 0 or positive, the second where it is negative; a
/// condition that is NaN gives itself.
template <typename T>
[[gnu::always_inline]] static inline T select(
  const T & condition, const T & first, const T & second) noexcept
{
  const T zero(0.0);
  if constexpr (keeps_choices<T>)
  {
    return CondExpGe(condition, zero, first, CondExpLt(condition, zero, second, condition));
  }
  else
  {
    return condition >= zero ? first : condition < zero ? second : condition;
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SELECT_HPP_
