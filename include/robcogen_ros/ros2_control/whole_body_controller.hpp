// A chainable ros2_control controller for a robot on legs, on its generated dynamics.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_CONTROLLER_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_CONTROLLER_HPP_

#include <memory>
#include <string>

#include "robcogen_ros/core/runtime_model.hpp"
#include "robcogen_ros/ros2_control/effort_controller.hpp"

namespace robcogen_ros::ros2_control
{

/// Moves trunk and swinging feet as asked, with forces of the feet within their friction cones.
///
/// Requests come from the controller in front through `<name>/<base>/position.x`,
/// `<name>/<foot>/stance`, ..., otherwise from the topics `~/reference` and `~/cmd_vel`. Efforts go
/// to `<joint>/effort`. What it does cycle by cycle is control::WholeBodyLoop;
/// docs/legged_controller.md tells all.
class WholeBodyController : public EffortController
{
public:
  /// \param robot with contacts on a floating base
  explicit WholeBodyController(const CompiledRobot & robot);
  ~WholeBodyController() override;

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

  /// Writes efforts along the joints, as those of motors where these are commanded.
  void command(const RuntimeModel::JointVector & efforts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__WHOLE_BODY_CONTROLLER_HPP_
