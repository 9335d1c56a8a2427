/// \file
/// Where generated functions put the results of several states.
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
  /// Entries in an array of packs.
  explicit Results(Pack<lanes> * packs) noexcept
  : packs_(packs), first_(reinterpret_cast<double *>(packs)), step_(lanes)
  {
  }
  /// Entries from the first one on, at a distance.
  Results(double * first, std::size_t step) noexcept : packs_(nullptr), first_(first), step_(step)
  {
  }

  Entry operator[](std::size_t entry) const noexcept { return Entry(first_ + entry * step_); }
  /// The array of packs, if entries are in one.
  Pack<lanes> * packs() const noexcept { return packs_; }

private:
  Pack<lanes> * packs_;
  double * first_;
  std::size_t step_;
};

}  // inline namespace
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__RESULTS_HPP_
