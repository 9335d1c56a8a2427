// The types of a generated robot's quantities, over any scalar, and how its functions take them.
#ifndef ROBCOGEN_ROS__TYPES_HPP_
#define ROBCOGEN_ROS__TYPES_HPP_

#include <Eigen/Core>
#include <cstddef>
#include <type_traits>

#include "robcogen_ros/matrix.hpp"
#include "robcogen_ros/transform.hpp"

namespace robcogen_ros
{

/// A frame that touches something.
struct Contact
{
  int frame;      ///< its number
  int first_row;  ///< of its rows among those of all contacts
  bool fixed[6];  ///< which rows of the frame's Jacobian are its rows, angular before linear

  /// Returns the number of its rows.
  constexpr int rows() const noexcept
  {
    int count = 0;
    for (const bool row : fixed)
    {
      count += row ? 1 : 0;
    }
    return count;
  }
};

/// Gravity in a world whose z points upwards, where nothing says another [m/s^2].
inline Eigen::Vector3d standard_gravity() noexcept
{
  return {0.0, 0.0, -9.81};
}

/// Types of fixed size for one robot.
///
/// \tparam Model the constants of a generated robot
/// \tparam T the scalar
template <typename Model, typename T>
struct Types
{
  /// Degrees of freedom, those of a floating base counted.
  static constexpr int freedoms = Model::joint_count + (Model::floating_base ? 6 : 0);

  using Scalar = T;
  using Vector3 = Matrix<T, 3, 1>;
  using Vector6 = Matrix<T, 6, 1>;
  using Matrix6 = Matrix<T, 6, 6>;
  /// A value of each joint, in the order of `joint_names`.
  using JointVector = Matrix<T, Model::joint_count, 1>;
  /// Inertia matrix over all degrees of freedom, the base first.
  using InertiaMatrix = Matrix<T, freedoms, freedoms>;
  using Jacobian = Matrix<T, 6, Model::joint_count>;
  using FullJacobian = Matrix<T, 6, freedoms>;
  /// A wrench [n; f] on each link, a link a column.
  using Wrenches = Matrix<T, 6, Model::link_count>;
  using Transform = robcogen_ros::Transform<T>;
  using MotionTransform = robcogen_ros::MotionTransform<T>;
  using ForceTransform = robcogen_ros::ForceTransform<T>;

  /// Positions and velocities of all joints.
  struct JointState
  {
    JointVector q = JointVector::Zero();
    JointVector qd = JointVector::Zero();
  };
};

/// An argument of a function as numbers in a row: what the caller gave where that is possible,
/// else a copy, on the stack.
///
/// \param name what the argument is called in the message
/// \throws std::invalid_argument if its size is wrong and known at run time only
template <typename T, int rows, int columns = 1, typename Given>
Eigen::Ref<const Matrix<T, rows, columns>> argument(
  const Eigen::MatrixBase<Given> & given,
  const char * name = "argument") noexcept(fixed_size<Given>)
{
  static_assert(
    std::is_same_v<typename Given::Scalar, T>, "all arguments of a call have the same scalar type");
  require_size<rows, columns>(given, name);
  return Eigen::Ref<const Matrix<T, rows, columns>>(given.derived());
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TYPES_HPP_
