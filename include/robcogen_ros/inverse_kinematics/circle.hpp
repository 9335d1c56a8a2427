// Equations whose unknowns are cosines and sines of angles.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__CIRCLE_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__CIRCLE_HPP_

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>

#include "robcogen_ros/inverse_kinematics/chain.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// Up to so many results.
template <typename Value, int most>
class Few
{
public:
  void add(const Value & value) noexcept
  {
    if (count_ < most)
    {
      values_[static_cast<std::size_t>(count_++)] = value;
    }
  }
  void clear() noexcept { count_ = 0; }
  int size() const noexcept { return count_; }
  const Value * begin() const noexcept { return values_.data(); }
  const Value * end() const noexcept { return values_.data() + count_; }

private:
  std::array<Value, most> values_;
  int count_ = 0;
};

using Angles = Few<double, 4>;

/// Length below which a vector counts as having no direction.
constexpr double no_length = 1e-12;

/// Returns the angle about an axis that takes one vector to another (Paden and Kahan's first
/// subproblem); none where one of them is along the axis.
inline std::optional<double> angle_between(
  const Vector3d & axis, const Vector3d & from, const Vector3d & to) noexcept
{
  const double y = axis.dot(from.cross(to));
  const double x = from.dot(to) - axis.dot(from) * axis.dot(to);
  return std::hypot(x, y) > no_length ? std::make_optional(std::atan2(y, x)) : std::nullopt;
}

/// Returns the angles at which a times the cosine plus b times the sine is d.
///
/// \param slack how far beyond all of them, relative to the largest sum, d may be: two angles on
///   either side of the nearest one are returned there, as far off as the solutions are complex
inline Angles angles_of_sum(double a, double b, double d, double slack) noexcept
{
  Angles result;
  const double most = std::hypot(a, b);
  if (most < no_length)
  {
    if (std::abs(d) <= slack)
    {
      result.add(0.0);
    }
    return result;
  }
  const double middle = std::atan2(b, a), ratio = d / most;
  if (std::abs(ratio) > 1.0 + slack)
  {
    return result;
  }
  const double off = std::abs(ratio) <= 1.0
                       ? std::acos(ratio)
                       : std::sqrt(2.0 * (std::abs(ratio) - 1.0)) + (ratio < 0.0 ? M_PI : 0.0);
  result.add(middle + off);
  result.add(middle - off);
  return result;
}

/// Returns the zeros of k0 + k1 cos x + k2 sin x + k3 cos 2x + k4 sin 2x.
///
/// They are the zeros on the unit circle of a polynomial of degree 4, found all at once (Aberth
/// 1973).
///
/// \param slack how far the logarithm of a zero may be off the circle
inline Angles angles_of_double_sum(const std::array<double, 5> & k, double slack) noexcept
{
  using Complex = std::complex<double>;
  const double size = std::max({std::abs(k[0]), std::abs(k[1]), std::abs(k[2])});
  if (std::hypot(k[3], k[4]) < 1e-10 * size)
  {
    return angles_of_sum(k[1], k[2], -k[0], slack);
  }
  const std::array<Complex, 5> p = {
    Complex(k[3], k[4]), Complex(k[1], k[2]), 2.0 * k[0], Complex(k[1], -k[2]),
    Complex(k[3], -k[4])};
  std::array<Complex, 4> zeros;
  for (std::size_t i = 0; i < 4; ++i)
  {
    zeros[i] = std::polar(1.0, 0.4 + 1.6 * static_cast<double>(i));
  }
  double change = 1.0;
  for (int step = 0; step < 60 && change > 1e-15; ++step)
  {
    change = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
    {
      const Complex z = zeros[i];
      const Complex value = (((p[4] * z + p[3]) * z + p[2]) * z + p[1]) * z + p[0];
      const Complex slope = ((4.0 * p[4] * z + 3.0 * p[3]) * z + 2.0 * p[2]) * z + p[1];
      Complex others = 0.0;
      for (std::size_t j = 0; j < 4; ++j)
      {
        others += j == i || zeros[j] == z ? 0.0 : 1.0 / (z - zeros[j]);
      }
      const Complex divisor = slope - value * others;
      const Complex off = std::abs(divisor) > 0.0 ? value / divisor : 0.0;
      zeros[i] -= off;
      change = std::max(change, std::abs(off) / (1.0 + std::abs(z)));
    }
  }
  Angles result;
  for (const Complex & zero : zeros)
  {
    const double beside = std::log(std::abs(zero));
    if (std::abs(beside) <= slack)
    {
      result.add(std::arg(zero) + beside);
    }
  }
  return result;
}

/// Cosine and sine of an angle.
inline Eigen::Vector2d on_circle(double angle) noexcept
{
  return {std::cos(angle), std::sin(angle)};
}

/// Returns the zeros of a quadratic form of (cosine, sine, 1), a symmetric matrix.
inline Angles angles_of_form(const Matrix3d & form, double slack) noexcept
{
  return angles_of_double_sum(
    {(form(0, 0) + form(1, 1)) / 2.0 + form(2, 2), 2.0 * form(0, 2), 2.0 * form(1, 2),
     (form(0, 0) - form(1, 1)) / 2.0, form(0, 1)},
    slack);
}

using AnglePairs = Few<Eigen::Vector2d, 4>;

/// Returns the pairs of angles x, y with A (cos x, sin x) + B (cos y, sin y) = e (Elias and Wen's
/// sixth subproblem).
inline AnglePairs angle_pairs(
  const Eigen::Matrix2d & A, const Eigen::Matrix2d & B, const Eigen::Vector2d & e,
  double slack) noexcept
{
  AnglePairs result;
  const auto singular = [](const Eigen::Matrix2d & M)
  { return std::abs(M.determinant()) < 1e-9 * M.squaredNorm(); };
  if (singular(B))
  {
    const int large = B.row(0).squaredNorm() >= B.row(1).squaredNorm() ? 0 : 1;
    const double share = B.row(1 - large).dot(B.row(large)) / B.row(large).squaredNorm();
    const Eigen::RowVector2d sum = A.row(1 - large) - share * A.row(large);
    for (const double x : angles_of_sum(sum(0), sum(1), e(1 - large) - share * e(large), slack))
    {
      const double rest = e(large) - A.row(large).dot(on_circle(x));
      for (const double y : angles_of_sum(B(large, 0), B(large, 1), rest, slack))
      {
        result.add({x, y});
      }
    }
    return result;
  }
  if (singular(A))
  {
    for (const Eigen::Vector2d & pair : angle_pairs(B, A, e, slack))
    {
      result.add({pair(1), pair(0)});
    }
    return result;
  }
  const Eigen::Matrix2d inverse = B.inverse();
  Eigen::Matrix<double, 2, 3> other;
  other << -inverse * A, inverse * e;
  Matrix3d form = other.transpose() * other;
  form(2, 2) -= 1.0;
  for (const double x : angles_of_form(form, slack))
  {
    const Eigen::Vector2d y = other.leftCols<2>() * on_circle(x) + other.col(2);
    result.add({x, std::atan2(y(1), y(0))});
  }
  return result;
}

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__CIRCLE_HPP_
