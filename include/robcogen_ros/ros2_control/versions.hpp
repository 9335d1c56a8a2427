// Differences of ros2_control in Humble (2), Jazzy (4), Kilted (5) and Lyrical (6).
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__VERSIONS_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__VERSIONS_HPP_

#include <controller_interface/version.h>
#include <controller_interface/chainable_controller_interface.hpp>
#include <controller_interface/controller_interface.hpp>
#include <hardware_interface/system_interface.hpp>
#include <string>
#include <type_traits>

namespace robcogen_ros::ros2_control::versions
{

// Interfaces that hand out pointers to plain numbers work with all four versions; the later ones
// call them deprecated.
#define ROBCOGEN_ROS_OLD_INTERFACES_BEGIN \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define ROBCOGEN_ROS_OLD_INTERFACES_END _Pragma("GCC diagnostic pop")

namespace detail
{

template <typename Controller, typename = void>
constexpr bool has_description = false;
template <typename Controller>
constexpr bool has_description<
  Controller, std::void_t<decltype(std::declval<const Controller &>().get_robot_description())>> =
  true;

}  // namespace detail

/// The robot description that the controller manager hands on; empty if it hands on none.
template <typename Controller>
std::string description(const Controller & controller)
{
  if constexpr (detail::has_description<Controller>)
  {
    return controller.get_robot_description();
  }
  else
  {
    return "";
  }
}

/// A chainable controller that reads its own references in update_and_write_commands().
class ChainableController : public controller_interface::ChainableControllerInterface
{
protected:
#if CONTROLLER_INTERFACE_VERSION_GTE(3, 12, 0)
  controller_interface::return_type update_reference_from_subscribers(
    const rclcpp::Time &, const rclcpp::Duration &) final
  {
    return controller_interface::return_type::OK;
  }
#else
  controller_interface::return_type update_reference_from_subscribers() final
  {
    return controller_interface::return_type::OK;
  }
#endif
};

/// A hardware component that is set up once its description is known, in `info_`.
class System : public hardware_interface::SystemInterface
{
public:
#if __has_include(<hardware_interface/types/hardware_component_interface_params.hpp>)
  hardware_interface::CallbackReturn on_init(
    const hardware_interface::HardwareComponentInterfaceParams & params) final
  {
    const auto result = SystemInterface::on_init(params);
    return result == hardware_interface::CallbackReturn::SUCCESS ? set_up() : result;
  }
#else
  hardware_interface::CallbackReturn on_init(const hardware_interface::HardwareInfo & info) final
  {
    const auto result = SystemInterface::on_init(info);
    return result == hardware_interface::CallbackReturn::SUCCESS ? set_up() : result;
  }
#endif

protected:
  virtual hardware_interface::CallbackReturn set_up() = 0;
};

}  // namespace robcogen_ros::ros2_control::versions

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__VERSIONS_HPP_
