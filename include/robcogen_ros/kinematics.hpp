// Transforms and Jacobians between any two frames of a generated robot.
#ifndef ROBCOGEN_ROS__KINEMATICS_HPP_
#define ROBCOGEN_ROS__KINEMATICS_HPP_

#include <Eigen/Core>

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "robcogen_ros/matrix.hpp"
#include "robcogen_ros/transform.hpp"

namespace robcogen_ros
{

/// A joint that follows an entry of q beside its first.
struct Follower
{
  int joint;
  int coordinate;
};

/// Number of these of a robot: most have none.
template <typename Model, typename = void>
constexpr std::size_t further_follower_count = 0;
template <typename Model>
constexpr std::size_t
  further_follower_count<Model, std::void_t<decltype(Model::further_followers)>> =
    std::size(Model::further_followers);

/// Poses of all frames and joint axes of a robot, at one position.
///
/// \tparam Model the constants of a generated robot
/// \tparam Frame the names of its frames
/// \tparam T the scalar
template <typename Model, typename Frame, typename T>
class Kinematics
{
public:
  using Vector3 = Matrix<T, 3, 1>;
  using Matrix3 = Matrix<T, 3, 3>;
  using Jacobian = Matrix<T, 6, Model::joint_count>;
  using FullJacobian = Matrix<T, 6, 6 + Model::joint_count>;

  /// [R p] of base_X_frame, a frame a column, each column-major.
  Matrix<T, 12, Model::frame_count> poses;
  /// Motion of what lies beyond a joint at unit rate, base coordinates, a joint a column; then by
  /// each of `further_followers`.
  Matrix<T, 6, Model::moving_joint_count + static_cast<int>(further_follower_count<Model>)> axes;

  /// Pose base_X_frame of a frame in the base.
  Transform<T> pose(Frame frame) const noexcept
  {
    return {rotation(frame), poses.col(static_cast<int>(frame)).template tail<3>()};
  }

  /// Homogeneous transform to_X_from.
  Transform<T> transform(Frame to, Frame from) const noexcept
  {
    return pose(to).inverse() * pose(from);
  }

  /// Transform to_X_from of spatial motion vectors.
  MotionTransform<T> motion_transform(Frame to, Frame from) const noexcept
  {
    return transform(to, from).motion();
  }

  /// Transform to_X_from of spatial force vectors.
  ForceTransform<T> force_transform(Frame to, Frame from) const noexcept
  {
    return transform(to, from).force();
  }

  /// Geometric Jacobian: angular velocity of the target's link and velocity of the target's origin,
  /// relative to frame `base` and in its coordinates.
  Jacobian jacobian(Frame base, Frame target) const noexcept
  {
    Jacobian result = columns(
      Model::frame_links[static_cast<int>(base)], Model::frame_links[static_cast<int>(target)],
      poses.col(static_cast<int>(target)).template tail<3>());
    const Matrix3 back = rotation(base).transpose();
    result.template topRows<3>() = (back * result.template topRows<3>()).eval();
    result.template bottomRows<3>() = (back * result.template bottomRows<3>()).eval();
    return result;
  }

  /// Jacobian of a frame from [base velocity; joint velocities], in base coordinates.
  FullJacobian full_jacobian(Frame target) const noexcept
  {
    const Vector3 p = poses.col(static_cast<int>(target)).template tail<3>();
    FullJacobian result;
    result.template leftCols<6>() << Matrix3::Identity(), Matrix3::Zero(), -skew(p),
      Matrix3::Identity();
    result.template rightCols<Model::joint_count>() =
      columns(0, Model::frame_links[static_cast<int>(target)], p);
    return result;
  }

private:
  Matrix3 rotation(Frame frame) const noexcept
  {
    return Eigen::Map<const Matrix3>(poses.col(static_cast<int>(frame)).data());
  }

  /// Motion of a point beyond the joints between two links, base coordinates. Links are numbered
  /// from the base outwards, so the larger number of two is never the ancestor.
  Jacobian columns(int base, int target, const Vector3 & point) const noexcept
  {
    Jacobian result = Jacobian::Zero();
    if constexpr (Model::moving_joint_count > 0)
    {
      while (base != target)
      {
        const bool below = target > base;
        int & link = below ? target : base;
        const int joint = link - 1;
        const double sign = below ? 1.0 : -1.0;
        add(
          result, Model::joint_coordinates[joint], joint, T(Model::joint_multipliers[joint] * sign),
          point);
        if constexpr (further_follower_count<Model> > 0)
        {
          int column = Model::moving_joint_count;
          for (const Follower & follower : Model::further_followers)
          {
            if (follower.joint == joint)
              add(result, follower.coordinate, column, T(sign), point);
            ++column;
          }
        }
        link = Model::joint_parents[joint];
      }
    }
    return result;
  }

  /// Adds the motion of a point by a column of `axes` to a coordinate's.
  void add(Jacobian & result, int coordinate, int column, const T & factor, const Vector3 & point)
    const noexcept
  {
    const Vector3 angular = axes.col(column).template head<3>();
    const Vector3 linear = axes.col(column).template tail<3>();
    auto motion = result.col(coordinate);
    motion.template head<3>() += factor * angular;
    motion.template tail<3>() += factor * (linear + angular.cross(point));
  }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__KINEMATICS_HPP_
