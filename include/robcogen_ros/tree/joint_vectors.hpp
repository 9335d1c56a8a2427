/// \file
/// Vectors in the order of q, read and written in the order of the table.
#ifndef ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_
#define ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_

#include "robcogen_ros/tree/vectors.hpp"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace robcogen_ros::tree
{

/// Whether so many joints are a pack of a table of sums.
template <typename T>
constexpr bool in_packs = width<T> == lanes_of_sums;

#ifdef __AVX512F__

/// The lanes of a pack that begins with a joint; the last pack may not be full.
template <int joints>
[[gnu::always_inline]] static inline __mmask8 lanes_from(int i) noexcept
{
  return static_cast<__mmask8>(
    0xff >> (joints - i < lanes_of_sums ? lanes_of_sums + i - joints : 0));
}

#endif

/// The numbers of joints, of a vector in the order of q.
template <typename T, int joints>
class JointNumbers
{
public:
  JointNumbers(const Tree<joints> & tree, const T * vector) noexcept : first_(vector)
  {
    if (in_packs<T> && tree.in_order)
    {
      return;
    }
    first_ = row_;
    for (int i = 0; i < joints; ++i)
    {
      row_[i] = vector[tree.coordinate[i]];
    }
    for (int i = joints; i < size; ++i)
    {
      row_[i] = T(0);
    }
  }

  /// Those of so many joints from one on.
  [[gnu::always_inline]] Numbers<T> operator()(int i) const noexcept
  {
#ifdef __AVX512F__
    if constexpr (in_packs<T>)
    {
      return typename Numbers<T>::Values(_mm512_maskz_loadu_pd(lanes_from<joints>(i), first_ + i));
    }
#endif
    return read<T>(first_ + i);
  }

private:
  static constexpr int size = row_size<T>(joints);
  const T * first_;
  T row_[size];
};

/// Puts numbers of so many joints from one on into a vector in the order of q.
template <typename T, int joints>
[[gnu::always_inline]] static inline void put_joints(
  const Tree<joints> & tree, int i, const Numbers<T> & numbers, T * vector) noexcept
{
#ifdef __AVX512F__
  if constexpr (in_packs<T>)
  {
    if (tree.in_order)
    {
      _mm512_mask_storeu_pd(
        vector + i, lanes_from<joints>(i), reinterpret_cast<__m512d>(numbers.values()));
      return;
    }
  }
#endif
  T row[width<T>];
  write<T>(numbers, row);
  for (int k = 0; k < width<T> && i + k < joints; ++k)
  {
    vector[tree.coordinate[i + k]] = row[k];
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_
