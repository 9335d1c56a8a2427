// Two motors and the ankle that they move, in the place of a bus. Replace it by yours.
#ifndef LINKAGES__DRIVES_HPP_
#define LINKAGES__DRIVES_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robcogen_ros/control/simulation.hpp"
#include "robcogen_ros/core/joint_set.hpp"

namespace linkages
{

/// What moves by the generated dynamics of a robot under efforts of its motors.
class Drives
{
public:
  using Robot = robcogen_ros::RuntimeModel;
  using Vector = Robot::JointVector;

  /// \param motors names of the joints that motors move
  Drives(const robcogen_model * model, const std::vector<std::string> & motors)
  : robot_(
      model,
      {"inertia_matrix", "forward_dynamics", "joint_positions", "coordinate_jacobian"}),
    motors_(*model, motors),
    effort_(Vector::Zero(static_cast<Eigen::Index>(motors.size()))),
    simulation_(robcogen_ros::control::SimulationSettings<Robot>(robot_))
  {
    simulation_.place(robcogen_ros::ground::State<Robot>(robot_));
  }

  /// Positions, velocities and efforts of the motors [rad, rad/s, N m].
  void read(double * position, double * velocity, double * effort) const noexcept
  {
    const Vector q = simulation_.state().q, qd = simulation_.state().qd();
    const Vector at = motors_.positions(robot_.joint_positions(q));
    const Vector rates = robot_.coordinate_jacobian(q) * qd;
    for (std::size_t i = 0; i < motors_.rows.size(); ++i)
    {
      position[i] = at[static_cast<Eigen::Index>(i)];
      velocity[i] = rates[motors_.rows[i]];
      effort[i] = effort_[static_cast<Eigen::Index>(i)];
    }
  }

  /// Takes efforts of the motors, none of what is no number, and moves on [N m, s].
  void write(const double * effort, double time) noexcept
  {
    constexpr double most = 30.0;
    const Robot::Matrix G = robot_.coordinate_jacobian(simulation_.state().q);
    Vector along = Vector::Zero(robot_.joint_count);
    for (std::size_t i = 0; i < motors_.rows.size(); ++i)
    {
      double & own = effort_[static_cast<Eigen::Index>(i)];
      own = std::isfinite(effort[i]) ? std::clamp(effort[i], -most, most) : 0.0;
      along += own * G.row(motors_.rows[i]).transpose();
    }
    simulation_.advance(along, std::clamp(time, 1e-6, 0.01));
  }

private:
  Robot robot_;
  robcogen_ros::core::JointSet motors_;
  Vector effort_;
  robcogen_ros::control::Simulation<Robot> simulation_;
};

}  // namespace linkages

#endif  // LINKAGES__DRIVES_HPP_
