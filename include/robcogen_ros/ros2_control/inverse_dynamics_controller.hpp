// A chainable ros2_control controller for a robot on a fixed base, on its generated dynamics.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <memory>
#include <string>

#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/core/runtime_model.hpp"
#include "robcogen_ros/ros2_control/effort_controller.hpp"

namespace robcogen_ros::ros2_control
{

/// Computed torque, gravity compensation and more, behind other controllers or alone.
///
/// References come from the controller in front through `<name>/<joint>/position`, `velocity`,
/// `acceleration`, `effort`, otherwise from the topic `~/reference`; effort may come alone. Efforts
/// go to `<joint>/effort`. What it does cycle by cycle is control::Controller; docs/controller.md
/// tells all.
class InverseDynamicsController : public EffortController
{
public:
  /// \param robot on a fixed base, with `inverse_dynamics` and `gravity_torques`
  explicit InverseDynamicsController(const CompiledRobot & robot);
  ~InverseDynamicsController() override;

  return_type update_and_write_commands(
    const rclcpp::Time & time, const rclcpp::Duration & period) override;

protected:
  TableOnNode & declare() override;
  void each_state(const Visit & visit) const override;
  void forget_states() override;
  Words commands() const override;
  Words references() const override;
  bool set_up() override;
  void tear_down() override;
  void activate() override;
  void part() override;
  std::string failure() const override;
  void forget_topics() override;

private:
  struct Parts;

  /// Writes efforts and, where drives want them, the reference's positions and velocities.
  void write_commands(const control::Command<RuntimeModel> & command);

  std::unique_ptr<Parts> parts_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
