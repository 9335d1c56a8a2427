/// \file
/// Sines and cosines of several angles in one go.
///
/// For double they are computed side by side, to within 2 units in the last place; define
/// ROBCOGEN_STANDARD_SINES to have those of <cmath>. Other scalars have their own functions.
#ifndef ROBCOGEN_ROS__SIMD__SINES_HPP_
#define ROBCOGEN_ROS__SIMD__SINES_HPP_

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "robcogen_ros/epsilon.hpp"
#include "robcogen_ros/select.hpp"
#include "robcogen_ros/simd/pack.hpp"

namespace robcogen_ros
{

/// Sines and cosines of angles.
template <typename T, std::size_t count>
struct Sines
{
  T sine[count];
  T cosine[count];
};

/// A sum of angles: as it is rounded, and what rounding took of it.
template <typename T>
struct CompensatedSum
{
  T rounded, rest;
};

/// The sum of angles that a number is but for rounding (Knuth, The Art of Computer Programming 2,
/// 1997, section 4.2.2, theorem B).
template <typename T, typename... Angles>
[[gnu::always_inline]] inline CompensatedSum<T> compensated(
  const T & rounded, const Angles &... angles) noexcept
{
  ROBCOGEN_SUMS_AS_WRITTEN
  T sum(0.0), rest(0.0);
  const auto add = [&](const T & angle) noexcept
  {
    const T whole = sum + angle, added = whole - sum;
    rest = rest + ((sum - (whole - added)) + (angle - added));
    sum = whole;
  };
  (add(T(angles)), ...);
  return {rounded, rest + (sum - rounded)};
}

template <typename T>
[[gnu::always_inline]] inline const T & rounded(const T & angle) noexcept
{
  return angle;
}

template <typename T>
[[gnu::always_inline]] inline const T & rounded(const CompensatedSum<T> & angle) noexcept
{
  return angle.rounded;
}

/// Sine and cosine of an angle, from those of what it is rounded to.
template <typename T>
[[gnu::always_inline]] inline void turn_on(const T &, T &, T &) noexcept
{
}

template <typename T>
[[gnu::always_inline]] inline void turn_on(
  const CompensatedSum<T> & angle, T & sine, T & cosine) noexcept
{
  const T s = sine;
  sine = s + cosine * angle.rest;
  cosine = cosine - s * angle.rest;
}

/// Returns sines and cosines of all angles.
template <typename T, std::size_t count, typename... Angles, std::size_t... place>
[[gnu::always_inline]] inline void turn_all_on(
  Sines<T, count> & sines, std::index_sequence<place...>, const Angles &... angles) noexcept
{
  (turn_on(angles, sines.sine[place], sines.cosine[place]), ...);
}

/// The lanes that are computed with beside scalars: while vectors of 512 bits are under way,
/// processors of Intel have fewer units for those.
constexpr int mixed_pack = widest_pack < 4 ? widest_pack : 4;

/// Returns the fewest lanes that hold so many numbers, or as many as may be.
constexpr int lanes_for(std::size_t count, int most) noexcept
{
  const int needed = count > 4 ? 8 : count > 2 ? 4 : 2;
  return needed < most ? needed : most;
}

/// True if sines and cosines are those of this library.
#ifdef ROBCOGEN_STANDARD_SINES
constexpr bool own_sines = false;
#else
constexpr bool own_sines = true;
#endif

/// Sines and cosines of some packs, of this library or of <cmath>.
template <int lanes, std::size_t... place>
[[gnu::always_inline]] inline void sines_here(
  const Pack<lanes> * angles, Pack<lanes> * sines, Pack<lanes> * cosines,
  std::index_sequence<place...>) noexcept
{
#ifdef ROBCOGEN_STANDARD_SINES
  (sincos_here(angles[place], sines[place], cosines[place]), ...);
#else
  Pack<lanes>::template sines_together<place...>(angles, sines, cosines);
#endif
}

/// Angles side by side, from a first one on; lanes to spare repeat it.
template <std::size_t first, std::size_t count, std::size_t... lane>
[[gnu::always_inline]] inline Pack<static_cast<int>(sizeof...(lane))> joined(
  const double (&angles)[count], std::index_sequence<lane...>) noexcept
{
  using Values = typename Pack<static_cast<int>(sizeof...(lane))>::Values;
  return Values{angles[first + lane < count ? first + lane : first]...};
}

/// Keeps the sines and cosines of a pack as those of the angles from a first one on.
template <std::size_t first, std::size_t count, std::size_t... lane>
[[gnu::always_inline]] inline void keep(
  const Pack<static_cast<int>(sizeof...(lane))> & sine,
  const Pack<static_cast<int>(sizeof...(lane))> & cosine, Sines<double, count> & to,
  std::index_sequence<lane...>) noexcept
{
  const auto put = [&](std::size_t i, double s, double c) noexcept
  {
    if (i < count)
    {
      to.sine[i] = s;
      to.cosine[i] = c;
    }
  };
  (put(first + lane, sine[lane], cosine[lane]), ...);
}

/// All angles, in so many packs.
template <int lanes, std::size_t count, std::size_t... place>
[[gnu::always_inline]] inline void sines_of_all(
  const double (&angles)[count], Sines<double, count> & to,
  std::index_sequence<place...> places) noexcept
{
  constexpr std::make_index_sequence<lanes> each;
  const Pack<lanes> x[] = {joined<place * lanes>(angles, each)...};
  Pack<lanes> sines[sizeof...(place)], cosines[sizeof...(place)];
  sines_here(x, sines, cosines, places);
  (keep<place * lanes>(sines[place], cosines[place], to, each), ...);
}

/// True if numbers of a type are computed with side by side.
template <typename T>
constexpr bool is_pack = false;
template <int lanes>
constexpr bool is_pack<Pack<lanes>> = true;

/// Sines and cosines of packs apart from the code that wants them.
template <int lanes>
[[gnu::noinline]] static void sines_each(
  std::size_t count, const Pack<lanes> * angles, Pack<lanes> * sines,
  Pack<lanes> * cosines) noexcept
{
  sincos_each(count, angles, sines, cosines);
}

/// Sines and cosines of some numbers, put where they are wanted: compilers copy results that are
/// handed back.
template <typename T, std::size_t count, typename... Angles>
[[gnu::always_inline]] inline void sines_to(Sines<T, count> & to, const Angles &... angles) noexcept
{
  if constexpr (is_pack<T>)
  {
    const T all[] = {angles...};
    sines_each(count, all, to.sine, to.cosine);
  }
  else if constexpr (own_sines && std::is_same_v<T, double>)
  {
    constexpr int lanes = lanes_for(count, mixed_pack);
    sines_of_all<lanes>({angles...}, to, std::make_index_sequence<(count + lanes - 1) / lanes>());
  }
  else
  {
    using std::cos;
    using std::sin;
    to = {{sin(angles)...}, {cos(angles)...}};
  }
}

/// Sines and cosines of some angles: numbers, or sums that are not rounded.
template <typename T, typename... Angles>
[[gnu::always_inline]] inline Sines<T, sizeof...(Angles)> sines(const Angles &... angles) noexcept
{
  Sines<T, sizeof...(Angles)> result;
  sines_to(result, rounded(angles)...);
  turn_all_on(result, std::index_sequence_for<Angles...>(), angles...);
  return result;
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

/// Keeps the sines and cosines of a wide pack as those of the packs from a first one on.
template <std::size_t first, int wide, int lanes, std::size_t count, std::size_t... place>
[[gnu::always_inline]] inline void keep_packs(
  const Pack<wide> & sine, const Pack<wide> & cosine, Sines<Pack<lanes>, count> & to,
  std::index_sequence<place...>) noexcept
{
  const auto put = [&](auto which) noexcept
  {
    constexpr std::size_t i = decltype(which)::value;
    if constexpr (first + i < count)
    {
      to.sine[first + i] = parted<i>(sine, std::make_index_sequence<lanes>());
      to.cosine[first + i] = parted<i>(cosine, std::make_index_sequence<lanes>());
    }
  };
  (put(std::integral_constant<std::size_t, place>()), ...);
}

/// Computes those of all packs, in so many wide ones, among the code that wants them.
template <int wide, int lanes, std::size_t count, std::size_t... place>
[[gnu::always_inline]] inline void sines_of_packs_here(
  const Pack<lanes> (&angles)[count], Sines<Pack<lanes>, count> & to,
  std::index_sequence<place...> places) noexcept
{
  constexpr std::size_t together = wide / lanes;
  const Pack<wide> x[] = {joined<place * together>(angles, std::make_index_sequence<wide>())...};
  Pack<wide> sines[sizeof...(place)], cosines[sizeof...(place)];
  sines_here(x, sines, cosines, places);
  (keep_packs<place * together>(
     sines[place], cosines[place], to, std::make_index_sequence<together>()),
   ...);
}

/// Computes those of all packs from a first one on, apart: one piece of code does it again and
/// again.
template <std::size_t first, int wide, int lanes, std::size_t count>
[[gnu::always_inline]] inline void sines_of_packs_apart(
  const Pack<lanes> (&angles)[count], Sines<Pack<lanes>, count> & to) noexcept
{
  if constexpr (first < count)
  {
    constexpr std::size_t together = wide / lanes;
    Pack<wide> sine, cosine;
    sincos_apart(joined<first>(angles, std::make_index_sequence<wide>()), sine, cosine);
    keep_packs<first>(sine, cosine, to, std::make_index_sequence<together>());
    sines_of_packs_apart<first + together, wide>(angles, to);
  }
}

/// The most numbers that have their sines and cosines among the code that wants them.
constexpr std::size_t most_here = 16;

/// Sines and cosines of some packs of numbers, put where they are wanted; of many, apart from the
/// code that wants them, for which there is then less to fetch.
template <int lanes, std::size_t count, typename... Angles>
[[gnu::always_inline]] inline void sines_apart_to(
  Sines<Pack<lanes>, count> & to, const Angles &... angles) noexcept
{
  constexpr std::size_t numbers = count * lanes;
  constexpr int fitting = lanes_for(numbers, numbers <= most_here ? mixed_pack : widest_pack),
                wide = fitting > lanes ? fitting : lanes;
  if constexpr (numbers <= most_here)
  {
    sines_of_packs_here<wide>(
      {angles...}, to, std::make_index_sequence<(numbers + wide - 1) / wide>());
  }
  else
  {
    sines_of_packs_apart<0, wide>({angles...}, to);
  }
}

/// A pack of angles, rounded.
template <typename Angle>
using Rounded = std::decay_t<decltype(rounded(std::declval<const Angle &>()))>;

/// Computes those of some packs of angles: numbers, or sums that are not rounded.
template <typename First, typename... Others>
[[gnu::always_inline]] inline Sines<Rounded<First>, 1 + sizeof...(Others)> sines_apart(
  const First & first, const Others &... others) noexcept
{
  Sines<Rounded<First>, 1 + sizeof...(Others)> result;
  sines_apart_to(result, rounded(first), rounded(others)...);
  turn_all_on(result, std::index_sequence_for<First, Others...>(), first, others...);
  return result;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__SINES_HPP_
