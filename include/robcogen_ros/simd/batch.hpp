/// \file
/// One function for many states, wherever their numbers lie in memory.
#ifndef ROBCOGEN_ROS__SIMD__BATCH_HPP_
#define ROBCOGEN_ROS__SIMD__BATCH_HPP_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "robcogen_ros/simd/columns.hpp"
#include "robcogen_ros/simd/pack.hpp"
#include "robcogen_ros/simd/transpose.hpp"

namespace robcogen_ros
{

/// An argument of a function over many states, of doubles that are only read, or written.
template <typename Double>
struct Placed
{
  /// The first value of the first state.
  Double * values;
  /// Number of values of a state.
  std::size_t size;
  /// Distance from a value to that of the next state; 0 if all states have the same.
  std::size_t stride;
  /// Distance from a value of a state to its next.
  std::size_t step;

  /// Returns true if each value of all states is together.
  bool in_columns() const noexcept { return stride == 1; }
  /// Returns true if the values of a state are together.
  bool in_rows() const noexcept { return step == 1 || size <= 1; }
};

using Given = Placed<const double>;
using Wanted = Placed<double>;

/// Places in outputs of the values that are computed for a state: the entries of outputs that are
/// constants come first, once each, then all others of the first output, of the next.
template <std::size_t outputs>
struct Values
{
  std::size_t count;
  std::size_t constant_count;
  const double * constants;
  /// The value that is first, for each output.
  std::size_t first[outputs];
  /// The value of each entry, for each output; null where they follow one another.
  const std::uint32_t * places[outputs];
};

/// A generated function on values of type T: constants, an entry of `From` an input, of `To` an
/// output.
template <typename T, typename From = const T *, typename To = T *>
using Call = void (*)(const T * constants, const From * inputs, const To * outputs) noexcept;

/// A generated function on packs that takes columns from where they lie, and puts them there.
using CallInColumns =
  Call<Pack<widest_pack>, InputColumns<widest_pack>, OutputColumns<widest_pack>>;

/// A state's values, one after the other: where they lie, or copied where they are apart.
inline const double * brought_together(
  const Given & input, std::size_t state, double * copy) noexcept
{
  const double * const values = input.values + state * input.stride;
  for (std::size_t i = 0; !input.in_rows() && i < input.size; ++i)
  {
    copy[i] = values[i * input.step];
  }
  return input.in_rows() ? values : copy;
}

/// Copies a state's values from where they are one after the other to where they are wanted.
inline void spread(const Wanted & output, std::size_t state, const double * together) noexcept
{
  for (std::size_t i = 0; !output.in_rows() && i < output.size; ++i)
  {
    output.values[state * output.stride + i * output.step] = together[i];
  }
}

/// State after state, from a first one on.
///
/// \tparam in_values, out_values how many numbers a state has
template <std::size_t in_values, std::size_t out_values, std::size_t inputs, std::size_t outputs>
void one_by_one(
  std::size_t first, std::size_t count, const double * constants, const Given (&in)[inputs],
  const Wanted (&out)[outputs], Call<double> call) noexcept
{
  double given[in_values + 1], found[out_values + 1];
  const double * from[inputs];
  double * to[outputs];
  for (std::size_t state = first; state < count; ++state)
  {
    for (std::size_t i = 0, at = 0; i < inputs; at += in[i].size, ++i)
    {
      from[i] = brought_together(in[i], state, given + at);
    }
    for (std::size_t i = 0, at = 0; i < outputs; at += out[i].size, ++i)
    {
      to[i] = out[i].in_rows() ? out[i].values + state * out[i].stride : found + at;
    }
    call(constants, from, to);
    for (std::size_t i = 0; i < outputs; ++i)
    {
      spread(out[i], state, to[i]);
    }
  }
}

/// Calls `several(i, Blocks())` for blocks of numbers of a state from the i-th on, `one(i)` for
/// single ones.
///
/// The last block overlaps the one before, where numbers are left over.
///
/// \tparam Blocks what blocks are, as wide as their `width`; none are if that is 0
template <typename Blocks, typename Several, typename One>
[[gnu::always_inline]] inline void in_blocks(
  std::size_t size, Several && several, One && one) noexcept
{
  std::size_t i = 0;
  if constexpr (Blocks::width != 0)
  {
    for (; i + Blocks::width <= size; i += Blocks::width)
    {
      several(i, Blocks());
    }
    if (i != 0 && i != size)
    {
      several(size - Blocks::width, Blocks());
      i = size;
    }
  }
  for (; i < size; ++i)
  {
    one(i);
  }
}

/// Copies an input of as many states as there are lanes, each state to its lane.
template <int lanes>
[[gnu::always_inline]] inline void gather(std::size_t first, Given input, Pack<lanes> * to) noexcept
{
  const double * const start = input.values + first * input.stride;
  const auto several = [&](std::size_t i, auto blocks) noexcept
  { blocks.load(start + i, input.stride, to + i); };
  const auto one = [&](std::size_t i) noexcept
  {
    for (std::size_t lane = 0; lane < lanes; ++lane)
    {
      to[i].set(static_cast<int>(lane), start[lane * input.stride + i * input.step]);
    }
  };
  if (input.in_columns())
  {
    for (std::size_t i = 0; i < input.size; ++i)
    {
      to[i] = Pack<lanes>::read(start + i * input.step);
    }
  }
  else if (input.in_rows())
  {
    in_blocks<Block<lanes>>(input.size, several, one);
  }
  else
  {
    for (std::size_t i = 0; i < input.size; ++i)
    {
      one(i);
    }
  }
}

/// Copies the inputs of as many states as there are lanes.
template <int lanes, std::size_t inputs>
void take_inputs(
  std::size_t first, const Given (&in)[inputs], Pack<lanes> * copy,
  const Pack<lanes> * (&from)[inputs]) noexcept
{
  for (std::size_t i = 0; i < inputs; copy += in[i].size, ++i)
  {
    gather<lanes>(first, in[i], copy);
    from[i] = copy;
  }
}

/// Reads them as well, those in columns from where they lie.
template <int lanes, std::size_t inputs>
void take_inputs(
  std::size_t first, const Given (&in)[inputs], Pack<lanes> * copy,
  InputColumns<lanes> (&from)[inputs]) noexcept
{
  for (std::size_t i = 0; i < inputs; ++i)
  {
    if (in[i].in_columns())
    {
      from[i] = InputColumns<lanes>(in[i].values + first, in[i].step);
      continue;
    }
    gather<lanes>(first, in[i], copy);
    from[i] = copy;
    copy += in[i].size;
  }
}

/// The count of numbers by which lines are fetched ahead to be written.
constexpr std::size_t ahead = 2 * numbers_a_line;

/// Bytes that stay in the first cache.
constexpr std::size_t near_bytes = 32 * 1024;

/// Fetches lines that will be written, of each state one: by itself, a processor foresees stores to
/// fewer places. Beyond the last numbers of a state those of another are fetched, or none.
template <int lanes>
[[gnu::always_inline]] inline void expect(const double * place, std::size_t stride) noexcept
{
  for (std::size_t lane = 0; lane < lanes; ++lane)
  {
    __builtin_prefetch(place + lane * stride, 1);
  }
}

/// Copies an output of as many states as there are lanes to where each state has it.
///
/// \param far whether its place is in no near cache
/// \param at which pack is the i-th entry
template <int lanes, typename At>
[[gnu::always_inline]] inline void scatter(
  std::size_t first, Wanted output, bool far, At && at) noexcept
{
  double * const start = output.values + first * output.stride;
  const auto several = [&](std::size_t i, auto blocks) noexcept
  {
    const Pack<lanes> * block[blocks.width];
    for (std::size_t k = 0; k < blocks.width; ++k)
    {
      block[k] = at(i + k);
    }
    blocks.store(block, start + i, output.stride);
  };
  const auto expected = [&](std::size_t i, auto blocks) noexcept
  {
    if (i % numbers_a_line == 0)
    {
      expect<lanes>(start + i + ahead, output.stride);
    }
    several(i, blocks);
  };
  const auto one = [&](std::size_t i) noexcept
  {
    const Pack<lanes> & values = *at(i);
    for (std::size_t lane = 0; lane < lanes; ++lane)
    {
      start[lane * output.stride + i * output.step] = values[lane];
    }
  };
  if (output.in_columns())
  {
    for (std::size_t i = 0; i < output.size; ++i)
    {
      at(i)->write(start + i * output.step);
    }
  }
  else if (output.in_rows() && !far)
  {
    in_blocks<Block<lanes>>(output.size, several, one);
  }
  else if (output.in_rows())
  {
    in_blocks<Block<lanes>>(output.size, expected, one);
  }
  else
  {
    for (std::size_t i = 0; i < output.size; ++i)
    {
      one(i);
    }
  }
}

/// Copies the outputs of as many states as there are lanes.
template <int lanes, std::size_t outputs>
void scatter(
  std::size_t first, const Pack<lanes> * found, const Values<outputs> & values, bool far,
  const Wanted (&out)[outputs]) noexcept
{
  for (std::size_t i = 0; i < outputs; ++i)
  {
    const std::uint32_t * const places = values.places[i];
    const Pack<lanes> * const begin = found + values.first[i];
    if (places != nullptr)
    {
      scatter<lanes>(first, out[i], far, [=](std::size_t k) noexcept { return found + places[k]; });
    }
    else
    {
      scatter<lanes>(first, out[i], far, [=](std::size_t k) noexcept { return begin + k; });
    }
  }
}

/// Computes as many states at once as there are lanes, and those that are left over one by one.
///
/// \tparam in_values, out_values, constant_values how many numbers a state has, or all share
/// \tparam found_values how many numbers are computed of a state
/// \param several computes the values
/// \param in_columns computes all entries; null if it takes no columns
template <
  std::size_t in_values, std::size_t out_values, std::size_t found_values,
  std::size_t constant_values, int lanes, std::size_t inputs, std::size_t outputs, typename From,
  typename To>
void in_batches(
  std::size_t count, const double * constants, const Given (&in)[inputs],
  const Wanted (&out)[outputs], Call<double> single, Call<Pack<lanes>, From, To> several,
  CallInColumns in_columns, const Values<outputs> & values) noexcept
{
  Pack<lanes> given[in_values + 1], found[found_values], constant[constant_values + 1];
  From from[inputs];
  To to[outputs];
  OutputColumns<lanes> columns[outputs];
  bool direct = in_columns != nullptr;
  for (std::size_t i = 0; i < outputs; ++i)
  {
    to[i] = found + values.first[i];
    direct = direct && out[i].in_columns();
  }
  const std::size_t together = count - count % lanes;
  const bool far = sizeof found + count * out_values * sizeof(double) > near_bytes;
  for (std::size_t i = 0; together != 0 && i < values.constant_count; ++i)
  {
    found[i] = values.constants[i];
  }
  for (std::size_t i = 0; together != 0 && i < constant_values; ++i)
  {
    constant[i] = constants[i];
  }
  for (std::size_t first = 0; first < together; first += lanes)
  {
    take_inputs<lanes>(first, in, given, from);
    if constexpr (std::is_same_v<From, InputColumns<lanes>>)
    {
      if (direct)
      {
        for (std::size_t i = 0; i < outputs; ++i)
        {
          columns[i] = OutputColumns<lanes>(out[i].values + first, out[i].step);
        }
        in_columns(constant, from, columns);
        continue;
      }
    }
    several(constant, from, to);
    scatter<lanes>(first, found, values, far, out);
  }
  one_by_one<in_values, out_values>(together, count, constants, in, out, single);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__BATCH_HPP_
