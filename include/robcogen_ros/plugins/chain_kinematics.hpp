// Poses, Jacobians and their inverses along a chain, in the order of twists that ROS uses.
#ifndef ROBCOGEN_ROS__PLUGINS__CHAIN_KINEMATICS_HPP_
#define ROBCOGEN_ROS__PLUGINS__CHAIN_KINEMATICS_HPP_

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/plugins/chain.hpp"

namespace robcogen_ros::plugins
{

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector7 = Eigen::Matrix<double, 7, 1>;

/// Kinematics of a chain, seen from its root and in the root's coordinates.
///
/// Twists and the rows of Jacobians are linear first: x, y, z, then about x, y, z. No call
/// allocates.
///
/// \tparam Robot the Traits of a generated robot; needs its function `kinematics`
template <typename Robot>
class ChainKinematics
{
public:
  using Frame = typename Robot::Frame;
  using Constants = typename ConstantsOf<Robot>::Type;
  /// A column for each joint of the chain.
  using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, Robot::joint_count>;
  /// Eigen wants what is at most one row in row-major order.
  using Inverse = Eigen::Matrix<
    double, Eigen::Dynamic, 6, Robot::joint_count == 1 ? Eigen::RowMajor : Eigen::ColMajor,
    Robot::joint_count, 6>;

  ChainKinematics(Chain<Robot> chain, const Constants & constants)
  : chain_(std::move(chain)), constants_(constants)
  {
  }

  const Chain<Robot> & chain() const noexcept { return chain_; }

  /// The pose of a frame in the root.
  ///
  /// \param q positions of the chain's joints [rad or m]
  template <typename Q>
  Eigen::Isometry3d pose(const Eigen::MatrixBase<Q> & q, Frame frame) const noexcept
  {
    return kinematics(q).transform(chain_.root(), frame);
  }

  /// Velocity of a frame's origin, then its angular velocity, per unit rates of the chain's joints.
  template <typename Q>
  Jacobian jacobian(const Eigen::MatrixBase<Q> & q, Frame frame) const noexcept
  {
    const auto all = kinematics(q).jacobian(chain_.root(), frame);
    Jacobian result(6, chain_.size());
    for (Eigen::Index i = 0; i < chain_.size(); ++i)
    {
      const auto column = all.col(chain_.joints()[static_cast<std::size_t>(i)]);
      result.col(i) << column.template tail<3>(), column.template head<3>();
    }
    return result;
  }

  /// The damped inverse `(J' J + damping)^-1 J'` of the Jacobian, which is `J' (J J' +
  /// damping)^-1`: the smaller of the two is factored.
  ///
  /// \param damping positive where the Jacobian may lose rank
  template <typename Q>
  Inverse damped_inverse(const Eigen::MatrixBase<Q> & q, Frame frame, double damping) const noexcept
  {
    const Jacobian J = jacobian(q, frame);
    if (J.cols() < 6)
    {
      using Square = Eigen::Matrix<
        double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Robot::joint_count,
        Robot::joint_count>;
      Square square = J.transpose().lazyProduct(J);
      square.diagonal().array() += damping;
      return Eigen::LDLT<Square>(square).solve(Inverse(J.transpose()));
    }
    Eigen::Matrix<double, 6, 6> square = J.lazyProduct(J.transpose());
    square.diagonal().array() += damping;
    return Eigen::LDLT<Eigen::Matrix<double, 6, 6>>(square).solve(J).transpose();
  }

private:
  template <typename Q>
  auto kinematics(const Eigen::MatrixBase<Q> & q) const noexcept
  {
    const auto function = [](const auto &... all) { return Robot::kinematics(all...); };
    return with_constants<Robot>(constants_, function, chain_.spread(q));
  }

  Chain<Robot> chain_;
  Constants constants_;
};

/// The constant twist that leads from one pose to another in a time, seen from where they are
/// given.
///
/// \param from, to x, y, z, then a quaternion qx, qy, qz, qw of any length but zero
/// \param time [s]
inline Vector6 frame_difference(const Vector7 & from, const Vector7 & to, double time) noexcept
{
  const Eigen::Quaterniond start(from(6), from(3), from(4), from(5));
  const Eigen::Quaterniond end(to(6), to(3), to(4), to(5));
  Eigen::Quaterniond turn = end.normalized() * start.normalized().conjugate();
  if (turn.w() < 0.0)
  {
    turn.coeffs() *= -1.0;  // the shorter way
  }
  const double sine = turn.vec().norm();
  const double factor = sine > 0.0 ? 2.0 * std::atan2(sine, turn.w()) / sine : 0.0;
  Vector6 result;
  result << to.head<3>() - from.head<3>(), factor * turn.vec();
  return result / time;
}

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__CHAIN_KINEMATICS_HPP_
