/// \file
/// Where generated functions put the results of several states that lie in columns.
#ifndef ROBCOGEN_ROS__RESULTS_HPP_
#define ROBCOGEN_ROS__RESULTS_HPP_

#include <cstddef>

#include "robcogen_ros/pack.hpp"

namespace robcogen_ros
{

// Of sources compiled with different flags, none must run what another has.
#if defined(__AVX512F__)
inline namespace avx512
{
#elif defined(__AVX__)
inline namespace avx
{
#else
inline namespace baseline
{
#endif

/// Results of as many states as there are lanes: numbers of an entry follow one another, entries
/// are at any distance.
template <int lanes>
class Results
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

  Results() = default;
  /// Entries from the first one on, at a distance.
  Results(double * first, std::size_t step) noexcept : first_(first), step_(step) {}

  Entry operator[](int entry) const noexcept
  {
    return Entry(first_ + static_cast<std::size_t>(entry) * step_);
  }

private:
  double * first_;
  std::size_t step_;
};

}  // inline namespace
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__RESULTS_HPP_
