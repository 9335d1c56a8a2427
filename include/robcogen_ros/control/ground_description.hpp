// The ground of a simulated robot, and where the robot starts, as the parameters of its hardware
// say.
#ifndef ROBCOGEN_ROS__CONTROL__GROUND_DESCRIPTION_HPP_
#define ROBCOGEN_ROS__CONTROL__GROUND_DESCRIPTION_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

#include "robcogen_ros/ground/settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/number.hpp"
#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::control
{

/// Parameters by name, as `<param>` tags of `<hardware>` give them.
using HardwareParameters = std::unordered_map<std::string, std::string>;

/// What a world for a robot is described by. docs/simulated_robot.md lists the parameters.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class GroundDescription
{
public:
  /// \throws std::invalid_argument that says which parameter is wrong and what is expected
  explicit GroundDescription(const HardwareParameters & given) : given_(given)
  {
    numbers("plane_point", settings_.plane.point);
    numbers("plane_normal", settings_.plane.normal);
    numbers("plane_friction", settings_.plane.friction);
    numbers("plane_restitution", settings_.plane.restitution);
    numbers("gravity", settings_.gravity);
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      const std::string foot = Robot::contact_names[i];
      numbers(foot + ".radius", settings_.feet[static_cast<std::size_t>(i)].radius);
      numbers(foot + ".sole", settings_.feet[static_cast<std::size_t>(i)].sole);
    }
    Eigen::Vector3d position = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
    if (numbers("initial_base_position", position))
    {
      position_ = position;
    }
    numbers("initial_base_orientation", turn);
    orientation_ = Eigen::AngleAxisd(turn.z(), Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(turn.y(), Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(turn.x(), Eigen::Vector3d::UnitX());
    refuse_others();
    check();
  }

  const ground::Settings<Robot> & settings() const noexcept { return settings_; }

  /// The robot at rest, with its joints somewhere. Its base is where it is told to be, else where
  /// its lowest foot touches the plane, above `plane_point`.
  ground::State<Robot> start(const typename Robot::JointVector & q) const noexcept
  {
    ground::State<Robot> state;
    state.q = q;
    state.orientation = orientation_;
    state.position = position_ ? *position_ : settings_.plane.point;
    if (!position_)
    {
      const Eigen::Vector3d normal = settings_.plane.normal.normalized();
      const double steepness = normal.z() > 0.1 ? normal.z() : 1.0;
      const Eigen::Vector3d up = normal.z() > 0.1 ? Eigen::Vector3d::UnitZ().eval() : normal;
      state.position -= lowest(state) / steepness * up;
    }
    return state;
  }

  /// How far the lowest point of the feet is above the plane [m].
  double lowest(const ground::State<Robot> & state) const noexcept
  {
    const auto function = [](const auto &... all) { return Robot::kinematics(all...); };
    const auto kinematics = with_constants<Robot>(settings_.constants, function, state.q);
    const Eigen::Vector3d normal = settings_.plane.normal.normalized();
    double result = std::numeric_limits<double>::infinity();
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      const auto frame = static_cast<typename Robot::Frame>(Robot::contacts[i].frame);
      const ground::Foot & foot = settings_.feet[static_cast<std::size_t>(i)];
      for (int corner = 0; corner < (foot.flat() ? 4 : 1); ++corner)
      {
        const Eigen::Vector3d point = kinematics.pose(frame) * foot.sole.col(corner);
        const Eigen::Vector3d above =
          state.position + state.orientation * point - settings_.plane.point;
        result = std::min(result, normal.dot(above) - foot.radius);
      }
    }
    return result;
  }

private:
  /// Takes over the numbers of a parameter; returns whether it is given.
  template <typename Numbers>
  bool numbers(const std::string & name, Numbers & to)
  {
    known_.push_back(name);
    const auto found = given_.find(name);
    if (found == given_.end())
    {
      return false;
    }
    double * first = nullptr;
    std::size_t size = 1;
    if constexpr (std::is_same_v<Numbers, double>)
    {
      first = &to;
    }
    else
    {
      first = to.data();
      size = static_cast<std::size_t>(to.size());
    }
    const parameters::Words words = parameters::words_of(found->second);
    if (words.size() != size)
    {
      throw std::invalid_argument(
        name + ": expected " + std::to_string(size) + (size == 1 ? " number" : " numbers") +
        ", found '" + found->second + "'");
    }
    for (const std::string & word : words)
    {
      try
      {
        *first++ = number(word);
      }
      catch (const std::invalid_argument & error)
      {
        throw std::invalid_argument(name + ": " + error.what());
      }
    }
    return true;
  }

  void refuse_others() const
  {
    for (const auto & [name, value] : given_)
    {
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
      {
        std::string text = "the simulated robot has no parameter '" + name + "'; it has";
        for (const std::string & word : known_)
        {
          text += " " + word;
        }
        throw std::invalid_argument(text);
      }
    }
  }

  void check() const
  {
    if (!settings_.plane.valid())
    {
      throw std::invalid_argument(
        "plane: expected a normal that is not zero, plane_friction of at least 0, "
        "plane_restitution from 0 to 1");
    }
    if (!settings_.valid())
    {
      throw std::invalid_argument("expected radii of at least 0 and finite numbers");
    }
    for (int i = 0; i < Robot::contact_count; ++i)
    {
      const bool sole = settings_.feet[static_cast<std::size_t>(i)].flat();
      if (sole && Robot::contacts[i].rows() != 6)
      {
        throw std::invalid_argument(
          std::string(Robot::contact_names[i]) +
          ".sole: the contact is a point; generate the robot with CONTACTS " +
          Robot::contact_names[i] + ":pose");
      }
    }
  }

  const HardwareParameters & given_;
  parameters::Words known_;
  ground::Settings<Robot> settings_;
  std::optional<Eigen::Vector3d> position_;
  Eigen::Quaterniond orientation_ = Eigen::Quaterniond::Identity();
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__GROUND_DESCRIPTION_HPP_
