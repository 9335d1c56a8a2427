// Where the feet of a robot are from its IMU, and how well its joints tell that.
#ifndef ROBCOGEN_ROS__ESTIMATOR__FEET_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__FEET_HPP_

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "robcogen_ros/carriers.hpp"
#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/estimator/settings.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::estimator
{

/// Feet as measured joints have them.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Feet
{
  static constexpr int most = SizesOf<Robot>::most_contacts;
  using Vector = Eigen::Vector3d;
  using Matrix = Eigen::Matrix3d;

  std::array<Vector, most> places{};   ///< from the IMU, axes of the base [m]
  std::array<Matrix, most> turns{};    ///< base from their frames
  std::array<Matrix, most> spreads{};  ///< covariances of what is known of them, axes of the base

  /// Returns whether a foot is a ball.
  static bool rolls(const Settings<Robot> & settings, int foot) noexcept
  {
    return settings.robot.contacts[foot].rows() <= 3 && settings.foot_radius > 0.0;
  }

  /// Finds them.
  ///
  /// A ball that rolls by its joints' turn `J n`, as their noise `n` has it, seems to go on by
  /// `J n x a`, where `a` leads upwards from what touches to its middle. What the joints tell of
  /// its middle is off by `V n`. Both are of the same reading, so the foothold that is kept, less
  /// what it has rolled by, is known as well as `V n - J n x a`: as the joints tell the point that
  /// touches. That noise is white, though the noise of the way rolled is not.
  ///
  /// \param lever to the IMU, \param up in axes of the base, of length 1
  void find(
    const Settings<Robot> & settings, const typename Robot::Kinematics & kinematics,
    const typename Robot::JointVector & q, const Vector & lever, const Vector & up) noexcept
  {
    const Robot & robot = settings.robot;
    const auto rows = [&](const auto &... x) { return robot.contact_jacobian(x...); };
    const auto & jacobian = with_constants<Robot>(settings.constants, rows, q);
    const double model = settings.foot_position_noise * settings.foot_position_noise;
    const double joint = settings.joint_position_noise * settings.joint_position_noise;
    for (int i = 0; i < robot.contact_count; ++i)
    {
      const Contact & contact = robot.contacts[i];
      const auto pose = kinematics.pose(static_cast<typename Robot::Frame>(contact.frame));
      places[i] = pose.translation() - lever;
      turns[i] = pose.rotation();
      MatrixWithin<3, SizesOf<Robot>::joints, 3, SizesOf<Robot>::most_joints> moves =
        jacobian.template middleRows<3>(contact.first_row + contact.rows() - 3)
          .rightCols(robot.joint_count);
      if (rolls(settings, i) && !ratios_change(robot))
      {
        const Vector arm = settings.foot_radius * up;
        each_carrier(
          robot, axes_of<Robot>(kinematics), robot.frame_links[contact.frame],
          [&](int at, const Vector & turn) { moves.col(at) -= turn.cross(arm); });
      }
      spreads[i] = model * Matrix::Identity() + joint * moves.lazyProduct(moves.transpose());
    }
  }

  /// Returns the middle of some feet, and that of their soles, where they have some.
  ///
  /// \param counts which feet count
  std::pair<Vector, Vector> middles(
    const Settings<Robot> & settings, const std::array<bool, most> & counts) const noexcept
  {
    const auto count = static_cast<double>(std::count(counts.begin(), counts.end(), true));
    Vector middle = Vector::Zero(), ground = Vector::Zero();
    for (int i = 0; i < settings.robot.contact_count; ++i)
    {
      const double share = counts[i] ? 1.0 / count : 0.0;
      middle += share * places[i];
      ground += share * (places[i] + turns[i] * settings.soles[i]);
    }
    return {middle, ground};
  }

  /// Returns the angle between a direction in the base and the normal of the feet, NaN of one or
  /// two of which some are points [rad].
  ///
  /// \param middle of these feet
  /// \param counts which feet count
  double angle(
    const Robot & robot, const Vector & direction, const Vector & middle,
    const std::array<bool, most> & counts) const noexcept
  {
    if (std::count(counts.begin(), counts.end(), true) < 3)
    {
      return angle_of_soles(robot, direction, middle, counts);
    }
    Matrix moments = Matrix::Zero();
    for (int i = 0; i < most; ++i)
    {
      const Vector from = places[i] - middle;
      moments += counts[i] ? Matrix(from * from.transpose()) : Matrix::Zero();
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> axes(moments);
    Vector normal = axes.eigenvectors().col(0);
    normal *= normal.dot(middle) > 0.0 ? -1.0 : 1.0;  // feet are below the IMU
    return between(normal, direction);
  }

private:
  static double between(const Vector & a, const Vector & b) noexcept
  {
    return std::atan2(a.cross(b).norm(), a.dot(b));
  }

  /// The least angle to the axes of flat feet that are next to the way from them to the IMU, and to
  /// this way: soles may be aslant in their frames, and robots may lean.
  double angle_of_soles(
    const Robot & robot, const Vector & direction, const Vector & middle,
    const std::array<bool, most> & counts) const noexcept
  {
    double result = between(direction, -middle);
    for (int i = 0; i < robot.contact_count; ++i)
    {
      const Vector seen = -(turns[i].transpose() * middle);
      int axis = 0;
      seen.cwiseAbs().maxCoeff(&axis);
      const Vector normal = std::copysign(1.0, seen(axis)) * turns[i].col(axis);
      const bool flat = robot.contacts[i].rows() == 6;
      result = !counts[i] ? result
               : flat     ? std::min(result, between(direction, normal))
                          : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
  }
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__FEET_HPP_
