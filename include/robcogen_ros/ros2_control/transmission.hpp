// A transmission of ros2_control between the motors and the joints of a robot with loops.
#ifndef ROBCOGEN_ROS__ROS2_CONTROL__TRANSMISSION_HPP_
#define ROBCOGEN_ROS__ROS2_CONTROL__TRANSMISSION_HPP_

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <hardware_interface/types/hardware_interface_type_values.hpp>
#include <transmission_interface/exception.hpp>
#include <transmission_interface/transmission.hpp>

#include "robcogen_ros/core/transmission.hpp"

namespace robcogen_ros::ros2_control
{

/// Transmission between actuators and joints that are called as those of the robot: see
/// core::Transmission.
///
/// Positions, velocities and efforts that both sides have handles of go from one to the other, at
/// the place where positions were given last, by either side. So velocities and efforts alone go
/// one way where positions have come the other way, as states and commands of a hardware component
/// do. Where no loops close, or a number is not finite, what would be given is NaN, which
/// controllers take for missing, and the place stays.
class Transmission : public transmission_interface::Transmission
{
public:
  /// \param model with the functions `joint_positions` and `coordinate_jacobian`
  /// \param gears how far each actuator turns as its joint moves by one, in the order in which
  ///   configure() meets the actuators; none: all 1
  explicit Transmission(const robcogen_model * model, std::vector<double> gears = {})
  : model_(model), gears_(std::move(gears))
  {
  }

  /// \throws transmission_interface::Exception if names are not those of joints, or the two sides
  ///   do not determine each other
  void configure(
    const std::vector<transmission_interface::JointHandle> & joints,
    const std::vector<transmission_interface::ActuatorHandle> & actuators) override
  {
    joints_.take(joints);
    actuators_.take(actuators);
    for (const auto * const names : {&joints_.names, &actuators_.names})
    {
      if (names->empty())
      {
        throw transmission_interface::Exception("a transmission has no joints or no actuators");
      }
    }
    try
    {
      transmission_ =
        std::make_unique<core::Transmission>(model_, actuators_.names, joints_.names, gears_);
    }
    catch (const std::invalid_argument & error)
    {
      throw transmission_interface::Exception(error.what());
    }
  }

  void actuator_to_joint() override
  {
    using Map = core::Transmission;
    move(
      actuators_, joints_, &Map::at_motors, &Map::joint_positions, &Map::joint_velocities,
      &Map::joint_efforts);
  }

  void joint_to_actuator() override
  {
    using Map = core::Transmission;
    move(
      joints_, actuators_, &Map::at_joints, &Map::motor_positions, &Map::motor_velocities,
      &Map::motor_efforts);
  }

  std::size_t num_actuators() const override { return actuators_.names.size(); }
  std::size_t num_joints() const override { return joints_.names.size(); }

private:
  using Vector = core::Transmission::Vector;

  /// The handles of an interface, one a name; none unless all have one.
  template <typename Handle>
  struct Side
  {
    std::vector<std::string> names;
    std::vector<Handle> position, velocity, effort;

    void take(const std::vector<Handle> & handles)
    {
      names.clear();
      for (const Handle & handle : handles)
      {
        if (std::find(names.begin(), names.end(), handle.get_prefix_name()) == names.end())
        {
          names.push_back(handle.get_prefix_name());
        }
      }
      position = of(handles, hardware_interface::HW_IF_POSITION);
      velocity = of(handles, hardware_interface::HW_IF_VELOCITY);
      effort = of(handles, hardware_interface::HW_IF_EFFORT);
    }

    std::vector<Handle> of(const std::vector<Handle> & handles, const char * interface) const
    {
      std::vector<Handle> found;
      for (const std::string & name : names)
      {
        for (const Handle & handle : handles)
        {
          if (
            handle && handle.get_prefix_name() == name && handle.get_interface_name() == interface)
          {
            found.push_back(handle);
            break;
          }
        }
      }
      if (!found.empty() && found.size() != names.size())
      {
        throw transmission_interface::Exception(
          std::string("not all joints or actuators of a transmission have ") + interface);
      }
      return found;
    }
  };

  template <typename Handle>
  static Vector read(const std::vector<Handle> & handles)
  {
    Vector found(static_cast<Eigen::Index>(handles.size()));
    for (std::size_t i = 0; i < handles.size(); ++i)
    {
      found[static_cast<Eigen::Index>(i)] = handles[i].get_value();
    }
    return found;
  }

  template <typename Handle>
  static void write(std::vector<Handle> & handles, const Vector & values)
  {
    for (std::size_t i = 0; i < handles.size(); ++i)
    {
      handles[i].set_value(values[static_cast<Eigen::Index>(i)]);
    }
  }

  template <typename From, typename To, typename At, typename Positions, typename Map>
  void move(
    const Side<From> & from, Side<To> & to, At at, Positions positions, Map velocities, Map efforts)
  {
    if (!transmission_)
    {
      return;
    }
    bool found = true;
    if (!from.position.empty())
    {
      found = (*transmission_.*at)(read(from.position));
      write(to.position, given(found, [&] { return (*transmission_.*positions)(); }));
    }
    if (!from.velocity.empty() && !to.velocity.empty())
    {
      const Vector values = read(from.velocity);
      write(to.velocity, given(found, [&] { return (*transmission_.*velocities)(values); }));
    }
    if (!from.effort.empty() && !to.effort.empty())
    {
      const Vector values = read(from.effort);
      write(to.effort, given(found, [&] { return (*transmission_.*efforts)(values); }));
    }
  }

  template <typename Values>
  Vector given(bool found, const Values & values) const
  {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return found ? values() : Vector(Vector::Constant(transmission_->size(), none));
  }

  const robcogen_model * model_;
  std::vector<double> gears_;
  Side<transmission_interface::JointHandle> joints_;
  Side<transmission_interface::ActuatorHandle> actuators_;
  std::unique_ptr<core::Transmission> transmission_;
};

}  // namespace robcogen_ros::ros2_control

#endif  // ROBCOGEN_ROS__ROS2_CONTROL__TRANSMISSION_HPP_
