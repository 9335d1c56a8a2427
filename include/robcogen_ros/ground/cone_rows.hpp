// Rows of forces and motion: those of contacts that only push, and those that rub.
#ifndef ROBCOGEN_ROS__GROUND__CONE_ROWS_HPP_
#define ROBCOGEN_ROS__GROUND__CONE_ROWS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "robcogen_ros/ground/friction.hpp"
#include "robcogen_ros/products.hpp"

namespace robcogen_ros::ground
{

/// Forces f and the motion u = A f + b of their rows.
///
/// \tparam most the greatest number of rows
template <int most>
struct ConeRows
{
  Square<most> A;
  Values<most> b;
  Values<most> least;              ///< of normal rows
  Values<most> near;               ///< where f is not unique, it is sought near this
  Values<most> force;              ///< f, as found
  Values<most> motion;             ///< u, as found
  std::array<bool, most> normal;   ///< which rows are normal ones
  std::array<bool, most> carries;  ///< which of these have f > least, as found
  std::array<Friction, most> frictions;
  int friction_count = 0;

  int size() const noexcept { return static_cast<int>(b.size()); }

  /// The motion that forces make.
  void find_motion() noexcept { motion = product<Values<most>>(A, force) + b; }

  /// Greatest force of rows that rub.
  double radius(const Friction & friction) const noexcept
  {
    const auto pushes = force.segment(friction.first_normal, friction.normals);
    return friction.coefficient * std::max(0.0, pushes.sum()) + friction.bound;
  }

  /// Force of rows that rub, zero beyond.
  Eigen::Vector3d force_of(const Friction & friction) const noexcept
  {
    Eigen::Vector3d result = Eigen::Vector3d::Zero();
    result.head(friction.size) = force.segment(friction.first, friction.size);
    return result;
  }

  /// What resists the sliding of rows that rub.
  double trace(const Friction & friction) const noexcept
  {
    double sum = 0.0;
    for (int i = friction.first; i < friction.first + friction.size; ++i)
    {
      sum += A(i, i);
    }
    return sum;
  }
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__CONE_ROWS_HPP_
