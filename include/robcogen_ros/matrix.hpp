// Matrices as generated code keeps them, and whether those of others have their sizes.
#ifndef ROBCOGEN_ROS__MATRIX_HPP_
#define ROBCOGEN_ROS__MATRIX_HPP_

#include <Eigen/Core>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace robcogen_ros
{

/// A matrix whose numbers lie column by column, whatever order the including file has chosen for
/// Eigen's own types.
template <typename T, int rows, int columns = 1>
using Matrix =
  Eigen::Matrix<T, rows, columns, rows == 1 && columns != 1 ? Eigen::RowMajor : Eigen::ColMajor>;

/// True if the compiler knows the sizes of some Eigen expressions.
template <typename... Expressions>
constexpr bool fixed_size = ((Expressions::SizeAtCompileTime != Eigen::Dynamic) && ...);

/// Throws std::invalid_argument; ends the program where it is compiled without exceptions.
[[noreturn, gnu::cold, gnu::noinline]] static inline void refuse_size(
  const char * name, Eigen::Index rows, Eigen::Index columns, Eigen::Index expected_rows,
  Eigen::Index expected_columns)
{
  const std::string message = std::string(name) + ": expected " + std::to_string(expected_rows) +
                              " x " + std::to_string(expected_columns) + ", found " +
                              std::to_string(rows) + " x " + std::to_string(columns);
#ifdef __cpp_exceptions
  throw std::invalid_argument(message);
#else
  std::fputs((message + "\n").c_str(), stderr);
  std::abort();
#endif
}

/// True if the compiler can tell that an expression has a size; Eigen::Dynamic stands for any.
template <typename Given, int rows, int columns>
constexpr bool size_known =
  (rows == Eigen::Dynamic || Given::RowsAtCompileTime != Eigen::Dynamic) &&
  (columns == Eigen::Dynamic || Given::ColsAtCompileTime != Eigen::Dynamic);

/// Refuses an expression of another size, by the compiler where that can tell.
///
/// \tparam rows, columns what is expected; Eigen::Dynamic for any number
/// \param name what the expression is called in the message
/// \throws std::invalid_argument if a size that is known at run time only is wrong
template <int rows, int columns = 1, typename Given>
void require_size(const Eigen::MatrixBase<Given> & given, const char * name) noexcept(
  size_known<Given, rows, columns>)
{
  constexpr int any = Eigen::Dynamic, given_rows = Given::RowsAtCompileTime,
                given_columns = Given::ColsAtCompileTime;
  static_assert(
    (given_rows == rows || given_rows == any || rows == any) &&
      (given_columns == columns || given_columns == any || columns == any),
    "an argument has another size than this robot's");
  if constexpr (!size_known<Given, rows, columns>)
  {
    const Eigen::Index expected_rows = rows == any ? given.rows() : rows,
                       expected_columns = columns == any ? given.cols() : columns;
    if (given.rows() != expected_rows || given.cols() != expected_columns)
    {
      refuse_size(name, given.rows(), given.cols(), expected_rows, expected_columns);
    }
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__MATRIX_HPP_
