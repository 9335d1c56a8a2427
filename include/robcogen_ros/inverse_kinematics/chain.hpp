// A chain of joints by the axes that it has at zero, and where its end is.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__CHAIN_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__CHAIN_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

namespace robcogen_ros::inverse_kinematics
{

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Chains have at most so many joints.
constexpr int most_joints = 16;
/// Positions of the joints of a chain [rad or m].
using Positions = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_joints, 1>;
/// Rows of a task for each joint of a chain.
using Jacobian =
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, most_joints>;

/// A displacement: turns a vector, then moves it.
struct Pose
{
  Matrix3d rotation = Matrix3d::Identity();
  Vector3d translation = Vector3d::Zero();

  Vector3d point(const Vector3d & x) const noexcept { return rotation * x + translation; }
  Pose operator*(const Pose & other) const noexcept
  {
    return {rotation * other.rotation, point(other.translation)};
  }
  Pose inverse() const noexcept
  {
    return {rotation.transpose(), -(rotation.transpose() * translation)};
  }
};

/// Returns the rotation by an angle about a unit vector (Rodrigues).
inline Matrix3d rotation_about(const Vector3d & axis, double angle) noexcept
{
  const double c = std::cos(angle), s = std::sin(angle), d = 1.0 - c;
  const double x = axis.x(), y = axis.y(), z = axis.z();
  Matrix3d result;
  result << c + d * x * x, d * x * y - s * z, d * x * z + s * y,  //
    d * x * y + s * z, c + d * y * y, d * y * z - s * x,          //
    d * x * z - s * y, d * y * z + s * x, c + d * z * z;
  return result;
}

/// An axis of a joint: a unit vector along it, a point on it, and what the joint does there.
struct Axis
{
  Vector3d direction = Vector3d::UnitZ();
  Vector3d point = Vector3d::Zero();
  double turn = 1.0;   ///< radians a unit of position: 1, or 0 of a joint that slides
  double slide = 0.0;  ///< metres a unit of position: 0 of a joint that only turns

  bool turns_only() const noexcept { return turn == 1.0 && slide == 0.0; }
  /// The point on the axis that is next to a point.
  Vector3d foot(const Vector3d & x) const noexcept
  {
    return point + direction * direction.dot(x - point);
  }
  /// The displacement by a position.
  Pose at(double q) const noexcept
  {
    const Matrix3d turned = rotation_about(direction, turn * q);
    return {turned, point - turned * point + direction * (slide * q)};
  }
  Axis moved(const Pose & by) const noexcept
  {
    return {by.rotation * direction, by.point(point), turn, slide};
  }
  Axis reversed() const noexcept { return {-direction, point, turn, slide}; }
};

/// Returns the point of one axis that is next to another; any point of it where they are parallel.
inline Vector3d nearest_point(const Axis & one, const Axis & other) noexcept
{
  const Vector3d normal = one.direction.cross(other.direction);
  const double square = normal.squaredNorm();
  if (square < 1e-16)
  {
    return one.point;
  }
  const double along = (other.point - one.point).cross(other.direction).dot(normal) / square;
  return one.point + one.direction * along;
}

/// A chain of joints that carries a frame.
class Chain
{
public:
  /// Adds a joint behind the others.
  void add(const Axis & axis) noexcept { axes_[static_cast<std::size_t>(size_++)] = axis; }

  int size() const noexcept { return size_; }
  const Axis & operator[](int i) const noexcept { return axes_[static_cast<std::size_t>(i)]; }

  /// The pose of the frame where all positions are zero.
  Pose tip;

  /// The pose of the frame.
  Pose pose(const Positions & q) const noexcept
  {
    Pose result = tip;
    for (int i = size_ - 1; i >= 0; --i)
    {
      result = (*this)[i].at(q(i)) * result;
    }
    return result;
  }

  /// The pose of the frame, and its angular velocity and velocity per unit rates of the joints.
  Pose pose(const Positions & q, Jacobian & J) const noexcept
  {
    std::array<Axis, most_joints> now;
    Pose before;
    for (int i = 0; i < size_; ++i)
    {
      const auto k = static_cast<std::size_t>(i);
      now[k] = axes_[k].moved(before);
      before = before * axes_[k].at(q(i));
    }
    const Pose result = before * tip;
    J.resize(6, size_);
    for (int i = 0; i < size_; ++i)
    {
      const Axis & axis = now[static_cast<std::size_t>(i)];
      const Vector3d arm = result.translation - axis.point;
      J.col(i).head<3>() = axis.direction * axis.turn;
      J.col(i).tail<3>() = axis.direction.cross(arm) * axis.turn + axis.direction * axis.slide;
    }
    return result;
  }

  /// A length of about what it reaches [m].
  double length() const noexcept
  {
    double result = 1e-3;
    for (int i = 0; i < size_; ++i)
    {
      const Vector3d arm = tip.translation - (*this)[i].foot(tip.translation);
      result = std::max(result, arm.norm());
    }
    return result;
  }

private:
  std::array<Axis, most_joints> axes_;
  int size_ = 0;
};

/// Returns the angle that differs by whole turns and is within half a turn.
inline double within_half_turn(double angle) noexcept
{
  return std::remainder(angle, 2.0 * M_PI);
}

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__CHAIN_HPP_
