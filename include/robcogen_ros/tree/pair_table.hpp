/// \file
/// Where the rows of each joint begin, if joints are computed two at a time and the rows of both
/// lie side by side.
#ifndef ROBCOGEN_ROS__TREE__PAIR_TABLE_HPP_
#define ROBCOGEN_ROS__TREE__PAIR_TABLE_HPP_

#include <cstddef>

namespace robcogen_ros
{

/// The rows of a pair of joints, and the numbers in a row of one of them.
constexpr int rows_of_pair = 6, half_row = 4;

/// The first number of each joint, counted from that of the first pair.
template <int size>
struct Places
{
  std::ptrdiff_t of[size];
};

namespace tree
{

/// \param pair the joints of each pair; -1 where there is no second one
/// \return what is no joint is beyond all pairs
template <int joints, int size>
constexpr Places<size> places(const int (&pair)[2][joints], int pairs) noexcept
{
  constexpr std::ptrdiff_t numbers_of_pair = 2 * half_row * rows_of_pair;
  Places<size> result{};
  for (std::ptrdiff_t & place : result.of)
  {
    place = numbers_of_pair * joints;
  }
  for (int k = 0; k < pairs; ++k)
  {
    for (int half = 0; half < 2; ++half)
    {
      if (pair[half][k] >= 0)
      {
        result.of[pair[half][k]] = numbers_of_pair * k + half_row * half;
      }
    }
  }
  return result;
}

}  // namespace tree
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__PAIR_TABLE_HPP_
