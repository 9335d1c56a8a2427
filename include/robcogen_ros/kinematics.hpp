// Transforms and Jacobians between any two frames of a generated robot.
#ifndef ROBCOGEN_ROS__KINEMATICS_HPP_
#define ROBCOGEN_ROS__KINEMATICS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace robcogen_ros
{

/// Where all frames and joint axes of a robot are, at one position.
///
/// \tparam Model the constants of a generated robot
/// \tparam Frame the names of its frames
template <typename Model, typename Frame>
class Kinematics
{
public:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Jacobian = Eigen::Matrix<double, 6, Model::joint_count>;
  using FullJacobian = Eigen::Matrix<double, 6, 6 + Model::joint_count>;

  /// [R p] of base_X_frame, a frame a column, each column-major.
  Eigen::Matrix<double, 12, Model::frame_count> poses;
  /// Motion of what lies beyond a joint at unit rate, base coordinates, a joint a column.
  Eigen::Matrix<double, 6, Model::moving_joint_count> axes;

  /// Pose base_X_frame of a frame in the base.
  Eigen::Isometry3d pose(Frame frame) const noexcept
  {
    Eigen::Isometry3d result;
    result.matrix().topRows<3>() =
      Eigen::Map<const Eigen::Matrix<double, 3, 4>>(poses.col(static_cast<int>(frame)).data());
    result.matrix().row(3) << 0.0, 0.0, 0.0, 1.0;
    return result;
  }

  /// Homogeneous transform to_X_from.
  Eigen::Isometry3d transform(Frame to, Frame from) const noexcept
  {
    return pose(to).inverse() * pose(from);
  }

  /// Transform to_X_from of spatial motion vectors.
  Matrix6 motion_transform(Frame to, Frame from) const noexcept
  {
    const Eigen::Isometry3d X = transform(to, from);
    const Eigen::Matrix3d R = X.linear();
    Matrix6 result;
    result << R, Eigen::Matrix3d::Zero(), skew(X.translation()) * R, R;
    return result;
  }

  /// Transform to_X_from of spatial force vectors.
  Matrix6 force_transform(Frame to, Frame from) const noexcept
  {
    const Eigen::Isometry3d X = transform(to, from);
    const Eigen::Matrix3d R = X.linear();
    Matrix6 result;
    result << R, skew(X.translation()) * R, Eigen::Matrix3d::Zero(), R;
    return result;
  }

  /// Geometric Jacobian: angular velocity of the target's link and velocity of the target's origin,
  /// relative to frame `base` and in its coordinates.
  Jacobian jacobian(Frame base, Frame target) const noexcept
  {
    Jacobian result = columns(
      Model::frame_links[static_cast<int>(base)], Model::frame_links[static_cast<int>(target)],
      pose(target).translation());
    const Eigen::Matrix3d back = pose(base).linear().transpose();
    result.template topRows<3>() = (back * result.template topRows<3>()).eval();
    result.template bottomRows<3>() = (back * result.template bottomRows<3>()).eval();
    return result;
  }

  /// Jacobian of a frame from [base velocity; joint velocities], in base coordinates.
  FullJacobian full_jacobian(Frame target) const noexcept
  {
    const Eigen::Vector3d p = pose(target).translation();
    FullJacobian result;
    result.template leftCols<6>() << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero(), -skew(p),
      Eigen::Matrix3d::Identity();
    result.template rightCols<Model::joint_count>() =
      columns(0, Model::frame_links[static_cast<int>(target)], p);
    return result;
  }

private:
  static Eigen::Matrix3d skew(const Eigen::Vector3d & v) noexcept
  {
    Eigen::Matrix3d result;
    result << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
    return result;
  }

  /// Motion of a point beyond the joints between two links, base coordinates. Links are numbered
  /// from the base outwards, so the larger number of two is never the ancestor.
  Jacobian columns(int base, int target, const Eigen::Vector3d & point) const noexcept
  {
    Jacobian result = Jacobian::Zero();
    if constexpr (Model::moving_joint_count > 0)
    {
      while (base != target)
      {
        const bool below = target > base;
        int & link = below ? target : base;
        const int joint = link - 1;
        const double factor = Model::joint_multipliers[joint] * (below ? 1.0 : -1.0);
        const Eigen::Vector3d angular = axes.col(joint).template head<3>();
        const Eigen::Vector3d linear = axes.col(joint).template tail<3>();
        auto column = result.col(Model::joint_coordinates[joint]);
        column.template head<3>() += factor * angular;
        column.template tail<3>() += factor * (linear + angular.cross(point));
        link = Model::joint_parents[joint];
      }
    }
    return result;
  }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__KINEMATICS_HPP_
