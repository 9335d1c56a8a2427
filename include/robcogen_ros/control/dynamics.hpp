// The dynamics of a generated robot as controllers use them: with what is known only at run time.
#ifndef ROBCOGEN_ROS__CONTROL__DYNAMICS_HPP_
#define ROBCOGEN_ROS__CONTROL__DYNAMICS_HPP_

#include <Eigen/Core>
#include <optional>
#include <type_traits>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// True if a robot has a function for gravity alone; otherwise inverse dynamics at rest gives it.
template <typename Robot, typename = void>
constexpr bool has_gravity_torques = false;
template <typename Robot>
constexpr bool has_gravity_torques<
  Robot,
  std::void_t<
    decltype(&Robot::template gravity_torques<
             typename Robot::JointVector,
             std::conditional_t<
               has_parameters<Robot>, typename ConstantsOf<Robot>::Type, Eigen::Vector3d>>)>> =
  true;

/// Efforts of a robot on a fixed base, for gravity and parameters given at run time.
///
/// \tparam Robot the Traits of a generated robot; needs its function `inverse_dynamics`
template <typename Robot>
struct Dynamics
{
  static_assert(SizesOf<Robot>::may_be_fixed, "controllers are for robots on a fixed base");

  using JointVector = typename Robot::JointVector;
  using Constants = typename ConstantsOf<Robot>::Type;

  Robot robot;
  /// Gravity in base coordinates [m/s^2]; none: as the model has it.
  std::optional<Eigen::Vector3d> gravity;
  Constants constants{};

  Dynamics() : Dynamics(Robot()) {}
  explicit Dynamics(const Robot & given) : robot(given) {}

  /// Efforts that give a motion [N m or N].
  JointVector efforts(
    const JointVector & q, const JointVector & qd, const JointVector & qdd) const noexcept
  {
    if (!gravity)
    {
      return inverse_dynamics(q, qd, qdd);
    }
    if constexpr (sized_at_run_time<Robot>)
    {
      return inverse_dynamics(q, qd, qdd, *gravity);
    }
    else
    {
      const typename Robot::Wrenches no_forces = Robot::Wrenches::Zero();
      return inverse_dynamics(q, qd, qdd, *gravity, no_forces);
    }
  }

  /// Efforts that hold the robot still [N m or N].
  JointVector support(const JointVector & q) const noexcept
  {
    if constexpr (has_gravity_torques<Robot> && !sized_at_run_time<Robot>)
    {
      return gravity ? gravity_torques(q, *gravity) : gravity_torques(q);
    }
    else
    {
      const JointVector rest = JointVector::Zero(q.size());
      return efforts(q, rest, rest);
    }
  }

private:
  template <typename... Arguments>
  JointVector inverse_dynamics(const Arguments &... arguments) const noexcept
  {
    const auto function = [this](const auto &... all) -> JointVector
    { return robot.inverse_dynamics(all...); };
    return with_constants<Robot>(constants, function, arguments...);
  }

  template <typename... Arguments>
  JointVector gravity_torques(const Arguments &... arguments) const noexcept
  {
    const auto function = [this](const auto &... all) -> JointVector
    { return robot.gravity_torques(all...); };
    return with_constants<Robot>(constants, function, arguments...);
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__DYNAMICS_HPP_
