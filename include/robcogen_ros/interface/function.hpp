/// \file
/// The C interface of a robot's functions, from tables of what they are.
#ifndef ROBCOGEN_ROS__INTERFACE__FUNCTION_HPP_
#define ROBCOGEN_ROS__INTERFACE__FUNCTION_HPP_

#include <cstddef>
#include <type_traits>

#include "robcogen_ros/model.h"
#include "robcogen_ros/simd/batch.hpp"

namespace robcogen_ros::interface
{

/// Number type of functions for many states.
using Number = Pack<widest_pack>;

/// Returns the number of values of an argument.
constexpr std::size_t size(const robcogen_argument & argument) noexcept
{
  return argument.rows * argument.columns;
}

/// Returns the number of values of arguments.
template <std::size_t count>
constexpr std::size_t total(const robcogen_argument (&arguments)[count]) noexcept
{
  std::size_t sum = 0;
  for (const robcogen_argument & argument : arguments)
  {
    sum += size(argument);
  }
  return sum;
}

/// Finds the inputs of many states; those that are left out are what all states share.
[[gnu::always_inline]] inline void place(
  std::size_t count, const robcogen_argument * arguments, const double * const * left_out,
  bool usual, const double * const * inputs, const robcogen_layout * layouts, Given * in) noexcept
{
  for (std::size_t i = 0; i < count; ++i)
  {
    if (left_out[i] != nullptr && inputs[i] == nullptr)
    {
      in[i] = {left_out[i], usual ? 0 : size(arguments[i]), 0, 1};
    }
    else
    {
      in[i] = {inputs[i], size(arguments[i]), layouts[i].stride, layouts[i].step};
    }
  }
}

/// Finds the outputs of many states.
[[gnu::always_inline]] inline void place(
  std::size_t count, const robcogen_argument * arguments, double * const * outputs,
  const robcogen_layout * layouts, Wanted * out) noexcept
{
  for (std::size_t i = 0; i < count; ++i)
  {
    out[i] = {outputs[i], size(arguments[i]), layouts[i].stride, layouts[i].step};
  }
}

/// Function as callers of C see it.
///
/// \tparam Robot what all functions share: `batch`, whether several states are computed at once;
///   `constant_count` and `default_constants`, which serve where none are given
/// \tparam F the function: its `name`, its tables `inputs` and `outputs`; `left_out`, which has the
///   values of each input that may be left out, and null for the others; its forms `Usual`, which
///   takes no input that may be left out, and where there are such `General`, which takes all. A
///   form has the template `call`; `values`, what becomes of what it computes; whether it takes
///   arguments `in_columns`; whether it computes each entry `once`, where results are no columns.
template <typename Robot, typename F>
class Function
{
  static constexpr std::size_t input_count = std::extent_v<decltype(F::inputs)>;
  static constexpr std::size_t output_count = std::extent_v<decltype(F::outputs)>;

  /// Returns true if all inputs are left out that may be.
  static bool is_usual(const double * const * inputs) noexcept
  {
    bool usual = true;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < input_count; ++i)
    {
      usual = usual && (F::left_out[i] == nullptr || inputs[i] == nullptr);
    }
    return usual;
  }

  /// Returns true if none may be left out.
  static constexpr bool needs_all() noexcept
  {
    bool all = true;
    for (const double * const values : F::left_out)
    {
      all = all && values == nullptr;
    }
    return all;
  }

  static const double * known(const double * constants) noexcept
  {
    return constants != nullptr ? constants : Robot::default_constants;
  }

  template <typename Form>
  static void compute(
    std::size_t count, const double * constants, const Given (&in)[input_count],
    const Wanted (&out)[output_count]) noexcept
  {
    constexpr std::size_t in_values = total(F::inputs), out_values = total(F::outputs);
    constexpr auto single = Form::template call<double, const double *, double *>;
    if constexpr (Robot::batch)
    {
      using From = std::conditional_t<Form::in_columns, Inputs<Number>, const Number *>;
      using To = std::conditional_t<Form::in_columns && !Form::once, Outputs<Number>, Number *>;
      CallInColumns in_columns = nullptr;
      if constexpr (Form::in_columns)
      {
        in_columns = Form::template call<Number, Inputs<Number>, Outputs<Number>>;
      }
      in_batches<in_values, out_values, Form::values.count, Robot::constant_count>(
        count, constants, in, out, single,
        Call<Number, From, To>(Form::template call<Number, From, To>), in_columns, Form::values);
    }
    else
    {
      one_by_one<in_values, out_values>(0, count, constants, in, out, single);
    }
  }

public:
  static void call(
    const double * constants, const double * const * inputs, double * const * outputs) noexcept
  {
    if constexpr (!needs_all())
    {
      if (!is_usual(inputs))
      {
        const double * all[input_count];
#pragma GCC unroll 16
        for (std::size_t i = 0; i < input_count; ++i)
        {
          all[i] = inputs[i] != nullptr ? inputs[i] : F::left_out[i];
        }
        return F::General::template call<double, const double *, double *>(
          known(constants), all, outputs);
      }
    }
    F::Usual::template call<double, const double *, double *>(known(constants), inputs, outputs);
  }

  [[gnu::noinline]] static void call_laid_out(
    std::size_t count, const double * constants, const double * const * inputs,
    const robcogen_layout * input_layouts, double * const * outputs,
    const robcogen_layout * output_layouts) noexcept
  {
    const bool usual = is_usual(inputs);
    Given in[input_count];
    Wanted out[output_count];
    place(input_count, F::inputs, F::left_out, usual, inputs, input_layouts, in);
    place(output_count, F::outputs, outputs, output_layouts, out);
    if constexpr (!needs_all())
    {
      if (!usual)
      {
        return compute<typename F::General>(count, known(constants), in, out);
      }
    }
    compute<typename F::Usual>(count, known(constants), in, out);
  }

  static void call_strided(
    std::size_t count, const double * constants, const double * const * inputs,
    const std::size_t * input_strides, double * const * outputs,
    const std::size_t * output_strides) noexcept
  {
    robcogen_layout input_layouts[input_count], output_layouts[output_count];
    for (std::size_t i = 0; i < input_count; ++i)
    {
      input_layouts[i] = {input_strides[i], 1};
    }
    for (std::size_t i = 0; i < output_count; ++i)
    {
      output_layouts[i] = {output_strides[i], 1};
    }
    call_laid_out(count, constants, inputs, input_layouts, outputs, output_layouts);
  }

  static void call_many(
    std::size_t count, const double * constants, const double * const * inputs,
    double * const * outputs) noexcept
  {
    std::size_t input_strides[input_count], output_strides[output_count];
    for (std::size_t i = 0; i < input_count; ++i)
    {
      input_strides[i] = size(F::inputs[i]);
    }
    for (std::size_t i = 0; i < output_count; ++i)
    {
      output_strides[i] = size(F::outputs[i]);
    }
    call_strided(count, constants, inputs, input_strides, outputs, output_strides);
  }

  static void call_in_context(
    void *, const double * constants, const double * const * inputs,
    double * const * outputs) noexcept
  {
    call(constants, inputs, outputs);
  }

  static constexpr robcogen_function entry = {F::name,    input_count, F::inputs, output_count,
                                              F::outputs, call,        call_many};
};

/// The tables of all functions of a robot.
template <typename Robot, typename... F>
struct Functions
{
  static constexpr std::size_t count = sizeof...(F);
  static constexpr robcogen_function functions[] = {Function<Robot, F>::entry...};
  static constexpr robcogen_call_strided strided[] = {Function<Robot, F>::call_strided...};
  static constexpr robcogen_call_laid_out laid_out[] = {Function<Robot, F>::call_laid_out...};
  static constexpr robcogen_call_in_context calls[] = {Function<Robot, F>::call_in_context...};
};

/// Computes a function of parameters; of their defaults if none are given.
template <auto function, const double * defaults>
void of_parameters(const double * parameters, double * found) noexcept
{
  function(parameters != nullptr ? parameters : defaults, found);
}

/// Finds nothing, for a robot without parameters.
inline void nothing(const double *, double *) noexcept {}

}  // namespace robcogen_ros::interface

#endif  // ROBCOGEN_ROS__INTERFACE__FUNCTION_HPP_
