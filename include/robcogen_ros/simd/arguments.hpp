/// \file
/// Where generated functions that compute several states at once find inputs and put outputs.
#ifndef ROBCOGEN_ROS__SIMD__ARGUMENTS_HPP_
#define ROBCOGEN_ROS__SIMD__ARGUMENTS_HPP_

namespace robcogen_ros
{

/// Arguments of functions on numbers of type T: entries that follow one another. For packs of
/// several states, `simd/columns.hpp` has entries at any distance.
template <typename T>
struct Arguments
{
  using Inputs = const T *;
  using Outputs = T *;
};

/// The entries of an input, read by `[]`.
template <typename T>
using Inputs = typename Arguments<T>::Inputs;

/// The entries of an output, written by `[]`.
template <typename T>
using Outputs = typename Arguments<T>::Outputs;

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__ARGUMENTS_HPP_
