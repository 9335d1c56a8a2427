// Control of a robot by what its motors tell, in commands that they take.
#ifndef ROBCOGEN_ROS__CORE__MOTOR_SPACE_HPP_
#define ROBCOGEN_ROS__CORE__MOTOR_SPACE_HPP_

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/control/saturation.hpp"
#include "robcogen_ros/core/motors.hpp"
#include "robcogen_ros/core/transmission.hpp"

namespace robcogen_ros::core
{

/// Stands between a controller of a robot's coordinates, whose references and gains are those of
/// these, and as many motors, which are measured and commanded. All functions but the constructor
/// allocate nothing, lock nothing and throw nothing.
class MotorSpace
{
public:
  using Vector = RuntimeModel::JointVector;
  using Command = control::Command<RuntimeModel>;

  /// \throws std::invalid_argument that says why motors do not determine the coordinates
  explicit MotorSpace(const robcogen_model * model)
  : motors_(model),
    read_position_(Vector::Constant(motors_.size(), unknown)),
    read_velocity_(read_position_)
  {
    if (model->motor_count != model->joint_count)
    {
      throw std::invalid_argument(
        std::string("robot '") + model->name + "' has " + std::to_string(model->motor_count) +
        " motors (" + JointSet::listed(motors_.names()) + ") for " +
        std::to_string(model->joint_count) + " coordinates: motors cannot control it alone");
    }
    if (!motors_.are_coordinates())
    {
      const std::vector<std::string> joints(
        model->joint_names, model->joint_names + model->joint_count);
      transmission_.emplace(
        model, motors_.names(), joints,
        std::vector<double>(model->gears, model->gears + model->motor_count));
    }
  }

  const Motors & motors() const noexcept { return motors_; }

  /// Forgets all readings of motors.
  void forget() noexcept
  {
    read_position_.setConstant(unknown);
    read_velocity_.setConstant(unknown);
  }

  /// Makes readings of the coordinates of those of motors, NaN where there are none, which may come
  /// one after another: once all have come, for one call; until then, and where no loops close,
  /// NaN.
  ///
  /// \param position [rad or m]
  /// \param velocity NaN too where motors tell none [rad/s or m/s]
  void to_joints(Vector & position, Vector & velocity) noexcept
  {
    for (int i = 0; i < motors_.size(); ++i)
    {
      if (std::isfinite(position[i]))
      {
        read_position_[i] = position[i];
        read_velocity_[i] = velocity[i];
      }
    }
    position.setConstant(unknown);
    velocity.setConstant(unknown);
    if (read_position_.allFinite())
    {
      find(position, velocity);
      forget();
    }
  }

  /// Efforts of motors, within their limits, for those along the coordinates where the robot is.
  /// Beyond them all that exceeds what carries the weight is scaled alike.
  ///
  /// \param most greatest efforts of motors beside those of the model [N m or N]
  Command of_motors(const Command & joints, const Vector & most) const noexcept
  {
    const Vector limits = motors_.effort_limits().cwiseMin(most);
    Command result = joints;
    const Vector gravity = efforts(joints.gravity);
    result.effort = efforts(joints.effort);
    result.scale *= control::saturate(result.effort, gravity, limits);
    result.gravity = gravity.cwiseMin(limits).cwiseMax(-limits);
    return result;
  }

  /// Greatest effort along each coordinate while the others have none, where the robot is.
  Vector joint_limits(const Vector & most) const noexcept
  {
    const Vector limits = motors_.effort_limits().cwiseMin(most);
    Vector found = limits;
    if (transmission_)
    {
      found = transmission_->joint_effort_limits(limits);
    }
    for (int i = 0; i < motors_.size() && !transmission_; ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      found[motors_.joints().coordinates[row]] = std::abs(motors_.joints().gears[row]) * limits[i];
    }
    return found.cwiseMax(1e-6);  // none at a dead centre
  }

  /// Efforts of motors of a robot on legs, each of which gives what it can.
  Vector of_motors(const Vector & joints, const Vector & most) const noexcept
  {
    const Vector limits = motors_.effort_limits().cwiseMin(most);
    return efforts(joints).cwiseMin(limits).cwiseMax(-limits);
  }

private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  void find(Vector & position, Vector & velocity) noexcept
  {
    if (transmission_)
    {
      if (transmission_->at_motors(read_position_))
      {
        position = transmission_->joint_positions();
        velocity = transmission_->joint_velocities(read_velocity_);
      }
      return;
    }
    for (int i = 0; i < motors_.size(); ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      const int k = motors_.joints().coordinates[row];
      position[k] = read_position_[i] / motors_.joints().gears[row];
      velocity[k] = read_velocity_[i] / motors_.joints().gears[row];
    }
  }

  Vector efforts(const Vector & joints) const noexcept
  {
    if (transmission_)
    {
      return transmission_->motor_efforts(joints);
    }
    Vector found(motors_.size());
    for (int i = 0; i < motors_.size(); ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      found[i] = joints[motors_.joints().coordinates[row]] / motors_.joints().gears[row];
    }
    return found;
  }

  const Motors motors_;
  std::optional<Transmission> transmission_;
  Vector read_position_, read_velocity_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__MOTOR_SPACE_HPP_
