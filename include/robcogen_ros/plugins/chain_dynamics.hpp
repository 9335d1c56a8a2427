// The dynamics of a serial arm, term by term, for vectors of sizes known only at run time.
#ifndef ROBCOGEN_ROS__PLUGINS__CHAIN_DYNAMICS_HPP_
#define ROBCOGEN_ROS__PLUGINS__CHAIN_DYNAMICS_HPP_

#include <Eigen/Core>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "robcogen_ros/control/dynamics.hpp"
#include "robcogen_ros/joint_friction.hpp"
#include "robcogen_ros/plugins/chain.hpp"

namespace robcogen_ros::plugins
{

/// Dynamics over the joints of a chain, in its order; the chain must have all joints of the robot.
///
/// \tparam Robot the Traits of a generated robot; needs its functions `inverse_dynamics`,
/// `gravity_torques`, `coriolis_torques`, `inertia_matrix`
template <typename Robot>
class ChainDynamics
{
public:
  using JointVector = typename Robot::JointVector;
  using InertiaMatrix = typename Robot::InertiaMatrix;
  using Constants = typename ConstantsOf<Robot>::Type;

  /// \param gravity in coordinates of the base [m/s^2]; none: as the model has it
  /// \throws std::invalid_argument if the chain lacks joints of the robot
  ChainDynamics(
    Chain<Robot> chain, const std::optional<Eigen::Vector3d> & gravity, const Constants & constants)
  : chain_(std::move(chain))
  {
    dynamics_.gravity = gravity;
    dynamics_.constants = constants;
    if (!chain_.whole())
    {
      throw std::invalid_argument(
        "the chain's joints are " + chain_.joint_names() + ", the robot has " +
        Chain<Robot>("", "").joint_names() +
        "; generate it from this root to this tip: ROOT <link> TIPS <link>");
    }
    if (Robot::frame_links[static_cast<int>(chain_.root())] != 0)
    {
      throw std::invalid_argument("the root '" + chain_.name(chain_.root()) + "' is not the base");
    }
  }

  const Chain<Robot> & chain() const noexcept { return chain_; }

  /// The inertia matrix [kg m^2, kg m or kg].
  template <typename Q>
  InertiaMatrix inertia_matrix(const Eigen::MatrixBase<Q> & q) const noexcept
  {
    const auto function = [](const auto &... all) { return Robot::inertia_matrix(all...); };
    const InertiaMatrix all =
      with_constants<Robot>(dynamics_.constants, function, chain_.spread(q));
    InertiaMatrix result;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      for (int j = 0; j < Robot::joint_count; ++j)
      {
        result(i, j) = all(joint(i), joint(j));
      }
    }
    return result;
  }

  /// Coriolis and centrifugal efforts [N m or N].
  template <typename Q, typename Qd>
  JointVector coriolis(
    const Eigen::MatrixBase<Q> & q, const Eigen::MatrixBase<Qd> & qd) const noexcept
  {
    const auto function = [](const auto &... all) { return Robot::coriolis_torques(all...); };
    return gather(
      with_constants<Robot>(dynamics_.constants, function, chain_.spread(q), chain_.spread(qd)));
  }

  /// Efforts that hold the robot still [N m or N].
  template <typename Q>
  JointVector gravity(const Eigen::MatrixBase<Q> & q) const noexcept
  {
    return gather(dynamics_.support(chain_.spread(q)));
  }

  /// Efforts that overcome the friction that is part of the robot's dynamics [N m or N].
  template <typename Qd>
  JointVector friction(const Eigen::MatrixBase<Qd> & qd) const noexcept
  {
    JointVector result = JointVector::Zero();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      result(i) = friction_in_dynamics(Robot(), joint(i), qd(i));
    }
    return result;
  }

  /// Efforts that give a motion, but for friction [N m or N].
  template <typename Q, typename Qd, typename Qdd>
  JointVector torques(
    const Eigen::MatrixBase<Q> & q, const Eigen::MatrixBase<Qd> & qd,
    const Eigen::MatrixBase<Qdd> & qdd) const noexcept
  {
    const JointVector all =
      gather(dynamics_.efforts(chain_.spread(q), chain_.spread(qd), chain_.spread(qdd)));
    if constexpr (Robot::damping_in_dynamics || Robot::friction_in_dynamics)
    {
      return all - friction(qd);
    }
    return all;
  }

private:
  int joint(int i) const noexcept { return chain_.joints()[static_cast<std::size_t>(i)]; }

  JointVector gather(const JointVector & all) const noexcept
  {
    JointVector result;
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      result(i) = all(joint(i));
    }
    return result;
  }

  Chain<Robot> chain_;
  control::Dynamics<Robot> dynamics_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__CHAIN_DYNAMICS_HPP_
