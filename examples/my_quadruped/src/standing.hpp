// How a robot whose base floats stands on some of its feet: joint efforts and forces of the ground.
#ifndef STANDING_HPP_
#define STANDING_HPP_

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <array>
#include <cstddef>

/// What carries a robot that stands still.
///
/// \tparam Robot the Traits of a generated robot with a floating base
/// \tparam feet how many feet it has
template <typename Robot, std::size_t feet>
struct Stance
{
  /// Efforts of the joints [N m].
  typename Robot::JointVector effort;
  /// Force of the ground on each foot, a foot a column, in base coordinates [N].
  Eigen::Matrix<double, 3, static_cast<int>(feet)> forces;
};

/// Whole-body gravity compensation.
///
/// At rest the equation of motion is `g(q) = [0; effort] + sum J_i' f_i`. Its first six rows say
/// which forces of the ground carry the robot; where more feet stand than it takes, those with the
/// least sum of squares are chosen. The other rows then give the efforts.
///
/// \param q positions of the joints [rad]
/// \param gravity acceleration of free fall in base coordinates [m/s^2], as an IMU tells it
/// \param all the feet
/// \param standing which of them are on the ground: three or more, not in a line
template <typename Robot, std::size_t feet>
Stance<Robot, feet> stand(
  const typename Robot::JointVector & q, const Eigen::Vector3d & gravity,
  const std::array<typename Robot::Frame, feet> & all, const std::array<bool, feet> & standing)
{
  constexpr int n = Robot::joint_count;
  constexpr int columns = 3 * static_cast<int>(feet);
  const auto held = Robot::gravity_torques(q, gravity);
  const auto kinematics = Robot::kinematics(q);
  Eigen::Matrix<double, columns, 6 + n> jacobian = Eigen::Matrix<double, columns, 6 + n>::Zero();
  for (std::size_t i = 0; i < feet; ++i)
  {
    if (standing[i])
    {
      jacobian.template middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
        kinematics.full_jacobian(all[i]).template bottomRows<3>();
    }
  }
  const auto carries = jacobian.template leftCols<6>();
  const Eigen::Matrix<double, 6, 6> stiffness = carries.transpose() * carries;
  const Eigen::Matrix<double, columns, 1> forces =
    carries * stiffness.llt().solve(held.base_wrench);
  Stance<Robot, feet> result;
  result.effort = held.tau - jacobian.template rightCols<n>().transpose() * forces;
  result.forces = forces.reshaped(3, static_cast<Eigen::Index>(feet));
  return result;
}

#endif  // STANDING_HPP_
