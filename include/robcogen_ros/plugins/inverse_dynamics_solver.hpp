// A generated robot as an inverse_dynamics_solver::InverseDynamicsSolver.
#ifndef ROBCOGEN_ROS__PLUGINS__INVERSE_DYNAMICS_SOLVER_HPP_
#define ROBCOGEN_ROS__PLUGINS__INVERSE_DYNAMICS_SOLVER_HPP_

#include <Eigen/Core>
#include <inverse_dynamics_solver/exceptions.hpp>
#include <inverse_dynamics_solver/inverse_dynamics_solver.hpp>
#include <optional>
#include <rclcpp/logger.hpp>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <string>

#include "robcogen_ros/plugins/chain_dynamics.hpp"
#include "robcogen_ros/plugins/described_model.hpp"
#include "robcogen_ros/plugins/node_parameters.hpp"

namespace robcogen_ros::plugins
{

/// Plugin in place of kdl_inverse_dynamics_solver, by generated code. Parameters: docs/plugins.md.
///
/// \tparam Robot the robot's Traits with `plugin_name`, `root`, `tip`, `usual_gravity` (whether
/// what it was generated with is 0 0 -9.81) and `compiled_model()`
template <typename Robot>
class InverseDynamicsSolver : public inverse_dynamics_solver::InverseDynamicsSolver
{
public:
  /// \throws inverse_dynamics_solver::InvalidParameterValueException if parameters do not suit the
  /// robot, or the robot description is not of the robot that the code was generated from
  void initialize(
    rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr parameters_interface,
    const std::string & param_namespace, const std::string & robot_description) override
  {
    const NodeParameters parameters(parameters_interface, param_namespace);
    try
    {
      check_description<Robot>(
        parameters, robot_description, [](const std::string & text)
        { RCLCPP_WARN(rclcpp::get_logger(Robot::plugin_name), "%s", text.c_str()); });
      const Chain<Robot> chain(
        parameters.text("root", Robot::root), parameters.text("tip", Robot::tip));
      std::optional<Eigen::Vector3d> gravity = parameters.vector("gravity");
      if (!gravity && !Robot::usual_gravity)
      {
        gravity = standard_gravity();  // as KDL's solver has it
      }
      dynamics_.emplace(chain, gravity, parameters.template constants<Robot>());
    }
    catch (const std::invalid_argument & error)
    {
      throw inverse_dynamics_solver::InvalidParameterValueException(
        std::string(Robot::plugin_name) + ": " + error.what());
    }
  }

  Eigen::MatrixXd getInertiaMatrix(const Eigen::VectorXd & joint_positions) const override
  {
    return dynamics(joint_positions).inertia_matrix(joint_positions);
  }

  Eigen::VectorXd getCoriolisVector(
    const Eigen::VectorXd & joint_positions,
    const Eigen::VectorXd & joint_velocities) const override
  {
    return dynamics(joint_positions, joint_velocities).coriolis(joint_positions, joint_velocities);
  }

  Eigen::VectorXd getGravityVector(const Eigen::VectorXd & joint_positions) const override
  {
    return dynamics(joint_positions).gravity(joint_positions);
  }

  /// Friction as far as it is part of the generated dynamics (WITH damping friction), else zero.
  Eigen::VectorXd getFrictionVector(const Eigen::VectorXd & joint_velocities) const override
  {
    return dynamics(joint_velocities).friction(joint_velocities);
  }

  Eigen::VectorXd getTorques(
    const Eigen::VectorXd & joint_positions, const Eigen::VectorXd & joint_velocities,
    const Eigen::VectorXd & joint_accelerations) const override
  {
    return dynamics(joint_positions, joint_velocities, joint_accelerations)
      .torques(joint_positions, joint_velocities, joint_accelerations);
  }

private:
  /// The dynamics, for vectors that have a value for each joint.
  ///
  /// \throws inverse_dynamics_solver::UninitializedException before initialize()
  /// \throws std::invalid_argument if a size is wrong
  template <typename... Vectors>
  const ChainDynamics<Robot> & dynamics(const Vectors &... vectors) const
  {
    if (!dynamics_)
    {
      throw inverse_dynamics_solver::UninitializedException();
    }
    for (const Eigen::Index size : {vectors.size()...})
    {
      if (size != Robot::joint_count)
      {
        throw std::invalid_argument(
          std::string(Robot::plugin_name) + ": expected " + std::to_string(Robot::joint_count) +
          " values, one for each joint, found " + std::to_string(size));
      }
    }
    return *dynamics_;
  }

  std::optional<ChainDynamics<Robot>> dynamics_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__INVERSE_DYNAMICS_SOLVER_HPP_
