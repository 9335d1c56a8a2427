/// \file
/// How finely a scalar counts.
#ifndef ROBCOGEN_ROS__EPSILON_HPP_
#define ROBCOGEN_ROS__EPSILON_HPP_

#include <limits>

namespace robcogen_ros
{

/// The distance from 1 to the next number; of a type that does not say it, that of double.
template <typename T>
[[gnu::always_inline]] static inline T epsilon()
{
  if constexpr (std::numeric_limits<T>::is_specialized)
  {
    return T(std::numeric_limits<T>::epsilon());
  }
  else
  {
    return T(std::numeric_limits<double>::epsilon());
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__EPSILON_HPP_
