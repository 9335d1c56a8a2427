// Newton's steps on the true chain, which end at a pose or as near to it as they can.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__POLISH_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__POLISH_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/inverse_kinematics/chain.hpp"
#include "robcogen_ros/products.hpp"
#include "robcogen_ros/turn.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// Part of a pose that is wanted.
enum class Wanted
{
  pose,
  position,          ///< of the origin
  position_and_axis  ///< and the direction of an axis
};

/// Target of the end of a chain.
struct Task
{
  Wanted wanted = Wanted::pose;
  Pose target;
  Vector3d axis = Vector3d::UnitZ();  ///< in the end's frame; where it points, the target tells

  int rows() const noexcept
  {
    return wanted == Wanted::pose ? 6 : wanted == Wanted::position ? 3 : 5;
  }
};

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// Returns the rotation vector [rad] of a rotation.
inline Vector3d rotation_vector(const Matrix3d & R) noexcept
{
  Eigen::Quaterniond turn(R);
  if (turn.w() < 0.0)
  {
    turn.coeffs() *= -1.0;
  }
  const double sine = turn.vec().norm();
  return turn.vec() * (sine > 1e-8 ? 2.0 * std::atan2(sine, turn.w()) / sine : 2.0);
}

/// Error to a target [rad, m], and its change per unit rates of some joints.
struct Error
{
  Rows left;
  Jacobian J;

  double size() const noexcept { return left.norm(); }
};

/// The chain and those of its joints that move.
struct Moving
{
  const Chain & chain;
  int fixed = -1;  ///< a joint that does not move

  int size() const noexcept { return chain.size() - (fixed < 0 ? 0 : 1); }

  /// Returns what is left to a target.
  Error error(const Positions & q, const Task & task) const noexcept
  {
    Jacobian whole;
    const Pose now = chain.pose(q, whole);
    for (int i = fixed; i >= 0 && i + 1 < chain.size(); ++i)
    {
      whole.col(i) = whole.col(i + 1).eval();
    }
    Error result;
    result.left.resize(task.rows());
    result.J.resize(task.rows(), size());
    const auto J = whole.leftCols(size());
    const int turns = task.rows() - 3;
    result.left.tail<3>() = task.target.translation - now.translation;
    result.J.bottomRows(3) = J.bottomRows(3);
    if (task.wanted == Wanted::pose)
    {
      result.left.head<3>() = rotation_vector(task.target.rotation * now.rotation.transpose());
      result.J.topRows(3) = J.topRows(3);
    }
    else if (turns == 2)
    {
      const Vector3d there = task.target.rotation * task.axis, here = now.rotation * task.axis;
      Eigen::Matrix<double, 2, 3> sides;
      sides.row(0) = there.unitOrthogonal();
      sides.row(1) = there.cross(Vector3d(sides.row(0).transpose()));
      result.left.head<2>() = sides * turn_between(here, there);
      result.J.topRows(2) = sides * J.topRows(3);
    }
    return result;
  }

  /// Moves the joints by a step.
  void move(Positions & q, const Positions & step) const noexcept
  {
    for (int i = 0, k = 0; i < chain.size(); ++i)
    {
      q(i) += i == fixed ? 0.0 : step(k++);
    }
  }
};

using Square =
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_joints, most_joints>;
using SquareFactors = Elimination<Square, most_joints>;

/// Returns the product of two matrices with a number added on its diagonal.
inline Square damped_product(const View & a, const View & b, double damping) noexcept
{
  Square result = product<Square>(a, b);
  for (int i = 0; i < a.rows; ++i)
  {
    result(i, i) += damping;
  }
  return result;
}

/// Returns the step that brings a chain nearest to a target, damped [(m, rad)^2 a unit^2].
inline Positions step_to(const Error & error, double damping) noexcept
{
  const View J = error.J, transposed = J.transposed();
  SquareFactors factors;
  if (J.rows <= J.columns)
  {
    Rows left = error.left;
    factors.compute(damped_product(J, transposed, damping));
    factors.solve(left.data());
    return product<Positions>(transposed, left);
  }
  Positions step = product<Positions>(transposed, error.left);
  factors.compute(damped_product(transposed, J, damping));
  factors.solve(step.data());
  return step;
}

/// Improves positions until nothing is left or it no longer helps; returns what is left.
///
/// Levenberg and Marquardt's steps, with a damping that vanishes with what is left.
inline Error polish(const Moving & moving, const Task & task, Positions & q, int most) noexcept
{
  Error best = moving.error(q, task);
  double factor = 1.0;
  for (int i = 0; i < most && best.size() > 2e-15 && factor < 1e14; ++i)
  {
    const double damping = std::min(best.left.squaredNorm(), 1e-2) * factor * 1e-2;
    Positions step = step_to(best, damping + 1e-22), next = q;
    const double largest = step.cwiseAbs().maxCoeff();
    moving.move(next, largest > 0.5 ? Positions(step * (0.5 / largest)) : step);
    const Error error = moving.error(next, task);
    if (error.size() < best.size())
    {
      const bool rounding = best.size() < 1e-13 && error.size() > best.size() / 4.0;
      q = next;
      best = error;
      factor = std::max(factor / 10.0, 1e-3);
      if (rounding)
      {
        break;
      }
    }
    else
    {
      factor = best.size() < 1e-13 ? 1e14 : factor * 30.0;
    }
  }
  return best;
}

/// Returns the inverse of a square matrix; not finite where there is none.
inline Square inverse_of(const Square & matrix) noexcept
{
  SquareFactors factors;
  factors.compute(matrix);
  Square result = Square::Identity(matrix.rows(), matrix.cols());
  for (int j = 0; j < result.cols(); ++j)
  {
    factors.solve(&result(0, j));
  }
  return result;
}

/// Returns the margin to singular positions: one over the Frobenius norm of the inverse Jacobian,
/// rows of positions divided by a length. The least singular value is at most 2.5 times as large.
inline double margin_of(Jacobian J, double length) noexcept
{
  J.bottomRows(3) /= length;
  if (J.rows() == J.cols())
  {
    const double norm = inverse_of(J).norm();
    return std::isfinite(norm) ? 1.0 / norm : 0.0;
  }
  const View wide = J, tall = wide.transposed();
  const Square square =
    product<Square>(J.rows() < J.cols() ? wide : tall, J.rows() < J.cols() ? tall : wide);
  const double trace = inverse_of(square).trace();
  return trace > 0.0 && std::isfinite(trace) ? 1.0 / std::sqrt(trace) : 0.0;
}

/// Returns the direction, of length 1, in which joints move the end least: by inverse iteration.
inline Positions idle_direction(const Jacobian & J) noexcept
{
  SquareFactors factors;
  factors.compute(damped_product(View(J).transposed(), J, 1e-12));
  Positions result = Positions::LinSpaced(J.cols(), 1.0, 2.0);
  for (int i = 0; i < 4; ++i)
  {
    factors.solve(result.data());
    result.normalize();
  }
  return result;
}

/// Numbers that look random and are the same every time (Steele, Lea, Flood 2014).
class Random
{
public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  double between(double low, double high) noexcept
  {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    x ^= x >> 31U;
    return low + (high - low) * static_cast<double>(x >> 11U) * 0x1p-53;
  }

private:
  std::uint64_t state_;
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__POLISH_HPP_
