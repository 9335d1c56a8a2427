#include "told_system.hpp"

#include <pluginlib/class_list_macros.hpp>
#include <vector>

#include "robcogen_ros/ros2_control/versions.hpp"

namespace managed_arm
{

Values & told()
{
  static Values values;
  return values;
}

class ToldSystem : public robcogen_ros::ros2_control::versions::System
{
public:
  std::vector<hardware_interface::StateInterface> export_state_interfaces() override
  {
    return interfaces<hardware_interface::StateInterface>([](const auto & joint)
                                                          { return joint.state_interfaces; });
  }

  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override
  {
    return interfaces<hardware_interface::CommandInterface>([](const auto & joint)
                                                            { return joint.command_interfaces; });
  }

  hardware_interface::return_type read(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    return hardware_interface::return_type::OK;
  }

  hardware_interface::return_type write(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    return hardware_interface::return_type::OK;
  }

private:
  hardware_interface::CallbackReturn set_up() override
  {
    return hardware_interface::CallbackReturn::SUCCESS;
  }

  template <typename Interface, typename Listed>
  std::vector<Interface> interfaces(const Listed & listed) const
  {
    std::vector<Interface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (const auto & joint : info_.joints)
    {
      for (const auto & each : listed(joint))
      {
        result.emplace_back(joint.name, each.name, &told()[joint.name + "/" + each.name]);
      }
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }
};

}  // namespace managed_arm

PLUGINLIB_EXPORT_CLASS(managed_arm::ToldSystem, hardware_interface::SystemInterface)
