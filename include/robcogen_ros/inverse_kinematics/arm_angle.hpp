// Arms of seven joints whose first three axes meet in a shoulder, whose last three in a wrist.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__ARM_ANGLE_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__ARM_ANGLE_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "robcogen_ros/inverse_kinematics/six.hpp"

namespace robcogen_ros::inverse_kinematics
{

using Seven = Eigen::Matrix<double, 7, 1>;
using Sevens = Few<Seven, 8>;

/// An arm with a shoulder and a wrist, its axes moved so that they meet.
///
/// The arm angle tells where the elbow is on its circle about the line from shoulder to wrist
/// [rad]: 0 in the half plane that the first axis points into (Shimizu and others 2008). Where the
/// first axis is along that line, another fixed direction stands for it.
class ElbowArm
{
public:
  /// Returns the arm of a chain; none if its axes do not meet.
  static std::optional<ElbowArm> of(const Chain & chain, const Tolerance & within) noexcept
  {
    ElbowArm result;
    for (std::size_t i = 0; i < 3; ++i)
    {
      result.shoulder_[i] = chain[static_cast<int>(i)];
      result.wrist_[i] = chain[static_cast<int>(i) + 4];
    }
    result.elbow_ = chain[3];
    const auto meet = [&](std::array<Axis, 3> & axes, Vector3d & center)
    {
      if (!across(axes[0], axes[1]) || !across(axes[1], axes[2]))
      {
        return false;
      }
      center = common_point(axes[0], axes[1], axes[2]);
      for (Axis & axis : axes)
      {
        const double apart = (axis.foot(center) - center).norm() / within.length;
        result.off = std::max(result.off, apart);
        axis.point = center;
      }
      return result.off <= 1.0;
    };
    if (!meet(result.shoulder_, result.root_) || !meet(result.wrist_, result.center_))
    {
      return std::nullopt;
    }
    result.middle_ = result.elbow_.foot(result.root_);
    return (result.middle_ - result.root_).norm() > 1e-3 ? std::make_optional(result)
                                                         : std::nullopt;
  }

  double off = 0.0;  ///< how far axes were moved, as a share of the tolerance

  /// Returns the positions at which the arm displaces as is wanted, at an arm angle.
  Sevens solve(const Pose & wanted, double angle, const Seven & spare, double slack) const noexcept
  {
    Sevens result;
    const Vector3d goal = wanted.point(center_) - root_;
    const Vector3d foot = elbow_.foot(center_), arm = center_ - foot, lever = foot - root_;
    const double square = goal.squaredNorm() - arm.squaredNorm() - lever.squaredNorm();
    const Vector3d side = elbow_.direction.cross(arm);
    for (const double bend :
         angles_of_sum(2.0 * arm.dot(lever), 2.0 * side.dot(lever), square, slack))
    {
      const Matrix3d bent = rotation_about(elbow_.direction, bend);
      const Matrix3d here = triad(lever + bent * arm, middle_ - root_);
      const Matrix3d there = triad(goal, shoulder_[0].direction);
      const Matrix3d turn = there * rotation_about(Vector3d::UnitX(), angle) * here.transpose();
      const Matrix3d left = bent.transpose() * turn.transpose() * wanted.rotation;
      for (const Vector3d & s : orient(shoulder_, turn, spare(0), slack))
      {
        for (const Vector3d & w : orient(wrist_, left, spare(4), slack))
        {
          Seven q;
          q << s, bend, w;
          result.add(q.unaryExpr(&within_half_turn));
        }
      }
    }
    return result;
  }

  /// Returns the arm angle at some positions [rad].
  double angle(const Seven & q) const noexcept
  {
    const Matrix3d turn = rotation_of(shoulder_, q.head<3>());
    const Vector3d bent = elbow_.at(q(3)).point(center_) - root_;
    const Matrix3d now = triad(turn * bent, turn * (middle_ - root_));
    const Matrix3d zero = triad(turn * bent, shoulder_[0].direction);
    const Matrix3d between = zero.transpose() * now;
    return std::atan2(between(2, 1), between(1, 1));
  }

private:
  /// Axes of which the first is along a vector, the second beside it towards another one.
  static Matrix3d triad(const Vector3d & along, const Vector3d & towards) noexcept
  {
    Matrix3d result;
    result.col(0) = along.normalized();
    Vector3d beside = towards - result.col(0) * result.col(0).dot(towards);
    const bool there = beside.norm() > 1e-9 * towards.norm();
    beside = there ? beside : Vector3d(result.col(0)).unitOrthogonal();
    result.col(1) = beside.normalized();
    result.col(2) = result.col(0).cross(result.col(1));
    return result;
  }

  std::array<Axis, 3> shoulder_, wrist_;
  Axis elbow_;
  Vector3d root_, center_, middle_;
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__ARM_ANGLE_HPP_
