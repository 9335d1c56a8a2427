// A chainable ros2_control controller for a robot on legs, on its generated dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/base_topic.hpp"
#include "robcogen_ros/control/compiled_model.hpp"
#include "robcogen_ros/control/motion_numbers.hpp"
#include "robcogen_ros/control/node_parameters.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"
#include "robcogen_ros/control/state_sources.hpp"
#include "robcogen_ros/control/whole_body_configuration.hpp"
#include "robcogen_ros/control/whole_body_state_topic.hpp"
#include "robcogen_ros/control/whole_body_topic.hpp"

namespace robcogen_ros::control
{

/// Moves trunk and swinging feet as asked, with forces of the feet within their friction cones.
///
/// Requests come from the controller in front through `<name>/<base>/position.x`,
/// `<name>/<foot>/stance`, ..., otherwise from the topic `~/reference`. Efforts go to
/// `<joint>/effort`. What it does cycle by cycle is WholeBodyLoop; docs/legged_controller.md
/// tells all.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base, with
/// compiled_model() and model_parameters()
template <typename Robot>
class WholeBodyController : public versions::ChainableController
{
public:
  using JointVector = typename Robot::JointVector;
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;
  using Configuration = WholeBodyConfiguration<Robot>;

  CallbackReturn on_init() override
  {
    try
    {
      parameters_.emplace(get_node());
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
      return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
  }

  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < joints; ++i)
    {
      names.push_back(std::string(Robot::joint_names[i]) + "/effort");
    }
    return {controller_interface::interface_configuration_type::INDIVIDUAL, names};
  }

  controller_interface::InterfaceConfiguration state_interface_configuration() const override
  {
    std::vector<std::string> names;
    each_state([&names](const std::string & name, double &) { names.push_back(name); });
    return {controller_interface::interface_configuration_type::INDIVIDUAL, names};
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    if (!parameters_->configure())
    {
      return CallbackReturn::FAILURE;
    }
    const Configuration & configuration = parameters_->configuration();
    if (configuration.base_topic && !BaseTopic::available)
    {
      RCLCPP_ERROR(
        get_node()->get_logger(),
        "base_state: 'topic' needs nav_msgs, which was not found when this was compiled");
      return CallbackReturn::FAILURE;
    }
    if (!is_compiled_model<Robot>(*this, configuration))
    {
      return CallbackReturn::FAILURE;
    }
    loop_.emplace(configuration.behaviour);
    request_topic_.emplace(get_node(), configuration.reference_timeout);
    if (configuration.base_topic)
    {
      base_topic_.emplace(get_node(), Robot::link_names[0], configuration.base_state_timeout);
    }
    state_topic_.emplace(get_node(), configuration.state_publish_rate);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override
  {
    state_topic_.reset();
    base_topic_.reset();
    request_topic_.reset();
    loop_.reset();
    parameters_->release();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State &) override
  {
    sources_.clear();
    each_state([this](const std::string & name, double & value)
               { sources_.bind(state_interfaces_, name, value); });
    bool found = sources_.complete();
    for (std::size_t i = 0; i < joints; ++i)
    {
      commands_[i] = place_of(command_interfaces_, std::string(Robot::joint_names[i]) + "/effort");
      found = found && commands_[i] < command_interfaces_.size();
    }
    if (!found)
    {
      RCLCPP_ERROR(get_node()->get_logger(), "not all interfaces that are needed are there");
      return CallbackReturn::ERROR;
    }
    parameters_->set_active(true);
    forget_requests();
    if (base_topic_)
    {
      base_topic_->forget();
    }
    loop_->activate();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override
  {
    const Configuration & configuration = parameters_->configuration();
    const bool failed = loop_->failed();
    write(
      failed ? loop_->efforts()
             : loop_->parting(parameters_->settings(), configuration.deactivation));
    parameters_->set_active(false);
    forget_requests();
    if (failed)
    {
      const auto condition = static_cast<std::size_t>(loop_->condition());
      RCLCPP_ERROR(
        get_node()->get_logger(), "control has ended: %s",
        whole_body_condition_names[condition].data());
    }
    return CallbackReturn::SUCCESS;
  }

protected:
  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() override
  {
    reference_interfaces_.assign(chained_.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<hardware_interface::CommandInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    chained_.each(
      [this, &result](const std::string & name, double &)
      {
        result.emplace_back(get_node()->get_name(), name, &reference_interfaces_[result.size()]);
      });
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  bool on_set_chained_mode(bool) override
  {
    if (request_topic_)
    {
      forget_requests();
    }
    return true;
  }

  return_type update_and_write_commands(
    const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    const double step = period.seconds();
    sources_.read(state_interfaces_);
    if (base_topic_)
    {
      readings_.base = base_topic_->sample(step);
    }
    write(loop_->update(
      parameters_->settings(), readings_,
      is_in_chained_mode() ? chained_.request(reference_interfaces_.data())
                           : request_topic_->sample(step),
      step));
    state_topic_->set({*loop_, unwritten_});
    return loop_->failed() ? return_type::ERROR : return_type::OK;
  }

private:
  static constexpr auto joints = static_cast<std::size_t>(Robot::joint_count);

  /// Calls `visit(name, number)` for each state interface that is read; clears all readings.
  template <typename Visit>
  void each_state(const Visit & visit) const
  {
    const Configuration & configuration = parameters_->configuration();
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    readings_.position.setConstant(unknown);
    readings_.velocity.setConstant(unknown);
    readings_.base = BaseReading();
    readings_.forces.setConstant(unknown);
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::string joint = Robot::joint_names[i];
      visit(joint + "/position", readings_.position(i));
      if (!configuration.estimate_velocity)
      {
        visit(joint + "/velocity", readings_.velocity(i));
      }
    }
    if (!configuration.base_topic)
    {
      BaseReading & base = readings_.base;
      each_number(configuration.base_name + "/position", base.position, visit);
      each_number(configuration.base_name + "/linear_velocity", base.linear_velocity, visit);
      each_number(configuration.imu_name + "/orientation", base.orientation, visit);
      each_number(configuration.imu_name + "/angular_velocity", base.angular_velocity, visit);
    }
    if (configuration.behaviour.measured_contacts)
    {
      for (int i = 0; i < Robot::contact_count; ++i)
      {
        each_number(
          std::string(Robot::contact_names[i]) + "/force", readings_.forces.col(i), visit);
      }
    }
  }

  /// Does not follow what the topic or a controller in front has said so far.
  void forget_requests()
  {
    request_topic_->forget();
    std::fill(
      reference_interfaces_.begin(), reference_interfaces_.end(),
      std::numeric_limits<double>::quiet_NaN());
  }

  void write(const JointVector & efforts)
  {
    for (std::size_t i = 0; i < joints; ++i)
    {
      const double value = efforts(static_cast<Eigen::Index>(i));
      unwritten_ += versions::write(command_interfaces_[commands_[i]], value) ? 0U : 1U;
    }
  }

  std::optional<NodeParameters<Robot, Configuration>> parameters_;
  std::optional<WholeBodyLoop<Robot>> loop_;
  std::optional<WholeBodyTopic<Robot>> request_topic_;
  std::optional<BaseTopic> base_topic_;
  std::optional<WholeBodyStateTopic<Robot>> state_topic_;
  ChainedRequest<Robot> chained_;
  mutable WholeBodyReadings<Robot> readings_;
  StateSources sources_;
  std::array<std::size_t, joints> commands_{};
  std::uint64_t unwritten_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_
