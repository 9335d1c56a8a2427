// Three joints that bring a point somewhere, or that turn a frame about a point.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__THREE_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__THREE_HPP_

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "robcogen_ros/inverse_kinematics/circle.hpp"

namespace robcogen_ros::inverse_kinematics
{

using Three = Few<Vector3d, 4>;

/// Relative position of two axes.
struct Relation
{
  Vector3d across;  ///< of the first axis' direction, what is at right angles to the second
  Vector3d apart;   ///< from the first to the second, the shortest way
  bool parallel, meet;

  Relation(const Axis & one, const Axis & two) noexcept
  : across(one.direction - two.direction * two.direction.dot(one.direction)),
    apart(two.foot(nearest_point(one, two)) - nearest_point(one, two)),
    parallel(across.norm() < 1e-9),
    meet(!parallel && apart.norm() < 1e-9)
  {
    if (meet)
    {
      apart.setZero();
    }
  }
  bool special() const noexcept { return parallel || meet; }
};

/// Invariants of a point under the first of three joints that move it: its distance and its
/// height along the first axis, by the second and the third joint.
struct Reach
{
  using Row = Eigen::RowVector3d;

  Relation relation;  ///< of the first two axes
  Vector3d along, goal;
  Matrix3d leg;  ///< what is behind the second axis, times (cosine, sine, 1) of the third joint
  Row height, square;  ///< of that, along the axis, and its square
  Row far, high;       ///< what is wanted of its products with `apart` and `across` of the relation

  Reach(const std::array<Axis, 3> & axes, const Vector3d & tip, const Vector3d & wanted) noexcept
  : relation(axes[0], axes[1]), along(axes[1].direction)
  {
    const Vector3d root = nearest_point(axes[0], axes[1]), &first = axes[0].direction;
    const Vector3d foot = axes[2].foot(tip), arm = tip - foot;
    goal = wanted - root;
    leg << arm, axes[2].direction.cross(arm), foot - root - relation.apart;
    height = along.transpose() * leg;
    square = 2.0 * leg.col(2).transpose() * leg;
    square(2) = leg.col(2).squaredNorm() + arm.squaredNorm();
    far = -square / 2.0;
    high = -first.dot(along) * height;
    far(2) += (goal.squaredNorm() - relation.apart.squaredNorm()) / 2.0;
    high(2) += first.dot(goal);
  }

  /// Positions of the third joint: from one of both alone where the axes are special.
  Angles thirds(double slack) const noexcept
  {
    if (relation.special())
    {
      const Row & known = relation.parallel ? high : far;
      return angles_of_sum(known(0), known(1), -known(2), slack);
    }
    Matrix3d form = far.transpose() * far / relation.apart.squaredNorm() +
                    high.transpose() * high / relation.across.squaredNorm() +
                    height.transpose() * height;
    form.row(2) -= square / 2.0;
    form.col(2) -= square.transpose() / 2.0;
    return angles_of_form(form, slack);
  }

  /// Positions of the second joint, at (cosine, sine, 1) of the third.
  Angles seconds(const Vector3d & third, double slack) const noexcept
  {
    const Vector3d now = leg * third, &apart = relation.apart, &across = relation.across;
    if (relation.special())
    {
      const Vector3d & side = relation.parallel ? apart : across;
      const double wish = (relation.parallel ? far : high).dot(third);
      const Vector3d flat = now - along * along.dot(now);
      return angles_of_sum(side.dot(flat), side.dot(along.cross(now)), wish, slack);
    }
    const Vector3d turned = apart * (far.dot(third) / apart.squaredNorm()) +
                            across * (high.dot(third) / across.squaredNorm());
    Angles result;
    result.add(angle_between(along, now, turned).value_or(0.0));
    return result;
  }
};

/// Returns the positions of three joints that bring a point to another one.
///
/// One after the other where two neighbouring axes are parallel or meet, from a polynomial of
/// degree 4 otherwise (Pieper 1968; Elias and Wen's fifth subproblem).
///
/// \param axes their axes, which only turn
/// \param tip the point where all positions are zero
inline Three reach(
  const std::array<Axis, 3> & axes, const Vector3d & tip, const Vector3d & wanted,
  double slack) noexcept
{
  const auto & [one, two, three] = axes;
  Three result;
  if (!Relation(one, two).special() && Relation(two, three).special())
  {
    for (const Vector3d & q :
         reach({three.reversed(), two.reversed(), one.reversed()}, wanted, tip, slack))
    {
      result.add(q.reverse());
    }
    return result;
  }
  const Reach to(axes, tip, wanted);
  for (const double third : to.thirds(slack))
  {
    const Vector3d x(std::cos(third), std::sin(third), 1.0);
    for (const double second : to.seconds(x, slack))
    {
      const Vector3d whole = to.relation.apart + rotation_about(to.along, second) * (to.leg * x);
      result.add({angle_between(one.direction, whole, to.goal).value_or(0.0), second, third});
    }
  }
  return result;
}

/// Returns the positions of three joints that together turn a frame as is wanted.
///
/// \param spare of the first joint, where its axis comes in line with that of the last one
inline Three orient(
  const std::array<Axis, 3> & axes, const Matrix3d & wanted, double spare, double slack) noexcept
{
  const Vector3d &a = axes[0].direction, &b = axes[1].direction, &c = axes[2].direction;
  const Vector3d end = wanted * c;
  const Vector3d across = c.unitOrthogonal();
  Three result;
  const double height = a.dot(end) - a.dot(b) * b.dot(c);
  for (const double middle :
       angles_of_sum(a.dot(c - b * b.dot(c)), a.dot(b.cross(c)), height, slack))
  {
    const Matrix3d bent = rotation_about(b, middle);
    const double first = angle_between(a, bent * c, end).value_or(spare);
    const Vector3d left = bent.transpose() * (rotation_about(a, -first) * (wanted * across));
    result.add({first, middle, angle_between(c, across, left).value_or(0.0)});
  }
  return result;
}

/// Returns the rotation by three joints.
inline Matrix3d rotation_of(const std::array<Axis, 3> & axes, const Vector3d & q) noexcept
{
  return rotation_about(axes[0].direction, q(0)) * rotation_about(axes[1].direction, q(1)) *
         rotation_about(axes[2].direction, q(2));
}

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__THREE_HPP_
