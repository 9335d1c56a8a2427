// What a whole-body controller answers.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__COMMAND_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__COMMAND_HPP_

#include <Eigen/Core>
#include <cstdint>

#include "robcogen_ros/whole_body/matrices.hpp"

namespace robcogen_ros::whole_body
{

/// Faults, several of which may be at once.
enum class Fault : std::uint32_t
{
  state_not_finite = 1u << 0,
  reference_not_finite = 1u << 1,
  reference_out_of_reach = 1u << 2,
  all_contacts_lost = 1u << 3,
  schedule_disagrees = 1u << 4,
  no_solution = 1u << 5,
  limits_exceeded = 1u << 6,
  trunk_not_followed = 1u << 7,
  position_limits = 1u << 8,
  cannot_step = 1u << 9,       ///< of a gait
  foot_not_felt = 1u << 10,    ///< of a loop
  gait_not_played = 1u << 11,  ///< of a loop
  velocities_zero = 1u << 12,  ///< of a loop
  imu_leans = 1u << 13,        ///< of a loop
};

/// Names of the faults, in the order of their bits.
constexpr const char * fault_names[] = {
  "state_not_finite",
  "reference_not_finite",
  "reference_out_of_reach",
  "all_contacts_lost",
  "schedule_disagrees",
  "no_solution",
  "limits_exceeded",
  "trunk_not_followed",
  "position_limits",
  "cannot_step",
  "foot_not_felt",
  "gait_not_played",
  "velocities_zero",
  "imu_leans",
  nullptr,
};

/// Efforts of the joints, and what they are meant to bring about.
template <typename Robot>
struct Command
{
  typename Robot::JointVector efforts;  ///< [N m or N]
  /// Forces of the ground on the robot, rows and axes of `contact_jacobian` [N m, N].
  ContactVector<Robot> forces;
  FreedomVector<Robot> accelerations;  ///< of base, in its axes, and joints [rad/s^2, m/s^2]
  std::uint32_t faults = 0;            ///< of `Fault`, combined by or
  int iterations = 0;                  ///< of the QP

  /// Zeros.
  Command() noexcept : Command(Robot()) {}
  explicit Command(const Robot & robot) noexcept
  : efforts(Robot::JointVector::Zero(robot.joint_count)),
    forces(ContactVector<Robot>::Zero(contact_rows(robot))),
    accelerations(FreedomVector<Robot>::Zero(6 + robot.joint_count))
  {
  }

  bool has(Fault fault) const noexcept { return (faults & static_cast<std::uint32_t>(fault)) != 0; }
  void add(Fault fault, bool there = true) noexcept
  {
    faults |= there ? static_cast<std::uint32_t>(fault) : 0u;
  }
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__COMMAND_HPP_
