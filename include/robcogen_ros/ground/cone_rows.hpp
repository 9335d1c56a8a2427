// Rows of forces and motion: those of contacts that only push, and those that rub.
#ifndef ROBCOGEN_ROS__GROUND__CONE_ROWS_HPP_
#define ROBCOGEN_ROS__GROUND__CONE_ROWS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <numeric>

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

  /// Sum of the normal forces on which friction depends.
  double pushes(const Friction & friction) const noexcept
  {
    const auto first = force.data() + friction.first_normal;
    return std::accumulate(first, first + friction.normals, 0.0);
  }

  /// Greatest force of rows that rub.
  double radius(const Friction & friction) const noexcept
  {
    return friction.coefficient * std::max(0.0, pushes(friction)) + friction.bound;
  }

  /// Values of rows that rub, zero beyond.
  static Eigen::Vector3d of(const Friction & friction, const Values<most> & values) noexcept
  {
    Eigen::Vector3d result = Eigen::Vector3d::Zero();
    std::copy_n(values.data() + friction.first, friction.size, result.data());
    return result;
  }

  /// Sets values of rows that rub.
  static void set(
    const Friction & friction, const Eigen::Vector3d & given, Values<most> & values) noexcept
  {
    std::copy_n(given.data(), friction.size, values.data() + friction.first);
  }

  /// Returns the resistance to the sliding of rows that rub.
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
