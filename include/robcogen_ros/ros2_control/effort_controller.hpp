// Common parts of controllers that command efforts.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__EFFORT_CONTROLLER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__EFFORT_CONTROLLER_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "robcogen_ros/ros2_control/configured_controller.hpp"

namespace robcogen_ros::core
{
class MotorSpace;
}

namespace robcogen_ros::ros2_control
{

/// A chainable controller, which compares its robot with the robot description. It leaves the robot
/// with an effort when it ends.
class EffortController : public ConfiguredController<versions::ChainableController>
{
public:
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;

protected:
  using Words = std::vector<std::string>;
  using ConfiguredController::ConfiguredController;

  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() override;
  bool on_set_chained_mode(bool chained) override;
  std::string bind_commands() override;
  void begin() override;
  void end() override;

  /// Names of command interfaces, in blocks of each_of().
  virtual Words commands() const = 0;
  /// Names of reference interfaces, after that of the controller.
  virtual Words references() const = 0;
  virtual void activate() = 0;
  /// Writes what the robot is left with.
  virtual void part() = 0;
  /// Returns why control has ended by itself; empty if it has not.
  virtual std::string failure() const = 0;
  /// Leaves out of use what topics have said so far.
  virtual void forget_topics() = 0;

  /// Compares the robot description with what the code was generated from, and says where they
  /// differ.
  ///
  /// \param check what to do where they do: parameter `model_check`
  /// \param tolerance parameter `model_tolerance`
  /// \param description URDF that is used where the controller manager hands on none
  /// \return whether the controller may be configured
  bool is_compiled_model(
    const std::string & check, double tolerance, const std::string & description) const;

  /// `<name>/<kind>` of each name, for one kind after the other.
  static Words each_of(const Words & names, const Words & kinds);
  /// Names of the joints that are coordinates.
  Words joints() const;
  /// Names of what is measured and commanded: motors, or the joints that are coordinates.
  Words measured() const;
  /// Chooses whether motors are measured and commanded, or joints.
  ///
  /// \param space parameter `space`
  /// \throws std::invalid_argument if motors do not determine the coordinates
  void use(const std::string & space);
  /// Writes the values of a block of commands(), one a joint.
  void write(const double * values, std::size_t block = 0);
  /// Number of times that an interface could not be written.
  std::uint64_t unwritten() const noexcept { return unwritten_; }

  std::shared_ptr<core::MotorSpace> motors_;  ///< where they are measured and commanded

private:
  /// Leaves out of use what topics or a controller in front have said so far.
  void forget_references();

  std::vector<std::size_t> places_;
  std::uint64_t unwritten_ = 0;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__EFFORT_CONTROLLER_HPP_
