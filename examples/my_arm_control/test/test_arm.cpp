// The model is the arm that was meant, and computed torque moves it where it should go.
#include <cmath>
#include <cstdio>

#include "my_arm_control/arm.hpp"

namespace arm = my_arm_control::arm;
using arm::Joint;
using arm::JointVector;

namespace
{

constexpr int shoulder = static_cast<int>(Joint::shoulder);
constexpr int elbow = static_cast<int>(Joint::elbow);

bool check(const char * what, double found, double expected, double tolerance)
{
  const bool right = std::abs(found - expected) <= tolerance;
  std::printf("%s: %.9g, expected %.9g%s\n", what, found, expected, right ? "" : ": WRONG");
  return right;
}

/// Stretched out to the front, the arm weighs on its shoulder as levers say.
bool weighs_as_levers_say()
{
  JointVector q = JointVector::Zero();
  q(shoulder) = M_PI / 2;
  // mass times distance from the shoulder, from the upper arm to the flange [kg m]
  const double lever = 2.8 * 0.15 + 1.9 * 0.375 + 1.1 * 0.5 + 0.8 * 0.59 + 0.3 * 0.65;
  return check("effort of the shoulder", arm::gravity_torques(q)(shoulder), -9.81 * lever, 1e-9);
}

/// Stretched upwards, the tool is as high above the table as all links are long.
bool reaches_as_far_as_it_is_long()
{
  const auto kinematics = arm::kinematics(JointVector::Zero());
  const double height =
    kinematics.transform(arm::Frame::table, arm::Frame::tool0).translation().z();
  return check("height of the tool", height, 0.1 + 0.15 + 0.3 + 0.15 + 0.1 + 0.08 + 0.07, 1e-12);
}

/// Computed torque takes the simulated arm to a posture within two seconds.
bool goes_where_it_should()
{
  JointVector goal = JointVector::Zero();
  goal(shoulder) = 0.6;
  goal(elbow) = -0.9;
  JointVector q = JointVector::Zero();
  JointVector qd = JointVector::Zero();
  for (int i = 0; i < 2000; ++i)
  {
    const JointVector tau = arm::inverse_dynamics(q, qd, 100.0 * (goal - q) - 20.0 * qd);
    qd += 1e-3 * arm::forward_dynamics(q, qd, tau);
    q += 1e-3 * qd;
  }
  return check("distance from the goal", (q - goal).norm(), 0.0, 1e-6);
}

}  // namespace

int main()
{
  const bool right =
    weighs_as_levers_say() & reaches_as_far_as_it_is_long() & goes_where_it_should();
  return right ? 0 : 1;
}
