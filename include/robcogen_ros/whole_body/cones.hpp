// Which forces a foot can get from the ground.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__CONES_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__CONES_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "robcogen_ros/whole_body/matrices.hpp"

namespace robcogen_ros::whole_body
{

/// The rectangle that a flat foot stands on, in base axes.
struct Sole
{
  Eigen::Vector3d center;  ///< from the origin of the foot's frame [m]
  Eigen::Vector3d x, y;    ///< unit vectors along its sides
  double half_x, half_y;   ///< half of the sides' lengths [m]

  /// \param corners in any order, from the origin of the foot's frame, base axes [m]
  /// \param normal of the ground, upwards, base axes
  /// \param share of the sides that is used, about their middles
  Sole(
    const Eigen::Matrix<double, 3, 4> & corners, const Eigen::Vector3d & normal,
    double share) noexcept
  : center(corners.rowwise().mean())
  {
    const auto [one, other] = neighbours(corners);
    x = corners.col(one) - corners.col(0);
    y = corners.col(other) - corners.col(0);
    if (x.cross(y).dot(normal) < 0.0)
    {
      std::swap(x, y);
    }
    half_x = 0.5 * share * x.norm();
    half_y = 0.5 * share * y.norm();
    x.normalize();
    y.normalize();
  }

  /// True if four points are the corners of a rectangle of some size, to a hundredth of its sides.
  static bool is_rectangle(const Eigen::Matrix<double, 3, 4> & corners) noexcept
  {
    const auto [one, other] = neighbours(corners);
    const Eigen::Vector3d a = corners.col(one) - corners.col(0);
    const Eigen::Vector3d b = corners.col(other) - corners.col(0);
    const Eigen::Vector3d last = corners.col(6 - one - other) - corners.col(0);
    const double least = std::min(a.norm(), b.norm());
    return corners.allFinite() && least > 0.0 && (a + b - last).norm() <= 0.01 * least &&
           std::abs(a.dot(b)) <= 0.01 * a.norm() * b.norm();
  }

private:
  /// Returns the corners next to the first: the one that is farthest from it is opposite.
  static std::pair<int, int> neighbours(const Eigen::Matrix<double, 3, 4> & corners) noexcept
  {
    int opposite = 0;
    (corners.rightCols<3>().colwise() - corners.col(0)).colwise().squaredNorm().maxCoeff(&opposite);
    return {opposite == 0 ? 2 : 1, opposite == 2 ? 2 : 3};
  }
};

/// Rows k with k f >= 0 for the forces f of a point in the pyramid inside its friction cone; the
/// last row is the normal force.
inline Eigen::Matrix<double, cone_rows(3), 3> point_cone(
  const Eigen::Vector3d & normal, double friction) noexcept
{
  const double slope = friction * std::sqrt(0.5);
  const Eigen::Vector3d axis =
    std::abs(normal.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
  const Eigen::Vector3d side = (axis - normal * normal.dot(axis)).normalized();
  const Eigen::Vector3d other = normal.cross(side);
  Eigen::Matrix<double, cone_rows(3), 3> rows;
  rows.row(0) = (slope * normal - side).transpose();
  rows.row(1) = (slope * normal + side).transpose();
  rows.row(2) = (slope * normal - other).transpose();
  rows.row(3) = (slope * normal + other).transpose();
  rows.row(4) = normal.transpose();
  return rows;
}

/// Rows k with k w >= 0 for the wrenches w = [n; f] that forces at the four corners of a sole can
/// make, each in the pyramid inside its friction cone; the last row is the normal force.
///
/// They bound friction, keep the center of pressure inside the sole, and bound the moment about the
/// normal by what friction is left (Caron, Pham, Nakamura, ICRA 2015).
inline Eigen::Matrix<double, cone_rows(6), 6> sole_cone(const Sole & sole, double friction) noexcept
{
  const double slope = friction * std::sqrt(0.5), a = sole.half_x, b = sole.half_y;
  const Eigen::Vector3d axes[] = {sole.x, sole.y, sole.x.cross(sole.y)};
  double parts[6][6] = {};  // along the axes: three forces, then three moments about the center
  for (int i = 0; i < 3; ++i)
  {
    const Eigen::Vector3d lever = sole.center.cross(axes[i]);
    for (int k = 0; k < 3; ++k)
    {
      parts[i][3 + k] = parts[3 + i][k] = axes[i](k);
      parts[3 + i][3 + k] = lever(k);
    }
  }
  Eigen::Matrix<double, cone_rows(6), 6> rows;
  int row = 0;
  const auto add = [&](const std::array<double, 6> & shares)
  {
    for (int k = 0; k < 6; ++k)
    {
      rows(row, k) = 0.0;
      for (int i = 0; i < 6; ++i)
      {
        rows(row, k) += shares[i] * parts[i][k];
      }
    }
    ++row;
  };
  for (const double sign : {-1.0, 1.0})
  {
    add({sign, 0.0, slope, 0.0, 0.0, 0.0});
    add({0.0, sign, slope, 0.0, 0.0, 0.0});
    add({0.0, 0.0, b, sign, 0.0, 0.0});
    add({0.0, 0.0, a, 0.0, sign, 0.0});
    for (const double other : {-1.0, 1.0})
    {
      const double x = sign * slope, y = other * slope, most = slope * (a + b);
      add({sign * b, other * a, most, x, y, -1.0});
      add({sign * b, other * a, most, -x, -y, 1.0});
    }
  }
  add({0.0, 0.0, 1.0, 0.0, 0.0, 0.0});
  return rows;
}

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__CONES_HPP_
