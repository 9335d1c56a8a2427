// A chainable ros2_control controller on the generated dynamics of one robot.
#ifndef ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/compiled_model.hpp"
#include "robcogen_ros/control/configuration.hpp"
#include "robcogen_ros/control/node_parameters.hpp"
#include "robcogen_ros/control/reference_topic.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"
#include "robcogen_ros/control/state_topic.hpp"

namespace robcogen_ros::control
{

/// Computed torque, gravity compensation and more, behind other controllers or alone.
///
/// References come from the controller in front through `<name>/<joint>/position`, `velocity`,
/// `acceleration`, `effort`, otherwise from the topic `~/reference`; effort may come alone. Efforts
/// go to `<joint>/effort`. What it does cycle by cycle is Controller; docs/controller.md tells all.
///
/// \tparam Robot the Traits of a generated robot on a fixed base, with compiled_model() and
/// model_parameters()
template <typename Robot>
class InverseDynamicsController : public versions::ChainableController
{
public:
  using JointVector = typename Robot::JointVector;
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;

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
    return of_joints(parameters_->configuration().command_interfaces);
  }

  controller_interface::InterfaceConfiguration state_interface_configuration() const override
  {
    return of_joints(states());
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    if (!parameters_->configure())
    {
      return CallbackReturn::FAILURE;
    }
    const auto & configuration = parameters_->configuration();
    if (!is_compiled_model<Robot>(*this, configuration))
    {
      return CallbackReturn::FAILURE;
    }
    Behaviour behaviour = configuration.behaviour;
    const unsigned rate = get_update_rate();
    behaviour.period = rate > 0 ? 1.0 / rate : std::numeric_limits<double>::infinity();
    controller_.emplace(behaviour);
    reference_topic_.emplace(get_node(), configuration.reference_timeout);
    state_topic_.emplace(get_node(), configuration.state_publish_rate);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override
  {
    state_topic_.reset();
    reference_topic_.reset();
    controller_.reset();
    parameters_->release();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State &) override
  {
    const bool found = bind(state_interfaces_, states(), states_) &&
                       bind(command_interfaces_, commands(), commands_);
    if (!found)
    {
      RCLCPP_ERROR(get_node()->get_logger(), "not all joints have the interfaces that are needed");
      return CallbackReturn::ERROR;
    }
    parameters_->set_active(true);
    const Mode mode = parameters_->settings().mode;
    reference_topic_->set_follows(follows(mode));
    forget_references();
    controller_->activate();
    RCLCPP_INFO(
      get_node()->get_logger(), "mode %s: %s", mode_names[static_cast<std::size_t>(mode)].data(),
      follows(mode) ? "positions are followed, efforts added to what holds them"
                    : "efforts of references are added, nothing else is followed");
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &) override
  {
    const auto & configuration = parameters_->configuration();
    const bool failed = controller_->failed();
    const Parting kind = failed ? configuration.behaviour.failure : configuration.deactivation;
    write(controller_->parting(parameters_->settings(), kind).effort);
    parameters_->set_active(false);
    forget_references();
    if (failed)
    {
      RCLCPP_ERROR(
        get_node()->get_logger(), "control has ended: %s",
        controller_->condition() == Condition::lost ? "joint states are missing"
                                                    : "an effort is not finite");
    }
    return CallbackReturn::SUCCESS;
  }

protected:
  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() override
  {
    reference_interfaces_.assign(
      quantities.size() * joints, std::numeric_limits<double>::quiet_NaN());
    std::vector<hardware_interface::CommandInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (std::size_t i = 0; i < reference_interfaces_.size(); ++i)
    {
      const std::string joint = Robot::joint_names[i % joints];
      result.emplace_back(
        get_node()->get_name(), joint + "/" + quantities[i / joints], &reference_interfaces_[i]);
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  bool on_set_chained_mode(bool) override
  {
    if (reference_topic_)
    {
      forget_references();
    }
    return true;
  }

  return_type update_and_write_commands(
    const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    const Settings<Robot> & settings = parameters_->settings();
    const double step = period.seconds();
    const JointVector position = read(0);
    const JointVector velocity = parameters_->configuration().behaviour.estimate_velocity
                                   ? nothing<Robot>().velocity
                                   : read(1);
    const MotionState<Robot> given =
      is_in_chained_mode() ? chained_reference()
                           : reference_topic_->sample(step, controller_->reference().position);
    const Command<Robot> & command = controller_->update(settings, position, velocity, given, step);
    write(command.effort);
    state_topic_->set({*controller_, unwritten_});
    return controller_->failed() ? return_type::ERROR : return_type::OK;
  }

private:
  static constexpr auto joints = static_cast<std::size_t>(Robot::joint_count);
  static constexpr std::array quantities{"position", "velocity", "acceleration", "effort"};
  static constexpr std::size_t most = 3;  // kinds of interfaces that are read or written

  /// Where the interfaces of a kind are among those that were claimed, by joint.
  using Places = std::array<std::array<std::size_t, joints>, most>;

  Words states() const
  {
    return parameters_->configuration().behaviour.estimate_velocity ? Words{"position"}
                                                                    : Words{"position", "velocity"};
  }

  const Words & commands() const { return parameters_->configuration().command_interfaces; }

  static controller_interface::InterfaceConfiguration of_joints(const Words & kinds)
  {
    controller_interface::InterfaceConfiguration result;
    result.type = controller_interface::interface_configuration_type::INDIVIDUAL;
    for (const std::string & kind : kinds)
    {
      for (std::size_t i = 0; i < joints; ++i)
      {
        result.names.push_back(std::string(Robot::joint_names[i]) + "/" + kind);
      }
    }
    return result;
  }

  /// Finds interfaces by their names, in whatever order they come.
  template <typename Interfaces>
  static bool bind(const Interfaces & interfaces, const Words & kinds, Places & places)
  {
    for (std::size_t k = 0; k < kinds.size(); ++k)
    {
      for (std::size_t i = 0; i < joints; ++i)
      {
        std::size_t & place = places[k][i];
        for (place = 0; place < interfaces.size(); ++place)
        {
          const auto & interface = interfaces[place];
          if (
            interface.get_prefix_name() == Robot::joint_names[i] &&
            interface.get_interface_name() == kinds[k])
          {
            break;
          }
        }
        if (place == interfaces.size())
        {
          return false;
        }
      }
    }
    return true;
  }

  JointVector read(std::size_t kind) const
  {
    JointVector values;
    for (std::size_t i = 0; i < joints; ++i)
    {
      values(static_cast<Eigen::Index>(i)) = versions::read(state_interfaces_[states_[kind][i]]);
    }
    return values;
  }

  MotionState<Robot> chained_reference() const
  {
    const double * values = reference_interfaces_.data();
    const auto quantity = [values](std::size_t k)
    { return Eigen::Map<const JointVector>(values + k * joints); };
    return {quantity(0), quantity(1), quantity(2), quantity(3)};
  }

  /// Does not follow what the topic or a controller in front has said so far.
  void forget_references()
  {
    reference_topic_->forget();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    std::fill(reference_interfaces_.begin(), reference_interfaces_.end(), nothing);
  }

  /// Writes efforts and, where drives want them, the reference's positions and velocities.
  void write(const JointVector & effort)
  {
    const Words & kinds = commands();
    const MotionState<Robot> reference = controller_->reference();
    for (std::size_t k = 0; k < kinds.size(); ++k)
    {
      const JointVector & values = kinds[k] == "effort"     ? effort
                                   : kinds[k] == "position" ? reference.position
                                                            : reference.velocity;
      for (std::size_t i = 0; i < joints; ++i)
      {
        const double value = values(static_cast<Eigen::Index>(i));
        unwritten_ += versions::write(command_interfaces_[commands_[k][i]], value) ? 0U : 1U;
      }
    }
  }

  std::optional<NodeParameters<Robot, Configuration<Robot>>> parameters_;
  std::optional<Controller<Robot>> controller_;
  std::optional<ReferenceTopic<Robot>> reference_topic_;
  std::optional<StateTopic<Robot>> state_topic_;
  Places states_{};
  Places commands_{};
  std::uint64_t unwritten_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
