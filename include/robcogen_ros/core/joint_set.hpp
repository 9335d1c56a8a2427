// Some of the joints of a robot that move, by their numbers, each with the gear of its motor.
#ifndef ROBCOGEN_ROS__CORE__JOINT_SET_HPP_
#define ROBCOGEN_ROS__CORE__JOINT_SET_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/core/runtime_model.hpp"

namespace robcogen_ros::core
{

/// Joints of one side of a transmission.
struct JointSet
{
  using Vector = RuntimeModel::JointVector;

  std::vector<int> rows;         ///< numbers among the joints that move
  std::vector<double> gears;     ///< how far a motor turns as its joint moves by one
  std::vector<int> coordinates;  ///< of each the coordinate that it is, or -1

  /// \param given gears; none: all 1
  /// \throws std::invalid_argument that says which name or gear is wrong
  JointSet(
    const robcogen_model & model, const std::vector<std::string> & names,
    const std::vector<double> & given = {})
  : gears(given.empty() ? std::vector<double>(names.size(), 1.0) : given)
  {
    for (const std::string & name : names)
    {
      const int row = place(model.moving_joint_names, model.moving_joint_count, name);
      if (row < 0)
      {
        throw std::invalid_argument(
          std::string("robot '") + model.name + "' has no moving joint '" + name + "'");
      }
      if (std::find(rows.begin(), rows.end(), row) != rows.end())
      {
        throw std::invalid_argument("joint '" + name + "' is twice in a transmission");
      }
      rows.push_back(row);
      coordinates.push_back(place(model.joint_names, model.joint_count, name));
    }
    const auto wrong = [](double gear) { return !std::isfinite(gear) || gear == 0.0; };
    if (gears.size() != names.size() || std::any_of(gears.begin(), gears.end(), wrong))
    {
      throw std::invalid_argument("a transmission needs a gear other than 0 for each motor");
    }
  }

  /// Positions beyond gears, from those of all joints that move.
  Vector positions(const RuntimeModel::Vector & all) const noexcept
  {
    Vector found(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
      found[static_cast<Eigen::Index>(i)] = gears[i] * all[rows[i]];
    }
    return found;
  }

  /// Returns true if each joint is a coordinate.
  bool is_coordinates() const noexcept
  {
    return std::find(coordinates.begin(), coordinates.end(), -1) == coordinates.end();
  }

  /// Names one after another.
  static std::string listed(const std::vector<std::string> & names)
  {
    std::string text;
    for (const std::string & name : names)
    {
      text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  }

private:
  static int place(const char * const * names, std::size_t count, const std::string & name)
  {
    const auto * const found = std::find(names, names + count, name);
    return found == names + count ? -1 : static_cast<int>(found - names);
  }
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__JOINT_SET_HPP_
