// What a quadratic program is to come near to.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__WISHES_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__WISHES_HPP_

#include "robcogen_ros/products.hpp"
#include "robcogen_ros/whole_body/matrices.hpp"

namespace robcogen_ros::whole_body
{

/// Linear functions of the variables, and what each is to be: rows of a least-squares problem.
template <typename Robot>
class Wishes
{
  using Matrix = typename Matrices<Robot>::Matrix;
  using Vector = typename Matrices<Robot>::Vector;

public:
  Wishes(int rows, int variables) noexcept : maps_(rows, variables), wanted_(rows) {}

  void clear() noexcept
  {
    maps_.setZero();
    wanted_.setZero();
  }

  /// Adds the wish that `map x` is `wanted`, by the root of a weight.
  void add(int row, const View & map, const View & wanted, double root) noexcept
  {
    for (int i = 0; i < map.rows; ++i)
    {
      wanted_(row + i) = root * wanted(i, 0);
      for (int j = 0; j < map.columns; ++j)
      {
        maps_(row + i, j) = root * map(i, j);
      }
    }
  }

  /// Writes the sum of the squares of what is missed, all of it in one unit, as a quadratic form.
  ///
  /// \param units of the variables
  template <typename Program>
  void square(const Vector & units, double unit, Program & program) noexcept
  {
    const int rows = static_cast<int>(wanted_.size());
    for (int i = 0; i < maps_.cols(); ++i)
    {
      maps_.col(i) *= units(i) / unit;
      program.gradient(i) = -dot(rows, &maps_(0, i), wanted_.data()) / unit;
      for (int k = 0; k <= i; ++k)
      {
        program.hessian(i, k) = dot(rows, &maps_(0, i), &maps_(0, k));
        program.hessian(k, i) = program.hessian(i, k);
      }
    }
  }

private:
  Matrix maps_;
  Vector wanted_;
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__WISHES_HPP_
