// Factors of small dense matrices, whose sizes are known at run time and that compile fast.
#ifndef ROBCOGEN_ROS__FACTORS_HPP_
#define ROBCOGEN_ROS__FACTORS_HPP_

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <utility>

#include "robcogen_ros/products.hpp"

namespace robcogen_ros
{

/// Cholesky's factor L of a symmetric, positive definite matrix A = L L'. No call allocates.
///
/// \tparam Matrix a square Eigen matrix that lies column by column
template <typename Matrix>
class Cholesky
{
public:
  /// Factorises the lower triangle of a matrix; false if it is not positive definite.
  bool compute(const Matrix & matrix) noexcept
  {
    factor_ = matrix;
    const int n = size();
    for (int j = 0; j < n; ++j)
    {
      double * const column = below(j);
      if (!(*column > 0.0))
      {
        return false;
      }
      Eigen::Map<Eigen::VectorXd>(column, n - j) *= 1.0 / std::sqrt(*column);
      for (int k = j + 1; k < n; ++k)
      {
        add_multiple(n - k, -column[k - j], column + (k - j), below(k));
      }
    }
    return true;
  }

  int size() const noexcept { return static_cast<int>(factor_.rows()); }

  /// Makes L^-1 x of x.
  void solve_lower(double * x) const noexcept
  {
    const int n = size();
    for (int j = 0; j < n; ++j)
    {
      const double * const column = below(j);
      x[j] /= *column;
      add_multiple(n - j - 1, -x[j], column + 1, x + j + 1);
    }
  }

  /// Makes L'^-1 x of x.
  void solve_upper(double * x) const noexcept
  {
    const int n = size();
    for (int j = n - 1; j >= 0; --j)
    {
      const double * const column = below(j);
      x[j] = (x[j] - dot(n - j - 1, column + 1, x + j + 1)) / *column;
    }
  }

  /// Makes A^-1 x of x, of each column of a matrix that lies column by column.
  template <typename Columns>
  void solve_in_place(Columns & x) const noexcept
  {
    for (int i = 0; i < x.cols(); ++i)
    {
      solve_lower(&x(0, i));
      solve_upper(&x(0, i));
    }
  }

  /// The root of x' A x.
  double length(const double * x) const noexcept
  {
    double sum = 0.0;
    for (int j = 0; j < size(); ++j)
    {
      const double part = dot(size() - j, below(j), x + j);
      sum += part * part;
    }
    return std::sqrt(sum);
  }

private:
  double * below(int j) noexcept { return &factor_(j, j); }
  const double * below(int j) const noexcept { return &factor_(j, j); }

  Matrix factor_;
};

/// Gauss's elimination with partial pivoting. No call allocates.
///
/// \tparam Matrix a square Eigen matrix that lies column by column, of at most `most` rows
template <typename Matrix, int most>
class Elimination
{
public:
  void compute(const Matrix & matrix) noexcept
  {
    factors_ = matrix;
    const int n = static_cast<int>(factors_.rows());
    for (int k = 0; k < n; ++k)
    {
      double * const column = &factors_(0, k);
      int pivot = k;
      for (int i = k + 1; i < n; ++i)
      {
        pivot = std::abs(column[i]) > std::abs(column[pivot]) ? i : pivot;
      }
      pivots_[k] = pivot;
      for (int j = 0; j < n && pivot != k; ++j)
      {
        std::swap(factors_(k, j), factors_(pivot, j));
      }
      for (int i = k + 1; i < n && column[k] != 0.0; ++i)
      {
        column[i] /= column[k];
      }
      for (int j = k + 1; j < n; ++j)
      {
        add_multiple(n - k - 1, -factors_(k, j), column + k + 1, &factors_(k, j) + 1);
      }
    }
  }

  /// Makes A^-1 x of x.
  void solve(double * x) const noexcept
  {
    const int n = static_cast<int>(factors_.rows());
    for (int k = 0; k < n; ++k)
    {
      std::swap(x[k], x[pivots_[k]]);
    }
    for (int k = 0; k < n; ++k)
    {
      add_multiple(n - k - 1, -x[k], &factors_(0, k) + k + 1, x + k + 1);
    }
    for (int k = n - 1; k >= 0; --k)
    {
      const double * const column = &factors_(0, k);
      x[k] /= column[k];
      add_multiple(k, -x[k], column, x);
    }
  }

private:
  Matrix factors_;
  std::array<int, most> pivots_;
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__FACTORS_HPP_
