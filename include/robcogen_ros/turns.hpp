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

/// Whether numbers of a type are computed with side by side.
template <typename T>
constexpr bool is_pack = false;
template <int lanes>
constexpr bool is_pack<Pack<lanes>> = true;

/// Sines and cosines of packs apart from the code that wants them.
template <int lanes>
[[gnu::noinline]] static void turn_each(
  std::size_t count, const Pack<lanes> * angles, Pack<lanes> * sines,
  Pack<lanes> * cosines) noexcept
{
  sincos_each(count, angles, sines, cosines);
}

/// Sines and cosines of some angles.
template <typename T, typename... Angles>
[[gnu::always_inline]] inline Turns<T, sizeof...(Angles)> turns(const Angles &... angles) noexcept
{
  if constexpr (is_pack<T>)
  {
    const T all[] = {angles...};
    Turns<T, sizeof...(Angles)> result;
    turn_each(sizeof...(Angles), all, result.sine, result.cosine);
    return result;
  }
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

/// Packs side by side in a wider one, from one of them on; lanes to spare repeat it.
template <std::size_t first, int lanes, std::size_t count, std::size_t... lane>
[[gnu::always_inline]] inline Pack<static_cast<int>(sizeof...(lane))> joined(
  const Pack<lanes> (&packs)[count], std::index_sequence<lane...>) noexcept
{
  using Values = typename Pack<static_cast<int>(sizeof...(lane))>::Values;
  return Values{packs[first + lane / lanes < count ? first + lane / lanes : first]
                     [static_cast<int>(lane % lanes)]...};
}

/// One of the packs that are side by side in a wider one.
template <std::size_t place, int wide, std::size_t... lane>
[[gnu::always_inline]] inline Pack<static_cast<int>(sizeof...(lane))> parted(
  const Pack<wide> & packs, std::index_sequence<lane...>) noexcept
{
  using Values = typename Pack<static_cast<int>(sizeof...(lane))>::Values;
  return Values{packs[static_cast<int>(place * sizeof...(lane) + lane)]...};
}

/// Those of packs from a first one on, which fit side by side.
template <std::size_t first, int lanes, std::size_t count, std::size_t... place>
[[gnu::always_inline]] inline void turn_packs(
  const Pack<lanes> (&angles)[count], Turns<Pack<lanes>, count> & to,
  std::index_sequence<place...>) noexcept
{
  constexpr std::size_t wide = sizeof...(place) * lanes;
  Pack<static_cast<int>(wide)> sine, cosine;
  const auto together = joined<first>(angles, std::make_index_sequence<wide>());
  if constexpr (count <= sizeof...(place))
  {
    sincos_here(together, sine, cosine);
  }
  else
  {
    sincos_apart(together, sine, cosine);
  }
  const auto keep = [&](auto which)
  {
    constexpr std::size_t i = decltype(which)::value;
    if constexpr (first + i < count)
    {
      to.sine[first + i] = parted<i>(sine, std::make_index_sequence<lanes>());
      to.cosine[first + i] = parted<i>(cosine, std::make_index_sequence<lanes>());
    }
  };
  (keep(std::integral_constant<std::size_t, place>()), ...);
}

/// Those of all packs from a first one on; all that fit side by side, so that one piece of code
/// does it again and again; where they fit at once, in place.
template <std::size_t first, int lanes, std::size_t count>
[[gnu::always_inline]] inline void turn_packs_from(
  const Pack<lanes> (&angles)[count], Turns<Pack<lanes>, count> & to) noexcept
{
  if constexpr (first < count)
  {
    constexpr int wide = lanes_for(count * lanes);
    constexpr std::size_t together = wide < lanes ? 1 : wide / lanes;
    turn_packs<first>(angles, to, std::make_index_sequence<together>());
    turn_packs_from<first + together>(angles, to);
  }
}

/// Sines and cosines of some packs of angles; of more than fit side by side, apart from the code
/// that wants them, for which there is then less to fetch.
template <int lanes, typename... Angles>
[[gnu::always_inline]] inline Turns<Pack<lanes>, 1 + sizeof...(Angles)> turns_apart(
  const Pack<lanes> & first, const Angles &... others) noexcept
{
  Turns<Pack<lanes>, 1 + sizeof...(Angles)> result;
  turn_packs_from<0>({first, others...}, result);
  return result;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TURNS_HPP_
