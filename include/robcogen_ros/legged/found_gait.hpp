// A gait that was found, as a curve in time, stride after stride.
#ifndef ROBCOGEN_ROS__LEGGED__FOUND_GAIT_HPP_
#define ROBCOGEN_ROS__LEGGED__FOUND_GAIT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::legged
{

/// A moment of a gait, in a world whose z is up and in which it goes along x.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct Moment
{
  using JointVector = typename Robot::JointVector;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  whole_body::Motion trunk;  ///< of the base's frame
  JointVector q, qd, qdd;    ///< of the joints
  JointVector tau;           ///< forces of the joints
  /// Forces of the ground on the feet, in axes of that world [N].
  Eigen::Matrix<double, 3, SizesOf<Robot>::most_contacts> forces;

  /// Spatial velocity of the base, in its axes.
  Vector6 base_velocity() const noexcept
  {
    const Eigen::Quaterniond back = trunk.orientation.conjugate();
    Vector6 result;
    result << back * trunk.angular_velocity, back * trunk.linear_velocity;
    return result;
  }

  /// Spatial acceleration of the base, in its axes.
  Vector6 base_acceleration() const noexcept
  {
    const Eigen::Quaterniond back = trunk.orientation.conjugate();
    Vector6 result;
    result << back * trunk.angular_acceleration,
      back * Eigen::Vector3d(
               trunk.linear_acceleration - trunk.angular_velocity.cross(trunk.linear_velocity));
    return result;
  }
};

/// The polynomial of degree five that has positions, velocities and accelerations of both ends.
///
/// \tparam Values vectors
template <typename Values>
struct Between
{
  Values position, velocity, acceleration;

  /// \param begin, end three values each: position, velocity, acceleration
  /// \param share of the step that is over
  /// \param step its duration
  Between(const Values (&begin)[3], const Values (&end)[3], double share, double step) noexcept
  {
    const double s = share, s2 = s * s, s3 = s2 * s, s4 = s3 * s;
    const Values v = step * begin[1], a = step * step * begin[2];
    const Values way = end[0] - begin[0] - v - 0.5 * a;
    const Values faster = step * end[1] - v - a, more = step * step * end[2] - a;
    const Values c3 = 10.0 * way - 4.0 * faster + 0.5 * more;
    const Values c4 = -15.0 * way + 7.0 * faster - more;
    const Values c5 = 6.0 * way - 3.0 * faster + 0.5 * more;
    position = begin[0] + s * v + 0.5 * s2 * a + s3 * c3 + s4 * c4 + s4 * s * c5;
    velocity = (v + s * a + 3.0 * s2 * c3 + 4.0 * s3 * c4 + 5.0 * s4 * c5) / step;
    acceleration = (a + 6.0 * s * c3 + 12.0 * s2 * c4 + 20.0 * s3 * c5) / (step * step);
  }
};

/// When which foot stands, in each stride.
template <int feet>
struct Footfalls
{
  double period = 1.0;                ///< of a stride [s]
  std::array<double, feet> phases{};  ///< share of it at which each foot lands
  std::array<double, feet> duties{};  ///< share of it in which each foot stands
};

/// A gait, by the instants of a stride. Between them positions are polynomials of degree five, and
/// forces are linear. Where a foot lands or lifts off there are two instants of the same time.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class FoundGait
{
public:
  static constexpr int feet = SizesOf<Robot>::most_contacts;
  using JointVector = typename Robot::JointVector;

  /// An instant of a stride, its rates those of a moment.
  struct Instant : Moment<Robot>
  {
    double time = 0.0;        ///< since the stride began [s]
    Eigen::Vector4d turn[3];  ///< the numbers of the quaternion, and two derivatives
  };

  Footfalls<feet> footfalls;
  Eigen::Vector3d normal;  ///< of the ground, a plane
  double speed = 0.0;      ///< ahead, along the ground [m/s]
  double height = 0.0;     ///< mean one of the base above the ground [m]
  /// True of the joints that it moves.
  Eigen::Array<bool, JointVector::RowsAtCompileTime, 1, 0, JointVector::MaxRowsAtCompileTime> moves;

  /// \param instants of one stride, at least two, from time zero on; the last one is its end
  /// \param normal_of_ground of length 1
  FoundGait(
    std::vector<Instant> instants, const Footfalls<feet> & when,
    const Eigen::Vector3d & normal_of_ground)
  : footfalls(when), normal(normal_of_ground), instants_(std::move(instants))
  {
    ahead_ = instants_.back().trunk.position - instants_.front().trunk.position;
    const Eigen::Vector3d along = Eigen::Vector3d(normal.z(), 0.0, -normal.x()).normalized();
    speed = along.dot(ahead_) / footfalls.period;
    Eigen::Vector4d before = instants_.front().trunk.orientation.coeffs();
    for (Instant & instant : instants_)
    {
      height += normal.dot(instant.trunk.position) / static_cast<double>(instants_.size());
      differentiate(before, instant);
      before = instant.turn[0];
    }
  }

  /// Share of the stride that has passed at a time since the gait began [s].
  double phase(double time) const noexcept
  {
    const double strides = (time + at_once) / footfalls.period;
    return strides - std::floor(strides);
  }

  /// Share of its swing that a foot has behind it, negative while it stands.
  double swing(int foot, double time) const noexcept
  {
    const double duty = footfalls.duties[foot], since = phase(time) - footfalls.phases[foot];
    return (since - std::floor(since) - duty) / std::max(1.0 - duty, 1e-9);
  }
  bool stands(int foot, double time) const noexcept { return swing(foot, time) < 0.0; }

  /// The moment at a time since the gait began [s], however many strides that is.
  Moment<Robot> at(double time) const noexcept
  {
    const double strides = std::floor((time + at_once) / footfalls.period);
    const double since = std::max(time - strides * footfalls.period, 0.0);
    const auto after = std::upper_bound(
      instants_.begin() + 1, instants_.end() - 1, since + at_once,
      [](double t, const Instant & instant) { return t < instant.time; });
    const Instant &begin = *(after - 1), &end = *after;
    const double step = end.time - begin.time, share = (since - begin.time) / step;
    Moment<Robot> result = begin;
    const Between<Eigen::Vector3d> moved(
      {begin.trunk.position, begin.trunk.linear_velocity, begin.trunk.linear_acceleration},
      {end.trunk.position, end.trunk.linear_velocity, end.trunk.linear_acceleration}, share, step);
    result.trunk.position = moved.position + strides * ahead_;
    result.trunk.linear_velocity = moved.velocity;
    result.trunk.linear_acceleration = moved.acceleration;
    turn(Between<Eigen::Vector4d>(begin.turn, end.turn, share, step), result.trunk);
    const Between<JointVector> joints(
      {begin.q, begin.qd, begin.qdd}, {end.q, end.qd, end.qdd}, share, step);
    result.q = joints.position;
    result.qd = joints.velocity;
    result.qdd = joints.acceleration;
    result.tau += share * (end.tau - begin.tau);
    result.forces += share * (end.forces - begin.forces);
    return result;
  }

private:
  static constexpr double at_once = 1e-9;  ///< instants so close are one [s]

  /// The quaternion of an instant on the side of the one before, and its derivatives.
  static void differentiate(const Eigen::Vector4d & before, Instant & instant) noexcept
  {
    const auto spun = [](const Eigen::Vector3d & w, const Eigen::Quaterniond & q)
    {
      Eigen::Quaterniond spin;
      spin.coeffs() << 0.5 * w, 0.0;
      return (spin * q).coeffs().eval();
    };
    whole_body::Motion & trunk = instant.trunk;
    trunk.orientation.coeffs() *= before.dot(trunk.orientation.coeffs()) < 0.0 ? -1.0 : 1.0;
    instant.turn[0] = trunk.orientation.coeffs();
    instant.turn[1] = spun(trunk.angular_velocity, trunk.orientation);
    Eigen::Quaterniond rate;
    rate.coeffs() = instant.turn[1];
    instant.turn[2] =
      spun(trunk.angular_acceleration, trunk.orientation) + spun(trunk.angular_velocity, rate);
  }

  /// Orientation, angular velocity and acceleration of a quaternion near unit length.
  static void turn(const Between<Eigen::Vector4d> & by, whole_body::Motion & trunk) noexcept
  {
    Eigen::Quaterniond back, rate, change;
    back.coeffs() = by.position;
    back = back.conjugate();
    rate.coeffs() = by.velocity;
    change.coeffs() = by.acceleration;
    const double square = by.position.squaredNorm();
    trunk.orientation.coeffs() = by.position.normalized();
    trunk.angular_velocity = 2.0 / square * (rate * back).vec();
    trunk.angular_acceleration =
      2.0 / square * (change * back).vec() -
      2.0 * by.position.dot(by.velocity) / square * trunk.angular_velocity;
  }

  std::vector<Instant> instants_;
  Eigen::Vector3d ahead_;  ///< in a stride [m]
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__FOUND_GAIT_HPP_
