// What controllers of ros2_control that command efforts have in common.
#ifndef ROBCOGEN_ROS__CONTROL__EFFORT_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__EFFORT_CONTROLLER_HPP_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "robcogen_ros/control/compiled_model.hpp"
#include "robcogen_ros/control/configured_controller.hpp"
#include "robcogen_ros/control/ros2_control_versions.hpp"

namespace robcogen_ros::control
{

using parameters::Words;

/// A chainable controller of one robot, which it compares with its description. It leaves the robot
/// with an effort when it ends.
///
/// \tparam Robot the Traits of a generated robot, with compiled_model()
template <typename Robot, typename Configuration, typename Readings>
class EffortController
: public ConfiguredController<versions::ChainableController, Robot, Configuration, Readings>
{
public:
  using JointVector = typename Robot::JointVector;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override
  {
    return {controller_interface::interface_configuration_type::INDIVIDUAL, commands()};
  }

protected:
  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces() override
  {
    const Words names = references();
    this->reference_interfaces_.assign(names.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<hardware_interface::CommandInterface> result;
    ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
    for (std::size_t i = 0; i < names.size(); ++i)
    {
      result.emplace_back(this->get_node()->get_name(), names[i], &this->reference_interfaces_[i]);
    }
    ROBCOGEN_ROS_OLD_INTERFACES_END
    return result;
  }

  bool on_set_chained_mode(bool) override
  {
    forget_references();
    return true;
  }

  std::string bind_commands() override
  {
    places_.clear();
    std::string problem;
    for (const std::string & name : commands())
    {
      places_.push_back(place_of(this->command_interfaces_, name));
      problem =
        problem.empty() ? problem_of(this->command_interfaces_, places_.back(), name) : problem;
    }
    return problem;
  }

  bool set_up() override
  {
    return is_compiled_model<Robot>(*this, this->parameters()) && set_up_control();
  }

  void begin() override
  {
    forget_references();
    activate();
  }

  void end() override
  {
    part();
    forget_references();
    const std::string reason = failure();
    if (!reason.empty())
    {
      RCLCPP_ERROR(this->get_node()->get_logger(), "control has ended: %s", reason.c_str());
    }
  }

  /// Names of command interfaces, in blocks of of_joints().
  virtual Words commands() const = 0;
  /// Names of reference interfaces, after that of the controller.
  virtual Words references() const = 0;
  virtual bool set_up_control() = 0;
  virtual void activate() = 0;
  /// Writes what the robot is left with.
  virtual void part() = 0;
  /// Why control has ended by itself; empty if it has not.
  virtual std::string failure() const = 0;
  /// Does not follow what topics have said so far.
  virtual void forget_topics() = 0;

  /// `<joint>/<kind>` of each joint, for one kind after the other.
  static Words of_joints(const Words & kinds)
  {
    Words names;
    for (const std::string & kind : kinds)
    {
      for (int i = 0; i < Robot::joint_count; ++i)
      {
        names.push_back(std::string(Robot::joint_names[i]) + "/" + kind);
      }
    }
    return names;
  }

  /// Writes the values of a block of commands().
  void write(const JointVector & values, std::size_t block = 0)
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::size_t place = places_[block * Robot::joint_count + static_cast<std::size_t>(i)];
      unwritten_ += write_number(this->command_interfaces_[place], values(i)) ? 0U : 1U;
    }
  }

  /// How often an interface could not be written.
  std::uint64_t unwritten() const noexcept { return unwritten_; }

private:
  /// Does not follow what topics or a controller in front have said so far.
  void forget_references()
  {
    forget_topics();
    std::fill(
      this->reference_interfaces_.begin(), this->reference_interfaces_.end(),
      std::numeric_limits<double>::quiet_NaN());
  }

  std::vector<std::size_t> places_;
  std::uint64_t unwritten_ = 0;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__EFFORT_CONTROLLER_HPP_
