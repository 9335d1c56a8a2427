// The ground, and the feet that stand on it.
#ifndef ROBCOGEN_ROS__GROUND__SETTINGS_HPP_
#define ROBCOGEN_ROS__GROUND__SETTINGS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// A plane that is rough and hard.
struct Plane
{
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< any point of it, in the world [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< upwards, of any length but zero
  double friction = 0.6;                              ///< coefficient of Coulomb friction
  double restitution = 0.0;  ///< impulses of restitution per impulses of compression, 0 to 1

  bool valid() const noexcept
  {
    return point.allFinite() && normal.allFinite() && normal.norm() > 0.0 && friction >= 0.0 &&
           std::isfinite(friction) && restitution >= 0.0 && restitution <= 1.0;
  }

  /// Rotation from world axes to those of the ground: its normal is the last row.
  Eigen::Matrix3d axes() const noexcept
  {
    const Eigen::Vector3d n = normal.normalized();
    Eigen::Vector3d x = Eigen::Vector3d::UnitX();
    x = std::abs(n.x()) < 0.9 ? x : Eigen::Vector3d(Eigen::Vector3d::UnitY());
    x = (x - n * n.dot(x)).normalized();
    Eigen::Matrix3d result;
    result << x.transpose(), n.cross(x).transpose(), n.transpose();
    return result;
  }
};

/// The shape of a foot.
///
/// A foot has a flat sole, which only one can have whose contact is a pose, or is a ball that
/// rolls, or without a radius a point.
struct Foot
{
  double radius = 0.0;  ///< of the ball about the frame's origin [m]
  /// Corners of the sole, one after the other along its border, in the foot's frame [m].
  Eigen::Matrix<double, 3, 4> sole = Eigen::Matrix<double, 3, 4>::Zero();

  bool flat() const noexcept { return !sole.isZero(0.0); }
  bool is_ball() const noexcept { return radius > 0.0 && !flat(); }
};

/// Reasons to refuse settings.
constexpr const char * setting_problems[] = {
  "plane_point: expected finite numbers",
  "plane_normal: expected a vector of finite length, not zero",
  "friction: expected a finite number, 0 or more",
  "restitution: expected 0 to 1",
  "gravity: expected finite numbers",
  "damping: expected finite numbers, 0 or more",
  "joint_friction: expected finite numbers, 0 or more",
  "radii: expected finite numbers, 0 or more",
  "soles: expected finite numbers",
};

/// A world for a robot.
///
/// \tparam Robot the Traits of a generated robot with contacts
template <typename Robot>
struct Settings
{
  Robot robot;
  Plane plane;
  Eigen::Vector3d gravity = standard_gravity();  ///< in the world [m/s^2]
  std::array<Foot, SizesOf<Robot>::most_contacts> feet{};
  typename Robot::JointVector damping;   ///< viscous friction [N m s/rad, N s/m]
  typename Robot::JointVector friction;  ///< dry friction [N m, N]
  bool stops = true;                     ///< whether joints stop at their position limits
  typename ConstantsOf<Robot>::Type constants{};

  Settings() : Settings(Robot()) {}
  explicit Settings(const Robot & given)
  : robot(given), damping(robot.joint_count), friction(robot.joint_count)
  {
    for (int i = 0; i < robot.joint_count; ++i)
    {
      damping(i) = robot.damping[i];
      friction(i) = robot.friction[i];
    }
  }

  bool has_balls() const noexcept
  {
    return std::any_of(feet.begin(), feet.end(), [](const Foot & foot) { return foot.is_ball(); });
  }

  bool has_soles() const noexcept
  {
    return std::any_of(feet.begin(), feet.end(), [](const Foot & foot) { return foot.flat(); });
  }

  /// True if all numbers are finite and in their ranges.
  bool valid() const noexcept { return problem() < 0; }

  /// The first of setting_problems that there is; -1 if there is none.
  int problem() const noexcept
  {
    const auto amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
    const auto amounts = [](const auto & all)
    { return all.allFinite() && (all.array() >= 0.0).all(); };
    const bool good[] = {
      plane.point.allFinite(),
      plane.normal.allFinite() && plane.normal.norm() > 0.0,
      amount(plane.friction),
      plane.restitution >= 0.0 && plane.restitution <= 1.0,
      gravity.allFinite(),
      amounts(damping),
      amounts(friction),
      std::all_of(feet.begin(), feet.end(), [&](const Foot & foot) { return amount(foot.radius); }),
      std::all_of(
        feet.begin(), feet.end(), [](const Foot & foot) { return foot.sole.allFinite(); })};
    static_assert(std::size(good) == std::size(setting_problems));
    const auto wrong = std::find(std::begin(good), std::end(good), false);
    return wrong == std::end(good) ? -1 : static_cast<int>(wrong - std::begin(good));
  }
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__SETTINGS_HPP_
