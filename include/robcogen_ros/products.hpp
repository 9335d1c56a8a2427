// Products of dense matrices, whose sizes are known at run time and that compile fast.
#ifndef ROBCOGEN_ROS__PRODUCTS_HPP_
#define ROBCOGEN_ROS__PRODUCTS_HPP_

#include <Eigen/Core>
#include <utility>

namespace robcogen_ros
{

/// Sum of the products of so many numbers.
inline double dot(int count, const double * a, const double * b) noexcept
{
  using Row = Eigen::Map<const Eigen::VectorXd>;
  return Row(a, count).dot(Row(b, count));
}

/// Adds a multiple of numbers to others.
inline void add_multiple(int count, double factor, const double * of, double * to) noexcept
{
  Eigen::Map<Eigen::VectorXd>(to, count) += factor * Eigen::Map<const Eigen::VectorXd>(of, count);
}

/// Multiplies each row of a matrix by a number.
template <typename Values, typename Factors>
void scale_rows(Values & values, const Factors & factors) noexcept
{
  for (int j = 0; j < values.cols(); ++j)
  {
    for (int i = 0; i < values.rows(); ++i)
    {
      values(i, j) *= factors(i);
    }
  }
}

/// A matrix that lies somewhere.
struct View
{
  const double * data;
  int rows, columns;
  int row_step, column_step;  ///< from a number to the one below it, and beside it

  /// Takes a matrix, a vector or a block of one.
  template <typename Values>
  View(const Values & values) noexcept  // NOLINT(runtime/explicit): as a matrix is meant
  : data(values.data()),
    rows(static_cast<int>(values.rows())),
    columns(static_cast<int>(values.cols())),
    row_step(static_cast<int>(values.rowStride())),
    column_step(static_cast<int>(values.colStride()))
  {
  }

  double operator()(int row, int column) const noexcept
  {
    return data[row * row_step + column * column_step];
  }

  View transposed() const noexcept
  {
    View result = *this;
    std::swap(result.rows, result.columns);
    std::swap(result.row_step, result.column_step);
    return result;
  }
};

/// Writes a multiple of the product of two matrices, column by column.
///
/// \param step from one column to the next
inline void write_product(
  const View & a, const View & b, double factor, double * to, int step) noexcept
{
  using Four = Eigen::Vector4d;
  const int depth = a.columns;
  for (int j = 0; j < b.columns; ++j, to += step)
  {
    int i = 0;
    for (; a.row_step == 1 && i + 4 <= a.rows; i += 4)
    {
      Four sum = Four::Zero();
      for (int k = 0; k < depth; ++k)
      {
        sum += b(k, j) * Eigen::Map<const Four>(a.data + i + k * a.column_step);
      }
      Eigen::Map<Four>(to + i) = factor * sum;
    }
    for (; i < a.rows; ++i)
    {
      double sum = 0.0;
      if (a.column_step == 1 && b.row_step == 1)
      {
        sum = dot(depth, a.data + i * a.row_step, b.data + j * b.column_step);
      }
      else
      {
        for (int k = 0; k < depth; ++k)
        {
          sum += a(i, k) * b(k, j);
        }
      }
      to[i] = factor * sum;
    }
  }
}

/// Makes a matrix of the right size, or a block of one, a multiple of the product of two others.
template <typename Values>
void multiply(const View & a, const View & b, Values && to, double factor = 1.0) noexcept
{
  const int row_step = static_cast<int>(to.rowStride());
  const int column_step = static_cast<int>(to.colStride());
  if (row_step == 1)
  {
    write_product(a, b, factor, to.data(), column_step);
  }
  else
  {
    write_product(b.transposed(), a.transposed(), factor, to.data(), row_step);
  }
}

/// The product of two matrices as a matrix or vector with room for it.
template <typename Values>
Values product(const View & a, const View & b, double factor = 1.0) noexcept
{
  Values result(a.rows, b.columns);
  multiply(a, b, result, factor);
  return result;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__PRODUCTS_HPP_
