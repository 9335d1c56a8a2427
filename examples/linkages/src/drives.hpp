// Two motors and the ankle that they move, in the place of a bus. Replace it by yours.
#ifndef LINKAGES__DRIVES_HPP_
#define LINKAGES__DRIVES_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/control/simulation.hpp"
#include "robcogen_ros/core/motors.hpp"

namespace linkages
{

/// What moves by the generated dynamics of a robot under efforts of its motors, in the order of
/// ACTUATED.
class Drives
{
public:
  using Robot = robcogen_ros::RuntimeModel;
  using Vector = Robot::JointVector;

  explicit Drives(const robcogen_model * model)
  : robot_(model, {"inertia_matrix", "forward_dynamics"}),
    motors_(model),
    simulation_(robcogen_ros::control::SimulationSettings<Robot>(robot_)),
    along_([this](const Vector & q, const Vector & given)
           { return motors_.joint_efforts(q, given); }),
    effort_(Vector::Zero(motors_.size()))
  {
    simulation_.place(robcogen_ros::ground::State<Robot>(robot_));
  }

  /// Positions, velocities and efforts of the motors [rad, rad/s, N m].
  void read(double * position, double * velocity, double * effort) const noexcept
  {
    const Vector q = simulation_.state().q, qd = simulation_.state().qd();
    copy(motors_.positions(q), position);
    copy(motors_.velocities(q, qd), velocity);
    copy(effort_, effort);
  }

  /// Takes efforts of the motors, none of what is no number, and moves on [N m, s].
  void write(const double * effort, double time) noexcept
  {
    effort_ = motors_.given(Eigen::Map<const Eigen::VectorXd>(effort, motors_.size()));
    simulation_.drive(&along_, effort_, std::clamp(time, 1e-6, 0.01));
  }

private:
  static void copy(const Vector & from, double * to) { std::copy(from.begin(), from.end(), to); }

  Robot robot_;
  robcogen_ros::core::Motors motors_;
  robcogen_ros::control::Simulation<Robot> simulation_;
  robcogen_ros::control::Simulation<Robot>::Drive along_;
  Vector effort_;
};

}  // namespace linkages

#endif  // LINKAGES__DRIVES_HPP_
