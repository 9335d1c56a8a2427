// The inertia of a tool as a law may use it, and what critical damping is with it.
#ifndef ROBCOGEN_ROS__CONTROL__TASK_INERTIA_HPP_
#define ROBCOGEN_ROS__CONTROL__TASK_INERTIA_HPP_

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/control/tool.hpp"

namespace robcogen_ros::control
{

/// The operational-space inertia (Khatib 1987) of a tool, bounded.
///
/// With turns counted as ways of a lever arm l, `A = W J H^-1 J' W`, `W = diag(l, l, l, 1, 1, 1)`,
/// has the squares of the singular values of `W J H^(-1/2)` as its eigenvalues: how much the tool
/// gives way to a force in a direction [1/kg]. At a singularity one is zero, and its inverse, the
/// apparent mass, infinite. Here each counts for at least 1/m: `inertia = W (U max(a, 1/m) U')^-1
/// W`. That is damped least squares with a damping `1/m - a` for the singular directions alone
/// (Chiaverini, Siciliano, Egeland 1994, numerical filtering). It is continuous, exact where all
/// apparent masses are below m, and bounded: no direction has more than m, or m l^2 for turns, and
/// efforts `t = J' inertia x` of an acceleration x have
/// `t' H^-1 t <= m |W x|^2`.
class TaskInertia
{
public:
  /// \param compliance `J H^-1 J'`, angular rows first
  /// \param most the bound m [kg]
  /// \param arm l [m]
  TaskInertia(const Matrix6 & compliance, double most, double arm) noexcept : lever_(lever(arm))
  {
    const Matrix6 scaled = lever_.asDiagonal() * compliance * lever_.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix6> found(scaled);
    directions_ = found.eigenvectors();
    least_ = std::max(0.0, found.eigenvalues()(0));
    bounded_ = found.eigenvalues().cwiseMax(1.0 / most);
    damped_ = static_cast<int>((found.eigenvalues().array() < 1.0 / most).count());
  }

  /// The force that gives an acceleration [rad/s^2, m/s^2].
  Vector6 times(const Vector6 & acceleration) const noexcept
  {
    const Vector6 along = directions_.transpose() * lever_.cwiseProduct(acceleration);
    return lever_.cwiseProduct(directions_ * along.cwiseQuotient(bounded_));
  }

  /// The damping of ratio 1 for a stiffness: by both at once diagonal (Albu-Schaeffer, Ott,
  /// Hirzinger 2003), `2 S (S^-1 K S^-1)^(1/2) S` with S the root of the inertia.
  Matrix6 damping(const Matrix6 & stiffness) const noexcept
  {
    const Vector6 root = bounded_.cwiseSqrt();
    const Matrix6 from = directions_.transpose() * lever_.cwiseInverse().asDiagonal();
    const Matrix6 along =
      root.asDiagonal() * from * stiffness * from.transpose() * root.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix6> found(along);
    const Matrix6 back =
      lever_.asDiagonal() * directions_ * root.cwiseInverse().asDiagonal() * found.eigenvectors();
    const Vector6 rates = 2.0 * found.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    return back * rates.asDiagonal() * back.transpose();
  }

  /// The greatest apparent mass, without a bound; infinite at a singularity [kg].
  double apparent_mass() const noexcept { return 1.0 / least_; }
  /// Number of directions in which the bound acts.
  int damped() const noexcept { return damped_; }

private:
  static Vector6 lever(double arm) noexcept
  {
    Vector6 result = Vector6::Ones();
    result.head<3>().setConstant(arm);
    return result;
  }

  const Vector6 lever_;
  Matrix6 directions_;
  Vector6 bounded_;  ///< [1/kg]
  double least_;
  int damped_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__TASK_INERTIA_HPP_
