/// \file
/// Vectors in the order of q, read and written in the order of the table.
#ifndef ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_
#define ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_

#include "robcogen_ros/tree/vectors.hpp"

namespace robcogen_ros::tree
{

/// The numbers of joints, of a vector in the order of q.
template <typename T, int joints>
class JointNumbers
{
public:
  JointNumbers(const Tree<joints> & tree, const T * vector) noexcept
  {
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
  [[gnu::always_inline]] Numbers<T> operator()(int i) const noexcept { return read<T>(row_ + i); }

private:
  static constexpr int size = row_size<T>(joints);
  T row_[size];
};

/// Puts numbers of so many joints from one on into a vector in the order of q.
template <typename T, int joints>
[[gnu::always_inline]] static inline void put_joints(
  const Tree<joints> & tree, int i, const Numbers<T> & numbers, T * vector) noexcept
{
  T row[width<T>];
  write<T>(numbers, row);
  for (int k = 0; k < width<T> && i + k < joints; ++k)
  {
    vector[tree.coordinate[i + k]] = row[k];
  }
}

}  // namespace robcogen_ros::tree

#endif  // ROBCOGEN_ROS__TREE__JOINT_VECTORS_HPP_
