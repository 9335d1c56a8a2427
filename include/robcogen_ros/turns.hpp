/// \file
/// Sines and cosines of several angles in one go.
///
/// For double they are computed side by side, to within 1 unit in the last place; define
/// ROBCOGEN_STANDARD_SINES to have those of <cmath>. Other scalars have their own functions.
#ifndef ROBCOGEN_ROS__TURNS_HPP_
#define ROBCOGEN_ROS__TURNS_HPP_

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "robcogen_ros/pack.hpp"

namespace robcogen_ros
{

/// Sines and cosines of angles.
template <typename T, std::size_t count>
struct Turns
{
  T sine[count];
  T cosine[count];
};

/// As few lanes as hold so many numbers, or as many as there are.
constexpr int lanes_for(std::size_t count) noexcept
{
  const int needed = count > 4 ? 8 : count > 2 ? 4 : 2;
  return needed < widest_pack ? needed : widest_pack;
}

/// The angles from a first one on, as many as there are lanes.
template <std::size_t first, std::size_t count, std::size_t... lane>
[[gnu::always_inline]] inline void turn(
  const double (&angles)[count], Turns<double, count> & to, std::index_sequence<lane...>) noexcept
{
  using Numbers = Pack<static_cast<int>(sizeof...(lane))>;
  const Numbers x =
    typename Numbers::Values{angles[first + lane < count ? first + lane : first]...};
  Numbers sine, cosine;
  sincos(x, sine, cosine);
  const auto keep = [&](std::size_t i, double s, double c)
  {
    if (i < count)
    {
      to.sine[i] = s;
      to.cosine[i] = c;
    }
  };
  (keep(first + lane, sine[lane], cosine[lane]), ...);
}

/// All angles from a first one on.
template <std::size_t first, std::size_t count>
[[gnu::always_inline]] inline void turn_from(
  const double (&angles)[count], Turns<double, count> & to) noexcept
{
  if constexpr (first < count)
  {
    constexpr std::size_t lanes = lanes_for(count - first);
    turn<first>(angles, to, std::make_index_sequence<lanes>());
    turn_from<first + lanes>(angles, to);
  }
}

/// Sines and cosines of some angles.
template <typename T, typename... Angles>
[[gnu::always_inline]] inline Turns<T, sizeof...(Angles)> turns(const Angles &... angles) noexcept
{
#ifndef ROBCOGEN_STANDARD_SINES
  if constexpr (std::is_same_v<T, double>)
  {
    Turns<T, sizeof...(Angles)> result;
    turn_from<0>({angles...}, result);
    return result;
  }
#endif
  using std::cos;
  using std::sin;
  return {{sin(angles)...}, {cos(angles)...}};
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TURNS_HPP_
