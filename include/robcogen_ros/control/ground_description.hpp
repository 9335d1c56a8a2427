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

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/ground/sensors.hpp"
#include "robcogen_ros/ground/settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/number.hpp"
#include "robcogen_ros/parameters/simulated_ground.hpp"

namespace robcogen_ros::control
{

/// Parameters by name, as `<param>` tags of `<hardware>` give them.
using HardwareParameters = std::unordered_map<std::string, std::string>;

/// Parameters that describe a world for a robot. docs/simulated_robot.md lists them.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class GroundDescription
{
public:
  /// \throws std::invalid_argument that says which parameter is wrong and what is expected
  explicit GroundDescription(const HardwareParameters & given, const Robot & robot = Robot())
  : robot_(robot), settings_(robot)
  {
    const auto lookup = [this, &given](std::string_view name) { return find(given, name); };
    const auto known = parameters::read<parameters::SimulatedGround>(lookup);
    settings_.plane.point = vector(known.plane_point);
    settings_.plane.normal = vector(known.plane_normal);
    settings_.plane.friction = known.plane_friction;
    settings_.plane.restitution = known.plane_restitution;
    settings_.gravity = vector(known.gravity);
    sensors_ = ground::SensorSettings(known);
    imu_name_ = known.imu_name;
    put_imu(known.imu_frame);
    if (!known.initial_base_position.empty())
    {
      position_ = vector(known.initial_base_position);
    }
    const Eigen::Vector3d turn = vector(known.initial_base_orientation);
    orientation_ = Eigen::AngleAxisd(turn.z(), Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(turn.y(), Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(turn.x(), Eigen::Vector3d::UnitX());
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const std::string foot = foot_name(robot_.contact_names[i]);
      ground::Foot & shape = settings_.feet[static_cast<std::size_t>(i)];
      take_over(given, foot + ".radius", 0.0, shape.radius);
      parameters::Numbers sole(shape.sole.data(), shape.sole.data() + shape.sole.size());
      take_over(given, foot + ".sole", -parameters::endless, sole);
      std::copy(sole.begin(), sole.end(), shape.sole.data());
    }
    refuse_others(given);
    check();
  }

  const ground::Settings<Robot> & settings() const noexcept { return settings_; }
  const ground::SensorSettings & sensors() const noexcept { return sensors_; }
  const std::string & imu_name() const noexcept { return imu_name_; }

  /// The robot at rest, with its joints somewhere. Its base is where it is told to be, else where
  /// its lowest foot touches the plane, above `plane_point`.
  ground::State<Robot> start(const typename Robot::JointVector & q) const noexcept
  {
    ground::State<Robot> state(robot_);
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

  /// Returns the height of the feet's lowest point above the plane [m].
  double lowest(const ground::State<Robot> & state) const noexcept
  {
    const auto function = [this](const auto &... all) { return robot_.kinematics(all...); };
    const auto kinematics = with_constants<Robot>(settings_.constants, function, state.q);
    const Eigen::Vector3d normal = settings_.plane.normal.normalized();
    double result = std::numeric_limits<double>::infinity();
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const auto frame = static_cast<typename Robot::Frame>(robot_.contacts[i].frame);
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
  static Eigen::Vector3d vector(const parameters::Numbers & numbers)
  {
    return Eigen::Vector3d(numbers.data());
  }

  void put_imu(const std::string & frame)
  {
    if (frame.empty())
    {
      return;
    }
    int number = 0;
    while (number < robot_.frame_count && frame != robot_.frame_names[number])
    {
      ++number;
    }
    if (number == robot_.frame_count || robot_.frame_links[number] != 0)
    {
      throw std::invalid_argument(
        "imu_frame: expected a frame of the base link, found '" + frame + "'");
    }
    sensors_.put_imu(robot_, number, settings_.constants);
  }

  /// The numbers of a parameter, one of which is no list, or the text of a name; nothing if it is
  /// not given.
  std::optional<parameters::Value> find(const HardwareParameters & given, std::string_view name)
  {
    known_.emplace_back(name);
    const auto found = given.find(known_.back());
    if (found == given.end())
    {
      return std::nullopt;
    }
    if (name == "imu_name" || name == "imu_frame")
    {
      return parameters::Value(found->second);
    }
    parameters::Numbers numbers;
    for (const std::string & word : parameters::words_of(found->second))
    {
      try
      {
        numbers.push_back(number(word));
      }
      catch (const std::invalid_argument & error)
      {
        throw std::invalid_argument(known_.back() + ": " + error.what());
      }
    }
    return numbers.size() == 1 ? parameters::Value(numbers[0]) : parameters::Value(numbers);
  }

  /// Takes over what is given of a foot: as many numbers as there are.
  template <typename Held>
  void take_over(
    const HardwareParameters & given, const std::string & name, double least, Held & to)
  {
    std::size_t size = 0;
    if constexpr (!std::is_same_v<Held, double>)
    {
      size = to.size();
    }
    const auto change = parameters::Change::unconfigured;
    const parameters::Entry entry{name, change, least, parameters::endless, false, size, "", ""};
    if (const std::optional<parameters::Value> value = find(given, name))
    {
      parameters::take_over(entry, *value, to);
    }
  }

  void refuse_others(const HardwareParameters & given) const
  {
    for (const auto & [old, successor] : parameters::SimulatedGround::refused)
    {
      if (given.count(std::string(old)) > 0)
      {
        throw std::invalid_argument(
          std::string(old) + ": use " + std::string(successor) + " instead");
      }
    }
    for (const auto & [name, value] : given)
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
      throw std::invalid_argument("plane_normal: expected a normal that is not zero");
    }
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const bool sole = settings_.feet[static_cast<std::size_t>(i)].flat();
      if (sole && robot_.contacts[i].rows() != 6)
      {
        throw std::invalid_argument(
          foot_name(robot_.contact_names[i]) +
          ".sole: the contact is a point; generate the robot with CONTACTS " +
          foot_name(robot_.contact_names[i]) + ":pose");
      }
    }
  }

  const Robot robot_;
  parameters::Words known_;
  ground::Settings<Robot> settings_;
  ground::SensorSettings sensors_;
  std::string imu_name_;
  std::optional<Eigen::Vector3d> position_;
  Eigen::Quaterniond orientation_ = Eigen::Quaterniond::Identity();
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__GROUND_DESCRIPTION_HPP_
