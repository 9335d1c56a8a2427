// A chainable ros2_control controller of a tool of a robot on a fixed base.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TASK_SPACE_CONTROLLER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TASK_SPACE_CONTROLLER_HPP_

#include <memory>
#include <string>

#include "robcogen_ros/ros2_control/effort_controller.hpp"

namespace robcogen_ros::ros2_control
{

/// Impedance or motion of a tool, behind other controllers or alone.
///
/// References come from the controller in front through `<name>/position.x` and the like, otherwise
/// from the topics `~/pose`, `~/twist` and `~/wrench`. Efforts go to `<joint>/effort`. What it does
/// cycle by cycle is control::TaskSpaceController; docs/task_space_controller.md tells all.
class TaskSpaceController : public EffortController
{
public:
  /// \param robot on a fixed base, with `inverse_dynamics`, `inertia_matrix_inverse` and
  ///   `kinematics`
  explicit TaskSpaceController(const CompiledRobot & robot);
  ~TaskSpaceController() override;

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

  std::unique_ptr<Parts> parts_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TASK_SPACE_CONTROLLER_HPP_
