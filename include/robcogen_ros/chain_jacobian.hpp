// Jacobians of only the joints between two frames.
#ifndef ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_
#define ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_

#include <Eigen/Core>
#include <iterator>

#include "robcogen_ros/matrix.hpp"

namespace robcogen_ros
{

/// A Jacobian of six or other rows, a column for each of the k joints of a chain.
///
/// \tparam T the scalar
/// \tparam Chain its `joints` in order, and the number of all joints, `joint_count`
/// \tparam rows number of its rows
template <typename T, typename Chain, int rows = 6>
class ChainJacobian : public Matrix<T, rows, static_cast<int>(std::size(Chain::joints))>
{
public:
  /// Number of its columns.
  static constexpr int size = static_cast<int>(std::size(Chain::joints));
  /// The joint of each column.
  static constexpr auto & joints = Chain::joints;

  using Base = Matrix<T, rows, size>;
  using Base::Base;

  /// The entries of its joints, of a vector over all joints of the robot.
  ///
  /// \throws std::invalid_argument if its size is wrong and known at run time only
  template <typename Vector>
  static Matrix<T, size> select(const Eigen::MatrixBase<Vector> & all) noexcept(fixed_size<Vector>)
  {
    require_size<Chain::joint_count>(all, "all");
    Matrix<T, size> result;
    for (int i = 0; i < size; ++i)
    {
      result(i) = all(static_cast<int>(joints[i]));
    }
    return result;
  }

  /// The Jacobian with a column for each joint of the robot.
  Matrix<T, rows, Chain::joint_count> full() const noexcept
  {
    Matrix<T, rows, Chain::joint_count> result = Matrix<T, rows, Chain::joint_count>::Zero();
    for (int i = 0; i < size; ++i)
    {
      result.col(static_cast<int>(joints[i])) = this->col(i);
    }
    return result;
  }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_
