// What controllers and broadcasters of ros2_control have in common.
#ifndef ROBCOGEN_ROS__CONTROL__CONFIGURED_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__CONFIGURED_CONTROLLER_HPP_

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/node_parameters.hpp"
#include "robcogen_ros/control/state_sources.hpp"

namespace robcogen_ros::control
{

/// A controller with the parameters of a table, which reads numbers from state interfaces.
///
/// \tparam Base the class of ros2_control that it implements
/// \tparam Robot the robot of the controller
/// \tparam Configuration what the parameters of its table mean for it
/// \tparam Readings the numbers that it reads
template <typename Base, typename Robot, typename Configuration, typename Readings>
class ConfiguredController : public Base
{
public:
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;
  using State = rclcpp_lifecycle::State;

  CallbackReturn on_init() override
  {
    try
    {
      parameters_ = NodeParameters<Robot, Configuration>::make(this->get_node());
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(this->get_node()->get_logger(), "%s", error.what());
      return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
  }

  controller_interface::InterfaceConfiguration state_interface_configuration() const override
  {
    // Other threads ask while the control loop runs: its numbers are left alone.
    std::vector<std::string> names;
    Readings none;
    each_state(none, [&names](const std::string & name, double &) { names.push_back(name); });
    return {controller_interface::interface_configuration_type::INDIVIDUAL, names};
  }

  CallbackReturn on_configure(const State &) override
  {
    parameters_->configure();
    if (is_set_up())
    {
      return CallbackReturn::SUCCESS;
    }
    tear_down();
    parameters_->release();
    return CallbackReturn::FAILURE;
  }

  CallbackReturn on_cleanup(const State &) override
  {
    tear_down();
    parameters_->release();
    return CallbackReturn::SUCCESS;
  }

  /// After a transition that has failed: as before it was configured.
  CallbackReturn on_error(const State & state) override
  {
    parameters_->set_active(false);
    return on_cleanup(state);
  }

  CallbackReturn on_activate(const State &) override
  {
    sources_.clear();
    readings_ = Readings();
    each_state(
      readings_, [this](const std::string & name, double & value)
      { sources_.bind(this->state_interfaces_, name, value); });
    const std::string problem = sources_.problem().empty() ? bind_commands() : sources_.problem();
    if (!problem.empty())
    {
      RCLCPP_ERROR(this->get_node()->get_logger(), "%s", problem.c_str());
      return CallbackReturn::ERROR;
    }
    parameters_->set_active(true);
    begin();
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_deactivate(const State &) override
  {
    end();
    parameters_->set_active(false);
    return CallbackReturn::SUCCESS;
  }

protected:
  using Visit = std::function<void(const std::string &, double &)>;

  /// Calls `visit(name, number)` for each state interface, with the number that it is read into.
  virtual void each_state(Readings & readings, const Visit & visit) const = 0;
  /// Finds command interfaces among those that were claimed; why they cannot be used, if so.
  virtual std::string bind_commands() { return ""; }
  /// Makes what the configuration asks for; whether that can be.
  virtual bool set_up() = 0;
  virtual void tear_down() = 0;
  /// What is done when all interfaces are there.
  virtual void begin() = 0;
  virtual void end() {}

  const Configuration & configuration() const { return parameters_->configuration(); }
  const auto & parameters() const { return configuration().parameters; }
  /// The newest; for the thread of the control loop.
  const auto & settings() noexcept { return parameters_->settings(); }
  /// Reads all numbers of each_state(), NaN where there is none just now.
  const Readings & read_states() noexcept
  {
    sources_.read(this->state_interfaces_);
    return readings_;
  }

private:
  bool is_set_up()
  {
    try
    {
      return set_up();
    }
    catch (const std::exception & error)
    {
      RCLCPP_ERROR(this->get_node()->get_logger(), "%s", error.what());
      return false;
    }
  }

  std::shared_ptr<NodeParameters<Robot, Configuration>> parameters_;
  StateSources sources_;
  Readings readings_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__CONFIGURED_CONTROLLER_HPP_
