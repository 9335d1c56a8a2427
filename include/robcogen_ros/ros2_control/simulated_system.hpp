// Hardware components of ros2_control that simulate a robot by its generated dynamics.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__SIMULATED_SYSTEM_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__SIMULATED_SYSTEM_HPP_

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "robcogen_ros/core/motors.hpp"
#include "robcogen_ros/ros2_control/compiled_robot.hpp"
#include "robcogen_ros/ros2_control/versions.hpp"

namespace robcogen_ros::ros2_control
{

/// Effort commands in, readings of a simulation out.
///
/// Efforts and readings are those of the joints that are coordinates or, with the parameter `space`
/// `motor`, of the motors. They start at the `initial_value` of their position's state interface.
/// Time begins with the first effort that is commanded; joints without one then have none, and the
/// robot falls once nobody commands. What it cannot go on from ends the run: `read()` then returns
/// ERROR. The model's own parameters have their defaults.
class System : public versions::System
{
public:
  using CallbackReturn = hardware_interface::CallbackReturn;
  using return_type = hardware_interface::return_type;

  ~System() override;

  std::vector<hardware_interface::StateInterface> export_state_interfaces() override;
  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override;
  return_type read(const rclcpp::Time & time, const rclcpp::Duration & period) override;
  return_type write(const rclcpp::Time & time, const rclcpp::Duration & period) override;

protected:
  /// The motors that are commanded; null where joints are.
  using Motors = std::shared_ptr<const core::Motors>;
  /// A simulation of the robot.
  class Simulated
  {
  public:
    using Visit = std::function<void(const char *, const std::string &, double &)>;

    virtual ~Simulated() = default;
    /// Calls `visit(name, interface, number)` with each reading; the numbers stay where they are.
    virtual void each_reading(const Visit & visit) = 0;
    /// Moves on under commanded efforts [N m or N] for a while [s].
    virtual void advance(const double * command, double time) noexcept = 0;
    /// Returns what is wrong, as when the motion has run away; null if nothing is.
    virtual const char * problem() const noexcept = 0;
  };

  explicit System(const CompiledRobot & robot);

  CallbackReturn set_up() override;
  /// \throws std::invalid_argument that says which parameter or position is wrong
  virtual std::unique_ptr<Simulated> simulated(
    const hardware_interface::HardwareInfo & info, const Motors & motors) const = 0;

  const CompiledRobot & robot() const noexcept { return robot_; }

private:
  bool goes_on() const;
  /// Returns true if efforts are those of motors, by a parameter that is taken out.
  static bool in_motors(hardware_interface::HardwareInfo & info);

  CompiledRobot robot_;
  std::unique_ptr<Simulated> simulated_;
  bool begun_ = false;
  std::vector<std::string> commanded_;
  std::vector<double> command_;  ///< NaN before the first one [N m or N]
  std::vector<double> written_;  ///< [N m or N]
};

/// A robot on a fixed base, with the model's friction, stops and gravity.
class SimulatedSystem : public System
{
public:
  explicit SimulatedSystem(const CompiledRobot & robot) : System(robot) {}

protected:
  std::unique_ptr<Simulated> simulated(
    const hardware_interface::HardwareInfo & info, const Motors & motors) const override;
};

/// A robot on legs: parameters of `<hardware>` are those of control::GroundDescription.
class GroundSystem : public System
{
public:
  explicit GroundSystem(const CompiledRobot & robot) : System(robot) {}

protected:
  std::unique_ptr<Simulated> simulated(
    const hardware_interface::HardwareInfo & info, const Motors & motors) const override;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__SIMULATED_SYSTEM_HPP_
