// Whether a controller was generated from the robot that it is to control.
#ifndef ROBCOGEN_ROS__CONTROL__COMPILED_MODEL_HPP_
#define ROBCOGEN_ROS__CONTROL__COMPILED_MODEL_HPP_

#include <rclcpp/logging.hpp>
#include <string>

#include "robcogen_ros/control/ros2_control_versions.hpp"
#include "robcogen_ros/control/urdf_record.hpp"

namespace robcogen_ros::control
{

/// Compares the robot description with what the code was generated from, and says where they
/// differ.
///
/// \tparam Robot has compiled_model()
/// \param parameters its model_check, model_tolerance, robot_description
/// \return whether the controller may be configured
template <typename Robot, typename Controller, typename Parameters>
bool is_compiled_model(const Controller & controller, const Parameters & parameters)
{
  const auto logger = controller.get_node()->get_logger();
  if (parameters.model_check == "off")
  {
    return true;
  }
  const bool strict = parameters.model_check == "strict";
  const std::string handed = versions::description(controller);
  const std::string & text = handed.empty() ? parameters.robot_description : handed;
  urdf::Model model;
  if (text.empty() || !model.initString(text))
  {
    RCLCPP_ERROR(
      logger, "no robot description to compare with the compiled model: %s",
      text.empty() ? "the controller manager has none yet" : "it is not a URDF");
    return !strict;
  }
  const UrdfRecord given(model);
  const ModelComparison comparison(
    Robot::compiled_model(), given.record(), parameters.model_tolerance);
  for (const std::string & difference : comparison.differences())
  {
    if (strict)
    {
      RCLCPP_ERROR(logger, "%s", difference.c_str());
    }
    else
    {
      RCLCPP_WARN(logger, "%s", difference.c_str());
    }
  }
  if (!comparison.differences().empty() && strict)
  {
    RCLCPP_ERROR(
      logger,
      "the robot description is not the one that this controller was generated from: generate it "
      "anew, or set model_check to 'warn'");
    return false;
  }
  return true;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__COMPILED_MODEL_HPP_
