// The robot description that a plugin is given, against the model that it was generated from.
#ifndef ROBCOGEN_ROS__PLUGINS__DESCRIBED_MODEL_HPP_
#define ROBCOGEN_ROS__PLUGINS__DESCRIBED_MODEL_HPP_

#include <stdexcept>
#include <string>

#include "robcogen_ros/control/model_check.hpp"
#include "robcogen_ros/control/urdf_record.hpp"
#include "robcogen_ros/plugins/node_parameters.hpp"

namespace robcogen_ros::plugins
{

/// Compares the robot description with the compiled model, as parameter `model_check` says:
/// `strict` (the default), `warn` or `off`; numbers within `model_tolerance`. Where there is no
/// description, there is nothing to compare.
///
/// \tparam Robot the robot's Traits with `compiled_model()`
/// \param given the description handed over; empty: the node's
/// \param warn takes a sentence
/// \throws std::invalid_argument if they differ and the check is strict
template <typename Robot, typename Warn>
void check_description(const NodeParameters & parameters, const std::string & given, Warn warn)
{
  const std::string check = parameters.text("model_check", "strict");
  if (check != "strict" && check != "warn" && check != "off")
  {
    throw std::invalid_argument(
      "model_check: expected 'strict', 'warn' or 'off', found '" + check + "'");
  }
  const std::string text = parameters.robot_description(given);
  if (check == "off" || text.empty())
  {
    return;
  }
  urdf::Model model;
  if (!model.initString(text))
  {
    throw std::invalid_argument("the robot description is not a URDF");
  }
  const control::UrdfRecord record(model);
  const control::ModelComparison comparison(
    Robot::compiled_model(), record.record(), parameters.number("model_tolerance", 1e-6));
  std::string differences;
  for (const std::string & difference : comparison.differences())
  {
    differences += "\n  " + difference;
  }
  if (differences.empty())
  {
    return;
  }
  if (check == "warn")
  {
    warn("the robot description is not what this plugin was generated from:" + differences);
    return;
  }
  throw std::invalid_argument(
    "the robot description is not what this plugin was generated from:" + differences +
    "\ngenerate it anew, or set parameter model_check to 'warn'");
}

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__DESCRIBED_MODEL_HPP_
