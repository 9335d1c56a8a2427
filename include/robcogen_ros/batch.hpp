/// \file
/// One function for many states, which follow one another in memory.
#ifndef ROBCOGEN_ROS__BATCH_HPP_
#define ROBCOGEN_ROS__BATCH_HPP_

#include <cstddef>

#include "robcogen_ros/pack.hpp"

namespace robcogen_ros
{

/// An input of a function over many states: its values of the first, how many a state has, and how
/// far it is to those of the next; 0 if all have the same.
struct Given
{
  const double * values;
  std::size_t size;
  std::size_t stride;
};

/// An output of a function over many states: where the first begins, how many values a state has.
struct Wanted
{
  double * values;
  std::size_t size;
};

/// A generated function on values of type T: constants, a pointer an input, a pointer an output.
template <typename T>
using Call = void (*)(const T * constants, const T * const * inputs, T * const * outputs);

/// State after state, from a first one on.
template <std::size_t inputs, std::size_t outputs>
void one_by_one(
  std::size_t first, std::size_t count, const double * constants, const Given (&in)[inputs],
  const Wanted (&out)[outputs], Call<double> call) noexcept
{
  const double * from[inputs];
  double * to[outputs];
  for (std::size_t state = first; state < count; ++state)
  {
    for (std::size_t i = 0; i < inputs; ++i)
    {
      from[i] = in[i].values + state * in[i].stride;
    }
    for (std::size_t i = 0; i < outputs; ++i)
    {
      to[i] = out[i].values + state * out[i].size;
    }
    call(constants, from, to);
  }
}

/// Copies the inputs of as many states as there are lanes, each state to its lane.
template <int lanes, std::size_t inputs>
void gather(std::size_t first, const Given (&in)[inputs], Pack<lanes> * to) noexcept
{
  for (const Given & input : in)
  {
    const double * states[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane)
    {
      states[lane] = input.values + (first + lane) * input.stride;
    }
    for (std::size_t i = 0; i < input.size; ++i, ++to)
    {
      *to = Pack<lanes>::gathered(states, i);
    }
  }
}

/// Copies the outputs of as many states as there are lanes to where each state has them.
template <int lanes, std::size_t outputs>
void scatter(std::size_t first, const Pack<lanes> * from, const Wanted (&out)[outputs]) noexcept
{
  for (const Wanted & output : out)
  {
    for (std::size_t i = 0; i < output.size; ++i, ++from)
    {
      for (std::size_t lane = 0; lane < lanes; ++lane)
      {
        output.values[(first + lane) * output.size + i] = (*from)[lane];
      }
    }
  }
}

/// As many states at once as there are lanes, and those that are left over one by one.
///
/// \tparam in_values, out_values, constant_values how many numbers a state has, or the robot
template <
  std::size_t in_values, std::size_t out_values, std::size_t constant_values, int lanes,
  std::size_t inputs, std::size_t outputs>
void side_by_side(
  std::size_t count, const double * constants, const Given (&in)[inputs],
  const Wanted (&out)[outputs], Call<double> single, Call<Pack<lanes>> call) noexcept
{
  using Numbers = Pack<lanes>;
  Numbers given[in_values], found[out_values], constant[constant_values + 1];
  const Numbers * from[inputs];
  Numbers * to[outputs];
  for (std::size_t i = 0, at = 0; i < inputs; at += in[i].size, ++i)
  {
    from[i] = given + at;
  }
  for (std::size_t i = 0, at = 0; i < outputs; at += out[i].size, ++i)
  {
    to[i] = found + at;
  }
  const std::size_t together = count - count % lanes;
  for (std::size_t i = 0; together != 0 && i < constant_values; ++i)
  {
    constant[i] = constants[i];
  }
  for (std::size_t first = 0; first < together; first += lanes)
  {
    gather<lanes>(first, in, given);
    call(constant, from, to);
    scatter<lanes>(first, found, out);
  }
  one_by_one(together, count, constants, in, out, single);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__BATCH_HPP_
