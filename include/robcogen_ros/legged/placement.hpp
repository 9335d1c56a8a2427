// Where the feet of a robot and its center of mass are.
#ifndef ROBCOGEN_ROS__LEGGED__PLACEMENT_HPP_
#define ROBCOGEN_ROS__LEGGED__PLACEMENT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/pendulum.hpp"
#include "robcogen_ros/legged/settings.hpp"
#include "robcogen_ros/legged/support_polygon.hpp"
#include "robcogen_ros/legged/swing.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::legged
{

/// Robot as a gait knows it at the moment, in the world.
template <typename Robot>
class Placement
{
public:
  static constexpr int feet = SizesOf<Robot>::most_contacts;
  using Polygon = SupportPolygon<4 * feet>;

  std::array<Eigen::Vector3d, feet> places{};    ///< of the middles of the feet [m]
  std::array<Eigen::Quaterniond, feet> turns{};  ///< of their frames
  /// Orientations of their frames in the base as the robot stands.
  std::array<Eigen::Quaterniond, feet> level{};
  Pendulum pendulum{Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(), 1.0};
  /// Places of feet from their middle as the robot stands, in heading axes [m].
  std::array<Eigen::Vector2d, feet> below{};
  double height = 0.0;  ///< of the base above the middles of the feet, as the robot stands [m]

  explicit Placement(const Settings<Robot> & settings) noexcept
  : gravity_(settings.gravity.norm()),
    rise_(-settings.ground_normal.template head<2>() / settings.ground_normal.z()),
    robot_(settings.robot),
    constants_(settings.constants),
    soles_(settings.soles),
    apart_(settings.apart)
  {
    const auto kinematics = kinematics_of(settings.posture);
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      middle += position(kinematics, foot) / robot_.contact_count;
      level[foot] = pose(kinematics, foot).rotation();
    }
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      below[foot] = (position(kinematics, foot) - middle).template head<2>();
    }
    height = -middle.z();
  }

  /// Takes over a state, of a robot that stands on some of its feet.
  void measure(const ground::State<Robot> & state, const std::array<bool, feet> & stands) noexcept
  {
    const auto kinematics = kinematics_of(state.q);
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      places[foot] = state.position + state.orientation * position(kinematics, foot);
      turns[foot] = state.orientation * Eigen::Quaterniond(pose(kinematics, foot).rotation());
    }
    find_ground(stands);
    const auto center = [&](const auto &... x) { return robot_.center_of_mass(x...); };
    const auto rows = [&](const auto &... x) { return robot_.center_of_mass_jacobian(x...); };
    const Eigen::Vector3d velocity =
      with_constants<Robot>(constants_, rows, state.q).lazyProduct(state.rates);
    const Eigen::Vector3d place =
      state.position + state.orientation * with_constants<Robot>(constants_, center, state.q);
    pendulum.center = place.template head<2>();
    pendulum.velocity = (state.orientation * velocity).template head<2>();
    pendulum.rate =
      std::sqrt(gravity_ / std::max(place.z() - on_ground(pendulum.center).z(), 0.1 * height));
  }

  int count() const noexcept { return robot_.contact_count; }  ///< of feet

  /// Origin of a foot that stands at a place, as those that stand have the ground [m].
  Eigen::Vector3d on_ground(const Eigen::Vector2d & at) const noexcept
  {
    return ground_ + along(at - ground_.template head<2>());
  }

  /// Height of a point above the middles of the feet that stand [m].
  double above_ground(const Eigen::Vector3d & point) const noexcept
  {
    return point.z() - on_ground(point.template head<2>()).z();
  }

  /// Vector along the ground that looks so from above.
  Eigen::Vector3d along(const Eigen::Vector2d & way) const noexcept
  {
    return {way.x(), way.y(), rise_.dot(way)};
  }

  /// Vector from the origin of a foot's frame to its middle, in that frame [m].
  Eigen::Vector3d to_middle(int foot) const noexcept { return soles_[foot].rowwise().mean(); }

  /// Heading of a foot that stands [rad], within half a turn of another.
  double heading(int foot, double near) const noexcept
  {
    const Eigen::Vector3d ahead =
      turns[foot] * (level[foot].conjugate() * Eigen::Vector3d::UnitX());
    return near + std::remainder(std::atan2(ahead.y(), ahead.x()) - near, 2.0 * M_PI);
  }

  /// The turn of a level base that heads somewhere, put along the ground.
  Eigen::Quaterniond along_ground(double heading) const noexcept
  {
    const Eigen::Vector3d normal(-rise_.x(), -rise_.y(), 1.0);
    const Eigen::Vector3d tilt = turn_between(Eigen::Vector3d::UnitZ(), normal.normalized());
    return turned(tilt, Eigen::Quaterniond(Eigen::AngleAxisd(heading, Eigen::Vector3d::UnitZ())));
  }

  /// Motion of the frame of a foot that stands.
  whole_body::Motion standing(int foot) const noexcept
  {
    whole_body::Motion result;
    result.orientation = turns[foot];
    result.position = places[foot] - turns[foot] * to_middle(foot);
    return result;
  }

  /// Motion of the frame of a foot in the air, its sole along the ground.
  whole_body::Motion motion(int foot, const Swing & swing) const noexcept
  {
    const Course & heading = swing.heading();
    whole_body::Motion result;
    result.orientation = along_ground(heading.position) * level[foot];
    result.position = swing.position() - result.orientation * to_middle(foot);
    result.linear_velocity = swing.velocity();
    result.linear_acceleration = swing.acceleration();
    result.angular_velocity.z() = heading.velocity;
    result.angular_acceleration.z() = heading.acceleration;
    return result;
  }

  /// A place of one of two feet, on its side of the other.
  Eigen::Vector2d kept_apart(int foot, const Eigen::Vector2d & place, double heading) const noexcept
  {
    if (robot_.contact_count != 2)
    {
      return place;
    }
    const int other = 1 - foot;
    const Eigen::Vector2d left(-std::sin(heading), std::cos(heading));
    const double side = below[foot].y() - below[other].y(), sign = std::copysign(1.0, side);
    const double there = sign * left.dot(place - places[other].template head<2>());
    return place + sign * std::max(0.0, apart_ * std::abs(side) - there) * left;
  }

  /// Whether there are two feet, much farther apart aside than as the robot stands.
  bool astride(double heading) const noexcept
  {
    const Eigen::Vector2d left(-std::sin(heading), std::cos(heading));
    const double usual = (below[1] - below[0]).y();
    const double apart = left.dot((places[1] - places[0]).template head<2>());
    return robot_.contact_count == 2 && std::copysign(1.0, usual) * apart > wide * std::abs(usual);
  }

  /// Height of the base at which two legs reach feet that are farther apart than as it stands [m]:
  /// most of what legs of one length would lower it, for lower hips and ankles turn farther.
  ///
  /// \param holds where feet stand
  double height_over(const std::array<Eigen::Vector3d, feet> & holds, double heading) const noexcept
  {
    if (robot_.contact_count != 2)
    {
      return height;
    }
    const Eigen::Vector2d usual = Eigen::Rotation2Dd(heading) * (below[1] - below[0]);
    const double out = 0.5 * ((holds[1] - holds[0]).template head<2>() - usual).norm();
    const double leg = gravity_ / (pendulum.rate * pendulum.rate);  // as long as its mass is high
    const double lowered = std::sqrt(std::max(leg * leg - out * out, 0.25 * leg * leg));
    return height - sinks * (leg - lowered);
  }

  /// Support by the feet that stand.
  Polygon support(const std::array<bool, feet> & stands) const noexcept
  {
    Polygon result;
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      const int corners = robot_.contacts[foot].rows() == 6 ? 4 : 1;
      for (int corner = 0; stands[foot] && corner < corners; ++corner)
      {
        const Eigen::Vector3d from = soles_[foot].col(corner) - to_middle(foot);
        result.add((places[foot] + turns[foot] * from).template head<2>());
      }
    }
    return result;
  }

  /// The phase at which feet lift off that leave the support closest to the capture point.
  ///
  /// \param leans whether the pause on all feet comes first, in which a robot that walks leans
  double best_start(const Pattern<feet> & pattern, bool leans) const noexcept
  {
    int foot = 0;
    double most = -INFINITY;
    for (int other = 0; other < robot_.contact_count; ++other)
    {
      const Polygon left = support(pattern.standing(pattern.lift_off(other)));
      const double margin = left.margin(pendulum.capture_point());
      foot = margin > most ? other : foot;
      most = std::max(margin, most);
    }
    const double phase = pattern.lift_off(foot) - (leans ? pattern.pause(foot) : 0.0);
    return phase - std::floor(phase);
  }

  /// True if all feet are where they are as the robot stands, about their middle.
  ///
  /// \param heading axes of where the robot heads, in the world
  /// \param tolerance [m]
  bool placed(const Eigen::Matrix2d & heading, double tolerance) const noexcept
  {
    std::array<bool, feet> every{};
    every.fill(true);
    const Eigen::Vector2d middle = support(every).center();
    bool result = true;
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      const Eigen::Vector2d from = places[foot].template head<2>() - middle;
      result = result && (from - heading * below[foot]).norm() < tolerance;
    }
    return result;
  }

private:
  static constexpr double sinks = 0.7;  ///< of the way that legs of one length would lower it
  static constexpr double wide = 1.5;   ///< times the usual distance of feet that are astride

  auto kinematics_of(const typename Robot::JointVector & q) const noexcept
  {
    return with_constants<Robot>(
      constants_, [&](const auto &... x) { return robot_.kinematics(x...); }, q);
  }

  auto pose(const typename Robot::Kinematics & kinematics, int foot) const noexcept
  {
    return kinematics.pose(static_cast<typename Robot::Frame>(robot_.contacts[foot].frame));
  }

  /// Position of the middle of a foot in the base [m].
  Eigen::Vector3d position(const typename Robot::Kinematics & kinematics, int foot) const noexcept
  {
    const auto frame = pose(kinematics, foot);
    return frame.translation() + frame.rotation() * to_middle(foot);
  }

  void find_ground(const std::array<bool, feet> & stands) noexcept
  {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    int count = 0;
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      sum += stands[foot] ? places[foot] : Eigen::Vector3d::Zero();
      count += stands[foot] ? 1 : 0;
    }
    ground_ = count > 0 ? Eigen::Vector3d(sum / count) : ground_;
  }

  double gravity_;
  Eigen::Vector3d ground_ = Eigen::Vector3d::Zero();  ///< amidst the feet that stand [m]
  Eigen::Vector2d rise_;                              ///< of the ground, a metre ahead and aside
  Robot robot_;
  typename ConstantsOf<Robot>::Type constants_;
  std::array<Eigen::Matrix<double, 3, 4>, feet> soles_;
  double apart_;  ///< least distance of two feet aside, as a share of that in which they stand
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__PLACEMENT_HPP_
