// Solving with the factor of a joint-space inertia matrix, whose zeros are those of the tree.
#ifndef ROBCOGEN_ROS__INERTIA_FACTOR_HPP_
#define ROBCOGEN_ROS__INERTIA_FACTOR_HPP_

#include <Eigen/Core>
#include <array>

#include "robcogen_ros/types.hpp"

namespace robcogen_ros
{

/// Featherstone's expanded parent array (RBDA section 6.5), -1 at the roots: row i of
/// `inertia_factor` has entries only in the columns of i, `parents[i]`, `parents[parents[i]]` and
/// so on. Where joints follow others, each is said to be the parent of the next: no zero is relied
/// on.
template <typename Model>
constexpr auto expanded_parents() noexcept
{
  constexpr int base = Model::floating_base ? 6 : 0;
  std::array<int, Types<Model, double>::freedoms> result{};
  for (int i = 0; i < Types<Model, double>::freedoms; ++i)
  {
    result[i] = i - 1;
  }
  if constexpr (Model::moving_joint_count == Model::joint_count)
  {
    for (int joint = 0; joint < Model::joint_count; ++joint)
    {
      const int link = Model::joint_parents[joint];
      result[base + Model::joint_coordinates[joint]] =
        link == 0 ? base - 1 : base + Model::joint_coordinates[link - 1];
    }
  }
  return result;
}

/// Solves `H x = b` in place, in as many operations as L has entries for each triangle.
///
/// Source: Featherstone, Rigid Body Dynamics Algorithms, table 6.5, for `L' L = H`.
///
/// \tparam Model the constants of a generated robot
/// \param[in] L `inertia_factor(q)`
/// \param[in,out] x b before, `H^-1 b` after; a vector or segment of one, a row for each degree
/// of freedom, those of a floating base first
/// \throws std::invalid_argument if a size is wrong and known at run time only
template <typename Model, typename Factor, typename Vector>
void solve_in_place(
  const Eigen::MatrixBase<Factor> & L,
  const Eigen::MatrixBase<Vector> & x) noexcept(fixed_size<Factor, Vector>)
{
  constexpr auto parents = expanded_parents<Model>();
  constexpr int count = static_cast<int>(parents.size());
  static_assert(Vector::ColsAtCompileTime == 1, "solve for one vector at a time");
  require_size<count, count>(L, "L");
  require_size<count>(x, "x");
  auto & solution = const_cast<Vector &>(x.derived());  // as Eigen's guide has it for blocks
  for (int i = count - 1; i >= 0; --i)
  {
    solution(i) = solution(i) / L(i, i);
    for (int j = parents[i]; j >= 0; j = parents[j])
    {
      solution(j) = solution(j) - L(i, j) * solution(i);
    }
  }
  for (int i = 0; i < count; ++i)
  {
    for (int j = parents[i]; j >= 0; j = parents[j])
    {
      solution(i) = solution(i) - L(i, j) * solution(j);
    }
    solution(i) = solution(i) / L(i, i);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__INERTIA_FACTOR_HPP_
