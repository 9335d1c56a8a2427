// The motors of a robot: where they are with it, and what their efforts are along its joints.
#ifndef ROBCOGEN_ROS__CORE__MOTORS_HPP_
#define ROBCOGEN_ROS__CORE__MOTORS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/core/joint_set.hpp"
#include "robcogen_ros/core/motor_tables.hpp"
#include "robcogen_ros/core/runtime_model.hpp"

namespace robcogen_ros::core
{

/// The motors of a robot, on their side of the gears: as many as there are, be they more or fewer
/// than its coordinates. All functions but the constructor allocate nothing, lock nothing and throw
/// nothing.
///
/// \throws std::invalid_argument that says what the robot lacks
class Motors
{
public:
  using Vector = RuntimeModel::JointVector;

  /// \param model with `joint_positions` and `coordinate_jacobian`, where a motor moves a joint
  /// that
  ///   follows others
  explicit Motors(const robcogen_model * model)
  : names_(names_of(checked(model))),
    set_(*model, names_, std::vector<double>(model->gears, model->gears + model->motor_count)),
    robot_(made(model, set_.is_coordinates())),
    speeds_(Eigen::Map<const Vector>(model->motor_velocity_limits, size())),
    limits_(Eigen::Map<const Vector>(model->motor_effort_limits, size()))
  {
  }

  int size() const noexcept { return static_cast<int>(names_.size()); }
  /// Names of the joints that they move.
  const std::vector<std::string> & names() const noexcept { return names_; }
  const JointSet & joints() const noexcept { return set_; }
  /// Returns true if each moves a coordinate of its own.
  bool are_coordinates() const noexcept { return set_.is_coordinates(); }
  const Vector & velocity_limits() const noexcept { return speeds_; }  ///< [rad/s or m/s]
  const Vector & effort_limits() const noexcept { return limits_; }    ///< [N m or N]

  /// Positions of motors, NaN where no loops close [rad or m].
  Vector positions(const Vector & q) const noexcept
  {
    if (!are_coordinates())
    {
      return set_.positions(robot_.joint_positions(q));
    }
    return each([&q](double gear, int k) { return gear * q[k]; });
  }

  /// Velocities of motors [rad/s or m/s].
  Vector velocities(const Vector & q, const Vector & qd) const noexcept
  {
    if (are_coordinates())
    {
      return each([&qd](double gear, int k) { return gear * qd[k]; });
    }
    const Vector rates = robot_.coordinate_jacobian(q) * qd;
    Vector found(size());
    for (int i = 0; i < size(); ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      found[i] = set_.gears[row] * rates[set_.rows[row]];
    }
    return found;
  }

  /// Efforts along the coordinates, of those of motors [N m or N].
  Vector joint_efforts(const Vector & q, const Vector & efforts) const noexcept
  {
    Vector found = Vector::Zero(q.size());
    for (int i = 0; i < size() && are_coordinates(); ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      found[set_.coordinates[row]] += set_.gears[row] * efforts[i];
    }
    if (!are_coordinates())
    {
      const RuntimeModel::Matrix G = robot_.coordinate_jacobian(q);
      for (int i = 0; i < size(); ++i)
      {
        const auto row = static_cast<std::size_t>(i);
        found += set_.gears[row] * efforts[i] * G.row(set_.rows[row]).transpose();
      }
    }
    return found;
  }

  /// Returns the efforts that motors can give; zero for one that is no number.
  Vector given(Vector efforts) const noexcept
  {
    for (int i = 0; i < size(); ++i)
    {
      efforts[i] =
        std::isfinite(efforts[i]) ? std::clamp(efforts[i], -limits_[i], limits_[i]) : 0.0;
    }
    return efforts;
  }

private:
  static const robcogen_model & checked(const robcogen_model * model)
  {
    if (!has_motors(*model))
    {
      throw std::invalid_argument(
        "the robot was generated before its motors were told; do it again");
    }
    if (model->motor_count > static_cast<std::size_t>(RuntimeModel::most_joints))
    {
      throw std::invalid_argument("there is no room for so many motors");
    }
    return *model;
  }

  static std::vector<std::string> names_of(const robcogen_model & model)
  {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < model.motor_count; ++i)
    {
      names.emplace_back(model.moving_joint_names[model.motor_joints[i]]);
    }
    return names;
  }

  static RuntimeModel made(const robcogen_model * model, bool are_coordinates)
  {
    if (are_coordinates)
    {
      return RuntimeModel(model, {});
    }
    try
    {
      return RuntimeModel(model, {"joint_positions", "coordinate_jacobian"});
    }
    catch (const std::invalid_argument & error)
    {
      throw std::invalid_argument(
        std::string("robot '") + model->name +
        "': motors that move joints which follow others need the functions joint_positions and "
        "coordinate_jacobian (" +
        error.what() + ")");
    }
  }

  /// A number a motor, of its gear and the number of its coordinate.
  template <typename Of>
  Vector each(const Of & of) const noexcept
  {
    Vector found(size());
    for (int i = 0; i < size(); ++i)
    {
      const auto row = static_cast<std::size_t>(i);
      found[i] = of(set_.gears[row], set_.coordinates[row]);
    }
    return found;
  }

  const std::vector<std::string> names_;
  const JointSet set_;
  const RuntimeModel robot_;
  const Vector speeds_, limits_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__MOTORS_HPP_
