#include "robcogen_ros/ros2_control/effort_controller.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "robcogen_ros/control/urdf_record.hpp"
#include "robcogen_ros/core/motor_space.hpp"

namespace robcogen_ros::ros2_control
{

using controller_interface::interface_configuration_type;

template <typename Base>
auto ConfiguredController<Base>::on_init() -> CallbackReturn
{
  try
  {
    parameters_ = &declare();
  }
  catch (const std::exception & error)
  {
    RCLCPP_ERROR(this->get_node()->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

template <typename Base>
controller_interface::InterfaceConfiguration
ConfiguredController<Base>::state_interface_configuration() const
{
  std::vector<std::string> names;
  each_state([&names](const std::string & name, double &) { names.push_back(name); });
  return {interface_configuration_type::INDIVIDUAL, names};
}

template <typename Base>
auto ConfiguredController<Base>::on_configure(const State &) -> CallbackReturn
{
  parameters_->configure();
  if (is_set_up())
  {
    return CallbackReturn::SUCCESS;
  }
  tear_down();
  parameters_->release();
  return CallbackReturn::FAILURE;
}

template <typename Base>
auto ConfiguredController<Base>::on_cleanup(const State &) -> CallbackReturn
{
  tear_down();
  parameters_->release();
  return CallbackReturn::SUCCESS;
}

template <typename Base>
auto ConfiguredController<Base>::on_error(const State & state) -> CallbackReturn
{
  parameters_->set_active(false);
  return on_cleanup(state);
}

template <typename Base>
auto ConfiguredController<Base>::on_activate(const State &) -> CallbackReturn
{
  sources_.clear();
  forget_states();
  each_state([this](const std::string & name, double & value)
             { sources_.bind(this->state_interfaces_, name, value); });
  const std::string problem = sources_.problem().empty() ? bind_commands() : sources_.problem();
  if (!problem.empty())
  {
    RCLCPP_ERROR(this->get_node()->get_logger(), "%s", problem.c_str());
    return CallbackReturn::ERROR;
  }
  parameters_->set_active(true);
  begin();
  return CallbackReturn::SUCCESS;
}

template <typename Base>
auto ConfiguredController<Base>::on_deactivate(const State &) -> CallbackReturn
{
  end();
  parameters_->set_active(false);
  return CallbackReturn::SUCCESS;
}

template <typename Base>
bool ConfiguredController<Base>::is_set_up()
{
  try
  {
    return set_up();
  }
  catch (const std::exception & error)
  {
    RCLCPP_ERROR(this->get_node()->get_logger(), "%s", error.what());
    return false;
  }
}

template class ConfiguredController<controller_interface::ControllerInterface>;
template class ConfiguredController<versions::ChainableController>;

controller_interface::InterfaceConfiguration EffortController::command_interface_configuration()
  const
{
  return {interface_configuration_type::INDIVIDUAL, commands()};
}

std::vector<hardware_interface::CommandInterface> EffortController::on_export_reference_interfaces()
{
  const Words names = references();
  reference_interfaces_.assign(names.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<hardware_interface::CommandInterface> result;
  ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    result.emplace_back(get_node()->get_name(), names[i], &reference_interfaces_[i]);
  }
  ROBCOGEN_ROS_OLD_INTERFACES_END
  return result;
}

bool EffortController::on_set_chained_mode(bool)
{
  forget_references();
  return true;
}

std::string EffortController::bind_commands()
{
  places_.clear();
  std::string problem;
  for (const std::string & name : commands())
  {
    places_.push_back(control::place_of(command_interfaces_, name));
    problem =
      problem.empty() ? control::problem_of(command_interfaces_, places_.back(), name) : problem;
  }
  return problem;
}

void EffortController::begin()
{
  forget_references();
  if (motors_)
  {
    motors_->forget();
  }
  activate();
}

void EffortController::end()
{
  part();
  forget_references();
  const std::string reason = failure();
  if (!reason.empty())
  {
    RCLCPP_ERROR(get_node()->get_logger(), "control has ended: %s", reason.c_str());
  }
}

bool EffortController::is_compiled_model(
  const std::string & check, double tolerance, const std::string & description) const
{
  const auto logger = get_node()->get_logger();
  if (check == "off")
  {
    return true;
  }
  const bool strict = check == "strict";
  const std::string handed = versions::description(*this);
  const std::string & text = handed.empty() ? description : handed;
  urdf::Model model;
  if (text.empty() || !model.initString(text))
  {
    RCLCPP_ERROR(
      logger, "no robot description to compare with the compiled model: %s",
      text.empty() ? "the controller manager has none yet" : "it is not a URDF");
    return !strict;
  }
  const control::UrdfRecord given(model);
  const control::ModelComparison comparison(robot().record(), given.record(), tolerance);
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

EffortController::Words EffortController::each_of(const Words & names, const Words & kinds)
{
  Words result;
  for (const std::string & kind : kinds)
  {
    for (const std::string & name : names)
    {
      result.push_back(name + "/" + kind);
    }
  }
  return result;
}

EffortController::Words EffortController::joints() const
{
  const char * const * const names = robot().model->joint_names;
  return {names, names + robot().model->joint_count};
}

EffortController::Words EffortController::measured() const
{
  return motors_ ? motors_->motors().names() : joints();
}

void EffortController::use(const std::string & space)
{
  motors_ = space == "motor" ? std::make_shared<core::MotorSpace>(robot().model) : nullptr;
}

void EffortController::write(const double * values, std::size_t block)
{
  const std::size_t count = robot().model->joint_count;
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::size_t place = places_[block * count + i];
    unwritten_ += control::write_number(command_interfaces_[place], values[i]) ? 0U : 1U;
  }
}

void EffortController::forget_references()
{
  forget_topics();
  std::fill(
    reference_interfaces_.begin(), reference_interfaces_.end(),
    std::numeric_limits<double>::quiet_NaN());
}

}  // namespace robcogen_ros::ros2_control
