// A leg whose foot feels like a mass on a spring and a damper, on a trunk that is held.
//
//   f = K (x_rest - x) - D v,   tau = J' f + h
//
// x and v are position and velocity of the foot in the trunk, h holds the leg against gravity and
// Coriolis forces. A force pushes the foot; in the end the foot has given way by K^-1 push.
// Nothing here but the macro FOOT, which the Makefile sets, knows which leg it is.
#include <Eigen/Cholesky>
#include <iostream>

#include "quadruped/leg.hpp"

namespace leg = quadruped::leg;
using leg::JointVector;
using leg::Vector3;
using leg::Vector6;

constexpr auto foot = leg::Frame::FOOT;
constexpr auto trunk = leg::Frame::fr_trunk;

const Vector3 stiffness(2000.0, 1000.0, 4000.0);  // N/m
const Vector3 damping(80.0, 60.0, 120.0);         // N s/m
const Vector3 push(20.0, -5.0, 40.0);             // N

/// Position of the foot in the trunk, and the linear rows of its Jacobian.
struct Foot
{
  explicit Foot(const JointVector & q)
  {
    const auto kinematics = leg::kinematics(q);
    position = kinematics.pose(foot).translation();
    jacobian = kinematics.jacobian(trunk, foot).template bottomRows<3>();
  }

  Vector3 position;
  Eigen::Matrix<double, 3, leg::Model::joint_count> jacobian;
};

/// Joint forces that hold the leg against gravity and Coriolis forces.
JointVector bias(const JointVector & q, const JointVector & qd)
{
  const Vector6 held = Vector6::Zero();
  const Vector3 gravity(0.0, 0.0, -9.81);
  return leg::inverse_dynamics_fully_actuated(q, qd, JointVector::Zero(), held, held, gravity).tau;
}

/// The controller.
JointVector impedance(const JointVector & q, const JointVector & qd, const Vector3 & rest)
{
  const Foot now(q);
  const Vector3 velocity = now.jacobian * qd;
  const Vector3 force =
    stiffness.cwiseProduct(rest - now.position) - damping.cwiseProduct(velocity);
  return now.jacobian.transpose() * force + bias(q, qd);
}

/// The simulated leg: how it accelerates under joint forces and the push.
JointVector acceleration(const JointVector & q, const JointVector & qd, const JointVector & tau)
{
  constexpr int n = leg::Model::joint_count;
  const Eigen::Matrix<double, n, n> H = leg::inertia_matrix(q).template bottomRightCorner<n, n>();
  return H.llt().solve(tau + Foot(q).jacobian.transpose() * push - bias(q, qd));
}

int main()
{
  constexpr double step = 1e-3;
  JointVector q(0.1, -0.6, 1.2), qd = JointVector::Zero();
  const Vector3 rest = Foot(q).position;
  for (int k = 0; k < 2000; ++k)
  {
    qd += step * acceleration(q, qd, impedance(q, qd, rest));
    q += step * qd;
  }
  const Vector3 given = Foot(q).position - rest;
  std::cout << leg::Model::frame_names[static_cast<int>(foot)] << " pushed by " << push.transpose()
            << " N gave way by " << 1e3 * given.transpose() << " mm\n";
}
