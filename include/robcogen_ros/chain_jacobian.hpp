// Jacobians of only the joints between two frames.
#ifndef ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_
#define ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_

#include <Eigen/Core>
#include <iterator>

namespace robcogen_ros
{

/// A 6 x k Jacobian, a column for each of the k joints of a chain.
///
/// \tparam T the scalar
/// \tparam Chain its `joints` in order, and the number of all joints, `joint_count`
template <typename T, typename Chain>
class ChainJacobian : public Eigen::Matrix<T, 6, static_cast<int>(std::size(Chain::joints))>
{
public:
  /// Number of its columns.
  static constexpr int size = static_cast<int>(std::size(Chain::joints));
  /// The joint of each column.
  static constexpr auto & joints = Chain::joints;

  using Base = Eigen::Matrix<T, 6, size>;
  using Base::Base;

  /// The entries of its joints, of a vector over all joints of the robot.
  template <typename Vector>
  static Eigen::Matrix<T, size, 1> select(const Eigen::MatrixBase<Vector> & all) noexcept
  {
    Eigen::Matrix<T, size, 1> result;
    for (int i = 0; i < size; ++i)
    {
      result(i) = all(static_cast<int>(joints[i]));
    }
    return result;
  }

  /// The Jacobian with a column for each joint of the robot.
  Eigen::Matrix<T, 6, Chain::joint_count> full() const noexcept
  {
    Eigen::Matrix<T, 6, Chain::joint_count> result =
      Eigen::Matrix<T, 6, Chain::joint_count>::Zero();
    for (int i = 0; i < size; ++i)
    {
      result.col(static_cast<int>(joints[i])) = this->col(i);
    }
    return result;
  }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__CHAIN_JACOBIAN_HPP_
