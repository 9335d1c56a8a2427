// Common parts of controllers and broadcasters of ros2_control.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__CONFIGURED_CONTROLLER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__CONFIGURED_CONTROLLER_HPP_

#include <functional>
#include <string>

#include "robcogen_ros/control/state_sources.hpp"
#include "robcogen_ros/ros2_control/compiled_robot.hpp"
#include "robcogen_ros/ros2_control/versions.hpp"

namespace robcogen_ros::ros2_control
{

/// The parameters of a table on a controller's node.
class TableOnNode
{
public:
  virtual ~TableOnNode() = default;
  /// Takes over all values.
  virtual void configure() = 0;
  virtual void release() = 0;
  virtual void set_active(bool active) noexcept = 0;
};

/// A controller of one robot with the parameters of a table, which reads numbers from state
/// interfaces.
///
/// \tparam Base the class of ros2_control that it implements
template <typename Base>
class ConfiguredController : public Base
{
public:
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;
  using State = rclcpp_lifecycle::State;

  CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  CallbackReturn on_configure(const State & state) override;
  CallbackReturn on_cleanup(const State & state) override;
  /// Returns to the state before configuring, after a transition that has failed.
  CallbackReturn on_error(const State & state) override;
  CallbackReturn on_activate(const State & state) override;
  CallbackReturn on_deactivate(const State & state) override;

protected:
  using Visit = std::function<void(const std::string &, double &)>;

  explicit ConfiguredController(const CompiledRobot & robot) : robot_(robot) {}

  const CompiledRobot & robot() const noexcept { return robot_; }

  /// Declares the parameters of its table on its node.
  virtual TableOnNode & declare() = 0;
  /// Calls `visit(name, number)` for each state interface, with the number that it is read into.
  virtual void each_state(const Visit & visit) const = 0;
  /// All numbers of each_state() are unknown.
  virtual void forget_states() = 0;
  /// Finds command interfaces among those that were claimed; why they cannot be used, if so.
  virtual std::string bind_commands() { return ""; }
  /// Makes what the parameters ask for; whether that can be.
  virtual bool set_up() = 0;
  virtual void tear_down() = 0;
  /// Begins when all interfaces are there.
  virtual void begin() = 0;
  virtual void end() {}

  /// Reads all numbers of each_state(), NaN where there is none just now.
  void read_states() noexcept { sources_.read(this->state_interfaces_); }

private:
  bool is_set_up();

  CompiledRobot robot_;
  TableOnNode * parameters_ = nullptr;
  control::StateSources sources_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__CONFIGURED_CONTROLLER_HPP_
