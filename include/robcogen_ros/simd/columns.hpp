/// \file
/// Arguments of generated functions for several states at once that lie in columns: the numbers of
/// an entry follow one another, entries are at any distance.
#ifndef ROBCOGEN_ROS__SIMD__COLUMNS_HPP_
#define ROBCOGEN_ROS__SIMD__COLUMNS_HPP_

#include <cstddef>

#include "robcogen_ros/simd/arguments.hpp"
#include "robcogen_ros/simd/pack.hpp"

namespace robcogen_ros
{

/// Numbers in a line of memory.
constexpr std::size_t numbers_a_line = 8;

inline namespace ROBCOGEN_INSTRUCTIONS
{

/// An input of as many states as there are lanes.
///
/// Reading an entry fetches the next line of its column: by itself, a processor foresees loads from
/// fewer columns than an input may have. Beyond the last state another column is fetched, or
/// nothing.
template <int lanes>
class InputColumns
{
public:
  InputColumns() = default;
  /// Entries from the first one on, at a distance.
  InputColumns(const double * first, std::size_t step) noexcept : first_(first), step_(step) {}
  /// Entries that follow one another.
  InputColumns(const Pack<lanes> * packs) noexcept
  : first_(reinterpret_cast<const double *>(packs)), step_(lanes)
  {
  }

  [[gnu::always_inline]] Pack<lanes> operator[](int entry) const noexcept
  {
    const double * const place = first_ + static_cast<std::size_t>(entry) * step_;
    __builtin_prefetch(place + numbers_a_line);
    return Pack<lanes>::read(place);
  }

private:
  const double * first_;
  std::size_t step_;
};

/// An output of as many states as there are lanes.
template <int lanes>
class OutputColumns
{
public:
  /// An entry, to be written.
  class Entry
  {
  public:
    explicit Entry(double * place) noexcept : place_(place) {}
    void operator=(const Pack<lanes> & numbers) const noexcept { numbers.write(place_); }

  private:
    double * place_;
  };

  OutputColumns() = default;
  /// Entries from the first one on, at a distance.
  OutputColumns(double * first, std::size_t step) noexcept : first_(first), step_(step) {}
  /// Entries that follow one another.
  OutputColumns(Pack<lanes> * packs) noexcept
  : first_(reinterpret_cast<double *>(packs)), step_(lanes)
  {
  }

  Entry operator[](int entry) const noexcept
  {
    return Entry(first_ + static_cast<std::size_t>(entry) * step_);
  }

private:
  double * first_;
  std::size_t step_;
};

}  // namespace ROBCOGEN_INSTRUCTIONS

template <int lanes>
struct Arguments<Pack<lanes>>
{
  using Inputs = InputColumns<lanes>;
  using Outputs = OutputColumns<lanes>;
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__COLUMNS_HPP_
