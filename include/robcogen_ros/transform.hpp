// Coordinate transforms A_X_B of points, motions and forces, as operators and as matrices.
#ifndef ROBCOGEN_ROS__TRANSFORM_HPP_
#define ROBCOGEN_ROS__TRANSFORM_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "robcogen_ros/matrix.hpp"

namespace robcogen_ros
{

template <typename T>
class MotionTransform;
template <typename T>
class ForceTransform;

/// The matrix that multiplies as the cross product with p does.
template <typename T>
Matrix<T, 3, 3> skew(const Matrix<T, 3, 1> & p) noexcept
{
  Matrix<T, 3, 3> result;
  result << T(0), -p.z(), p.y(), p.z(), T(0), -p.x(), -p.y(), p.x(), T(0);
  return result;
}

/// The pose A_X_B of frame B in frame A: turns coordinates in B of points into those in A.
template <typename T>
class Transform
{
public:
  using Scalar = T;
  using Vector3 = Matrix<T, 3, 1>;
  using Matrix3 = Matrix<T, 3, 3>;
  using Matrix4 = Matrix<T, 4, 4>;
  using Isometry = Eigen::Transform<T, 3, Eigen::Isometry>;

  /// The transform that changes nothing.
  Transform() noexcept : matrix_(Matrix4::Identity()) {}

  Transform(const Matrix3 & rotation, const Vector3 & translation) noexcept
  : matrix_(Matrix4::Identity())
  {
    matrix_.template topLeftCorner<3, 3>() = rotation;
    matrix_.template topRightCorner<3, 1>() = translation;
  }

  /// Axes of B, in coordinates of A, as columns.
  Matrix3 rotation() const noexcept { return matrix_.template topLeftCorner<3, 3>(); }
  /// Returns the rotation, under Eigen's name.
  Matrix3 linear() const noexcept { return rotation(); }
  /// Origin of B in coordinates of A.
  Vector3 translation() const noexcept { return matrix_.template topRightCorner<3, 1>(); }

  /// The homogeneous 4 x 4 matrix.
  const Matrix4 & matrix() const noexcept { return matrix_; }
  template <int options>
  operator Eigen::Matrix<T, 4, 4, options>() const noexcept
  {
    return matrix_;
  }
  operator Isometry() const noexcept
  {
    Isometry result;
    result.matrix() = matrix_;
    return result;
  }
  /// The 16 entries of the matrix, column-major.
  T * data() noexcept { return matrix_.data(); }

  /// B_X_A.
  Transform inverse() const noexcept
  {
    const Matrix3 back = rotation().transpose();
    return {back, -(back * translation())};
  }

  /// A_X_B B_X_C = A_X_C.
  Transform operator*(const Transform & other) const noexcept
  {
    return {rotation() * other.rotation(), rotation() * other.translation() + translation()};
  }

  /// A point's coordinates in A from those in B; of several points, a point a column.
  template <typename Points>
  Matrix<T, 3, Points::ColsAtCompileTime> operator*(const Eigen::MatrixBase<Points> & points) const
    noexcept(size_known<Points, 3, Eigen::Dynamic>)
  {
    require_size<3, Eigen::Dynamic>(points, "points");
    Matrix<T, 3, Points::ColsAtCompileTime> result = rotation() * points;
    result.colwise() += translation();
    return result;
  }

  /// A_X_B of spatial motion vectors.
  MotionTransform<T> motion() const noexcept { return MotionTransform<T>(*this); }
  /// A_X_B of spatial force vectors.
  ForceTransform<T> force() const noexcept { return ForceTransform<T>(*this); }

private:
  Matrix4 matrix_;
};

/// Base of the transforms of spatial vectors: they are kept as a pose.
///
/// \tparam Derived the transform
template <typename Derived, typename T>
class SpatialTransform
{
public:
  using Scalar = T;
  using Matrix6 = Matrix<T, 6, 6>;

  explicit SpatialTransform(const Transform<T> & pose) noexcept : pose_(pose) {}

  /// The transform of points between the same frames.
  const Transform<T> & pose() const noexcept { return pose_; }

  /// The dense matrix.
  Matrix6 matrix() const noexcept { return derived() * Matrix6::Identity(); }
  template <int options>
  operator Eigen::Matrix<T, 6, 6, options>() const noexcept
  {
    return matrix();
  }

  /// B_X_A.
  Derived inverse() const noexcept { return Derived(pose_.inverse()); }
  /// A_X_B B_X_C = A_X_C.
  Derived operator*(const Derived & other) const noexcept { return Derived(pose_ * other.pose()); }

protected:
  /// Vectors [R u; R v], of which the one moves the other: `lever` += p x `cause`.
  template <typename Vectors, typename Result>
  void rotate(const Vectors & vectors, Result & result) const noexcept
  {
    const Matrix<T, 3, 3> R = pose_.rotation();
    result.template topRows<3>().noalias() = R * vectors.template topRows<3>();
    result.template bottomRows<3>().noalias() = R * vectors.template bottomRows<3>();
  }

  template <typename Lever, typename Cause>
  void add_moment(Lever && lever, const Cause & cause) const noexcept
  {
    const Matrix<T, 3, 1> p = pose_.translation();
    for (Eigen::Index i = 0; i < cause.cols(); ++i)
    {
      lever(0, i) += p.y() * cause(2, i) - p.z() * cause(1, i);
      lever(1, i) += p.z() * cause(0, i) - p.x() * cause(2, i);
      lever(2, i) += p.x() * cause(1, i) - p.y() * cause(0, i);
    }
  }

private:
  const Derived & derived() const noexcept { return static_cast<const Derived &>(*this); }

  Transform<T> pose_;
};

/// A_X_B of spatial motion vectors [w; v]: 24 multiplications a vector instead of 36.
template <typename T>
class MotionTransform : public SpatialTransform<MotionTransform<T>, T>
{
public:
  using Base = SpatialTransform<MotionTransform<T>, T>;
  using Base::Base;
  using Base::operator*;

  /// Motions in coordinates of A from those in B, a vector a column.
  template <typename Motions>
  Matrix<T, 6, Motions::ColsAtCompileTime> operator*(const Eigen::MatrixBase<Motions> & motions)
    const noexcept(size_known<Motions, 6, Eigen::Dynamic>)
  {
    require_size<6, Eigen::Dynamic>(motions, "motions");
    Matrix<T, 6, Motions::ColsAtCompileTime> result(6, motions.cols());
    this->rotate(motions.derived(), result);
    this->add_moment(result.template bottomRows<3>(), result.template topRows<3>());
    return result;
  }

  /// The transform of forces between the same frames, the inverse of this one's transpose.
  ForceTransform<T> force() const noexcept { return ForceTransform<T>(this->pose()); }
};

/// A_X_B of spatial force vectors [n; f]: 24 multiplications a vector instead of 36.
template <typename T>
class ForceTransform : public SpatialTransform<ForceTransform<T>, T>
{
public:
  using Base = SpatialTransform<ForceTransform<T>, T>;
  using Base::Base;
  using Base::operator*;

  /// Forces in coordinates of A from those in B, a vector a column.
  template <typename Forces>
  Matrix<T, 6, Forces::ColsAtCompileTime> operator*(const Eigen::MatrixBase<Forces> & forces) const
    noexcept(size_known<Forces, 6, Eigen::Dynamic>)
  {
    require_size<6, Eigen::Dynamic>(forces, "forces");
    Matrix<T, 6, Forces::ColsAtCompileTime> result(6, forces.cols());
    this->rotate(forces.derived(), result);
    this->add_moment(result.template topRows<3>(), result.template bottomRows<3>());
    return result;
  }

  /// The transform of motions between the same frames, the inverse of this one's transpose.
  MotionTransform<T> motion() const noexcept { return MotionTransform<T>(this->pose()); }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TRANSFORM_HPP_
