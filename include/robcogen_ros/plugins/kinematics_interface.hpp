// A generated robot as a kinematics_interface::KinematicsInterface.
#ifndef ROBCOGEN_ROS__PLUGINS__KINEMATICS_INTERFACE_HPP_
#define ROBCOGEN_ROS__PLUGINS__KINEMATICS_INTERFACE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <exception>
#include <kinematics_interface/kinematics_interface.hpp>
#include <memory>
#include <optional>
#include <rclcpp/logger.hpp>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <string>

#include "robcogen_ros/plugins/chain_kinematics.hpp"
#include "robcogen_ros/plugins/described_model.hpp"
#include "robcogen_ros/plugins/node_parameters.hpp"

namespace robcogen_ros::plugins
{

/// Plugin in place of kinematics_interface_kdl, by generated code. Parameters: docs/plugins.md.
///
/// Versions of the interface differ in which functions they have and in how `initialize` is called:
/// here is each of them, and a version overrides those that it knows. So none says `override`;
/// where one were missing, the plugin's source would not compile.
///
/// \tparam Robot the robot's Traits with `plugin_name`, `root`, `tip` and `compiled_model()`
template <typename Robot>
class KinematicsInterface : public kinematics_interface::KinematicsInterface
{
public:
  using ParametersInterface = std::shared_ptr<rclcpp::node_interfaces::NodeParametersInterface>;
  using Frame = typename Robot::Frame;
  using VectorX = Eigen::VectorXd;
  using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  using Inverse = Eigen::Matrix<double, Eigen::Dynamic, 6>;

  /// Begins as version 1.1 and later ask for it.
  bool initialize(
    const std::string & robot_description, ParametersInterface parameters_interface,
    const std::string & param_namespace)
  {
    return start(parameters_interface, param_namespace, robot_description, "");
  }

  /// Begins as versions before 1.1 ask for it.
  bool initialize(ParametersInterface parameters_interface, const std::string & end_effector_name)
  {
    return start(parameters_interface, "", "", end_effector_name);
  }

  bool convert_cartesian_deltas_to_joint_deltas(
    const VectorX & joint_pos, const Vector6 & delta_x, const std::string & link_name,
    VectorX & delta_theta)
  {
    const auto frame = find(link_name);
    if (!frame || !sized("joint vector", joint_pos) || !sized("joint deltas", delta_theta))
    {
      return false;
    }
    delta_theta.noalias() = kinematics_->damped_inverse(joint_pos, *frame, damping_) * delta_x;
    return true;
  }

  bool convert_joint_deltas_to_cartesian_deltas(
    const VectorX & joint_pos, const VectorX & delta_theta, const std::string & link_name,
    Vector6 & delta_x)
  {
    const auto frame = find(link_name);
    if (!frame || !sized("joint vector", joint_pos) || !sized("joint deltas", delta_theta))
    {
      return false;
    }
    delta_x.noalias() = kinematics_->jacobian(joint_pos, *frame) * delta_theta;
    return true;
  }

  bool calculate_link_transform(
    const VectorX & joint_pos, const std::string & link_name, Eigen::Isometry3d & transform)
  {
    const auto frame = find(link_name);
    if (!frame || !sized("joint vector", joint_pos))
    {
      return false;
    }
    transform = kinematics_->pose(joint_pos, *frame);
    return true;
  }

  bool calculate_jacobian(
    const VectorX & joint_pos, const std::string & link_name, Jacobian & jacobian)
  {
    const auto frame = find(link_name);
    if (!frame || !sized("joint vector", joint_pos) || !wide("columns", jacobian.cols()))
    {
      return false;
    }
    jacobian = kinematics_->jacobian(joint_pos, *frame);
    return true;
  }

  bool calculate_jacobian_inverse(
    const VectorX & joint_pos, const std::string & link_name, Inverse & jacobian_inverse)
  {
    const auto frame = find(link_name);
    if (!frame || !sized("joint vector", joint_pos) || !wide("rows", jacobian_inverse.rows()))
    {
      return false;
    }
    jacobian_inverse = kinematics_->damped_inverse(joint_pos, *frame, damping_);
    return true;
  }

  bool calculate_frame_difference(Vector7 & x_a, Vector7 & x_b, double dt, Vector6 & delta_x)
  {
    if (dt < 0.0)
    {
      RCLCPP_ERROR(logger(), "the period %g s is negative", dt);
      return false;
    }
    delta_x = frame_difference(x_a, x_b, dt);
    return true;
  }

private:
  static rclcpp::Logger logger() { return rclcpp::get_logger(Robot::plugin_name); }

  bool start(
    const ParametersInterface & interface, const std::string & name_space,
    const std::string & description, const std::string & end_effector)
  {
    const NodeParameters parameters(interface, name_space);
    try
    {
      check_description<Robot>(
        parameters, description,
        [](const std::string & text) { RCLCPP_WARN(logger(), "%s", text.c_str()); });
      const std::string tip =
        end_effector.empty() ? parameters.text("tip", Robot::tip) : end_effector;
      damping_ = parameters.number("alpha", 5e-6);
      if (!(damping_ >= 0.0))
      {
        throw std::invalid_argument("alpha: expected a damping of zero or more");
      }
      const std::string base = parameters.text("base", "");
      kinematics_.emplace(
        Chain<Robot>(base.empty() ? Robot::root : base, tip),
        parameters.template constants<Robot>());
    }
    catch (const std::invalid_argument & error)
    {
      kinematics_.reset();
      RCLCPP_ERROR(logger(), "%s", error.what());
    }
    return kinematics_.has_value();
  }

  /// The frame of a link that the chain's joints place; says in the log why there is none.
  std::optional<Frame> find(const std::string & link_name) const
  {
    if (!kinematics_)
    {
      RCLCPP_ERROR(logger(), "not initialized: call initialize() first");
      return std::nullopt;
    }
    const auto frame = Robot::find_frame(link_name);
    if (!frame || !kinematics_->chain().places(*frame))
    {
      RCLCPP_ERROR(
        logger(), "the link '%s' is not in the chain of joints %s", link_name.c_str(),
        kinematics_->chain().joint_names().c_str());
      return std::nullopt;
    }
    return frame;
  }

  bool sized(const char * what, const VectorX & vector) const
  {
    if (vector.size() == kinematics_->chain().size())
    {
      return true;
    }
    RCLCPP_ERROR(
      logger(), "expected a %s of %ld values, found %ld", what,
      static_cast<long>(kinematics_->chain().size()), static_cast<long>(vector.size()));
    return false;
  }

  bool wide(const char * what, Eigen::Index size) const
  {
    if (size == kinematics_->chain().size())
    {
      return true;
    }
    RCLCPP_ERROR(
      logger(), "expected a matrix of %ld %s, found %ld",
      static_cast<long>(kinematics_->chain().size()), what, static_cast<long>(size));
    return false;
  }

  std::optional<ChainKinematics<Robot>> kinematics_;
  double damping_ = 5e-6;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__KINEMATICS_INTERFACE_HPP_
