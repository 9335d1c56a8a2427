// A gait that was found, as references of a whole-body controller, from where the robot is.
#ifndef ROBCOGEN_ROS__LEGGED__PLAYBACK_HPP_
#define ROBCOGEN_ROS__LEGGED__PLAYBACK_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/found_gait.hpp"
#include "robcogen_ros/legged/moved_feet.hpp"
#include "robcogen_ros/legged/settings.hpp"
#include "robcogen_ros/legged/swing.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/turn.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::legged
{

/// References by which a robot moves in a gait.
///
/// Trunk and feet move as the gait says; its accelerations and its contact forces are fed forward.
/// Two feet that are points cannot keep a robot from tipping over the line between them. So
/// footholds move by the error that the capture point (Pratt 2006) will have at touch-down, and
/// somewhat further, by which that error becomes less. Feet that land early stand from then on. For
/// those that are late the gait waits a little: the feet that stood are not needed any more then,
/// and the new ones cannot carry the robot yet.
///
/// No call allocates, locks or throws.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs
///   `kinematics`, `contact_jacobian` and `contact_bias`
template <typename Robot>
class Playback
{
public:
  static constexpr int feet = SizesOf<Robot>::most_contacts;
  using Closed = std::array<bool, feet>;
  using Reference = whole_body::Reference<Robot>;

  static constexpr double patience =
    0.02;                               ///< for which the gait waits for a foot that is late [s]
  static constexpr double early = 0.5;  ///< share of a swing from which on a contact ends it

  /// \param gait that outlives this
  /// \param settings with gravity, sinking speed and constants of the robot,
  ///   and the posture of joints that the gait does not move
  Playback(const FoundGait<Robot> & gait, const Settings<Robot> & settings)
  : gait_(gait),
    robot_(settings.robot),
    of_(settings.robot, settings.constants),
    sinking_(settings.sinking_speed),
    touch_down_(0.03 * std::sqrt(settings.gravity.norm() * gait.height)),
    posture_(settings.posture),
    rate_(std::sqrt(settings.gravity.norm() / gait.height)),
    reference_(settings.robot)
  {
  }

  /// Begins at a time of the gait, above the feet as they are; the trunk goes over to its motion
  /// within two strides. On level ground the gait goes where the robot heads, on a slope along x.
  ///
  /// \return how far the capture point is from where the gait has it [m]
  double begin(const ground::State<Robot> & measured, double time) noexcept
  {
    time_ = time;
    waited_ = 0.0;
    feet_ = {};
    const Moment<Robot> now = gait_.at(time);
    const auto heading = [](const Eigen::Quaterniond & turn)
    {
      const Eigen::Vector3d ahead = turn * Eigen::Vector3d::UnitX();
      return std::atan2(ahead.y(), ahead.x());
    };
    const double turn = heading(measured.orientation) - heading(now.trunk.orientation);
    const bool level = gait_.normal.z() > 1.0 - 1e-9;
    turn_ = Eigen::AngleAxisd(level ? turn : 0.0, Eigen::Vector3d::UnitZ());
    origin_ = measured.position - turn_ * now.trunk.position;
    const Eigen::Vector3d missed = astray(measured, now, standing(time));
    origin_ -= turn_ * missed;
    const Eigen::Vector3d turned =
      turn_between(now.trunk.orientation, turn_.conjugate() * measured.orientation);
    for (int i = 0; i < 3; ++i)
    {
      missed_[i] = {missed(i), 0.0, 0.0};
      turned_[i] = {turned(i), 0.0, 0.0};
    }
    left_ = 2.0 * gait_.footfalls.period;
    return capture_error(measured, now).norm();
  }

  /// Returns what is to be done now.
  ///
  /// \param closed which feet touch the ground, as measured
  /// \param step time since the last call [s]
  /// \return valid until the next call
  const Reference & update(
    const ground::State<Robot> & measured, const Closed & closed, double step) noexcept
  {
    go_on(step, closed);
    const Moment<Robot> now = gait_.at(time_);
    const Closed stand = standing(time_);
    settle(measured, now, stand, closed, step);
    refer_trunk(now, step);
    const Eigen::Vector3d error = capture_error(measured, now);
    far_ = error.norm() > farthest * gait_.height;
    const Places at = of_.places(measured.position, measured.orientation, measured.q);
    const Motions wanted = of_.motions(now);
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      whole_body::FootReference & to = reference_.feet[i];
      Foot & foot = feet_[i];
      if (stand[i])
      {
        foot.swings = false;
      }
      else
      {
        to.motion = moved(swing(i, wanted[i], back(at[i]), error, closed[i]));
      }
      to.stance = stand[i] || foot.landed;
      to.wrench.setZero();
      to.wrench.template tail<3>() =
        stand[i] ? turn_ * now.forces.col(i) : Eigen::Vector3d::Zero().eval();
    }
    reference_.posture = gait_.moves.select(now.q, posture_);
    return reference_;
  }

  /// True if the next step would lift a foot, and all that are to stand touch the ground.
  bool about_to_lift(const Closed & closed, double step) const noexcept
  {
    const Closed before = standing(time_), after = standing(time_ + step);
    bool lifts = false, touch = true;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      lifts = lifts || (before[i] && !after[i]);
      touch = touch && (closed[i] || !after[i]);
    }
    return lifts && touch;
  }

  /// True if a foot is in the air for longer than its swing takes.
  bool overdue(int foot) const noexcept { return waited_ > 0.0 && gait_.swing(foot, time_) > last; }

  /// True if footholds make up for an error of the capture point as feet lift off, which grows
  /// until they land [m].
  bool catches(double error) const noexcept
  {
    const double lasts = (1.0 - gait_.footfalls.duties[0]) * gait_.footfalls.period;
    return std::exp(rate_ * lasts) * error < farthest * gait_.height;
  }

  /// True if the capture point is further from where the gait has it than footholds move.
  bool far() const noexcept { return far_; }

  const FoundGait<Robot> & gait() const noexcept { return gait_; }
  double time() const noexcept { return time_; }  ///< in the gait [s]
  const Reference & reference() const noexcept { return reference_; }
  /// Returns the feet that are to stand at a time of the gait.
  Closed standing(double time) const noexcept
  {
    Closed result{};
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      result[i] = gait_.stands(i, time);
    }
    return result;
  }

private:
  /// Shares of the errors of the capture point that footholds move by, less one; share of the
  /// height of the base that they move at most; share of a swing from which on a foothold stays.
  static constexpr double balance = 0.5, farthest = 0.15, last = 0.85;

  /// Difference of a foot's way from its gait's [m].
  struct Foot
  {
    bool swings = false;
    bool landed = false;  ///< before its time
    Eigen::Vector3d left = Eigen::Vector3d::Zero(), goal = Eigen::Vector3d::Zero();
    double slower = 0.0;  ///< touch-down speed that its way lacks [m/s]
  };

  using Places = typename MovedFeet<Robot>::Places;
  using Motions = typename MovedFeet<Robot>::Motions;

  /// A place in the world of the gait.
  Eigen::Vector3d back(const Eigen::Vector3d & place) const noexcept
  {
    return turn_.conjugate() * (place - origin_);
  }
  whole_body::Motion moved(const whole_body::Motion & motion) const noexcept
  {
    return motion.moved(origin_, turn_);
  }

  /// Way of feet that stand from where the gait has them, on average [m].
  Eigen::Vector3d misplaced(
    const ground::State<Robot> & measured, const Moment<Robot> & now,
    const Closed & stand) const noexcept
  {
    const Places at = of_.places(measured.position, measured.orientation, measured.q);
    const Places planned = of_.places(now.trunk.position, now.trunk.orientation, now.q);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    int count = 0;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      count += stand[i] ? 1 : 0;
      sum += stand[i] ? Eigen::Vector3d(back(at[i]) - planned[i]) : Eigen::Vector3d::Zero();
    }
    return sum / std::max(count, 1);
  }

  /// Way of the trunk from where the gait has it above its support [m]: above one foot; aside
  /// of the line between two points, along which the center of pressure may be anywhere; nowhere
  /// else.
  Eigen::Vector3d astray(
    const ground::State<Robot> & measured, const Moment<Robot> & now,
    const Closed & stand) const noexcept
  {
    const Places at = of_.places(measured.position, measured.orientation, measured.q);
    const Places planned = of_.places(now.trunk.position, now.trunk.orientation, now.q);
    int first = -1, second = -1, count = 0;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      second = stand[i] && first >= 0 ? i : second;
      first = stand[i] && first < 0 ? i : first;
      count += stand[i] ? 1 : 0;
    }
    const Eigen::Vector3d result = -misplaced(measured, now, stand), &up = gait_.normal;
    if (count < 2)
    {
      return result;
    }
    Eigen::Vector3d aside = Eigen::Vector3d::Zero();
    if (count == 2 && robot_.contacts[first].rows() == 3)
    {
      const Eigen::Vector3d line = planned[second] - planned[first];
      const double share =
        line.dot(now.trunk.position - planned[first]) / std::max(line.squaredNorm(), 1e-9);
      const Eigen::Vector3d moved = (1.0 - share) * (back(at[first]) - planned[first]) +
                                    share * (back(at[second]) - planned[second]);
      aside = up.cross(line).normalized();
      aside *= -aside.dot(moved);
    }
    return aside + up.dot(result) * up;
  }

  /// The ground is where the feet are that stand, as the robot knows its place.
  void settle(
    const ground::State<Robot> & measured, const Moment<Robot> & now, Closed stand,
    const Closed & closed, double step) noexcept
  {
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      stand[i] = stand[i] && closed[i];
    }
    const double share = std::min(step / gait_.footfalls.period, 1.0);
    const Eigen::Vector3d & up = gait_.normal;
    origin_ += share * up.dot(misplaced(measured, now, stand)) * (turn_ * up);
  }

  /// Way of the capture point from where the gait has it, along the ground in its world [m].
  Eigen::Vector3d capture_error(
    const ground::State<Robot> & measured, const Moment<Robot> & now) const noexcept
  {
    const Eigen::Vector3d velocity =
      turn_.conjugate() * (measured.orientation * measured.rates.template segment<3>(3));
    const Eigen::Vector3d goal = now.trunk.position + waited_ * now.trunk.linear_velocity;
    Eigen::Vector3d error =
      back(measured.position) - goal + (velocity - now.trunk.linear_velocity) / rate_;
    error.z() -= gait_.normal.dot(error) / gait_.normal.z();
    return error;
  }

  /// Lets time pass, unless a foot that is to land does not touch the ground yet. The way that the
  /// trunk goes until then is not gone back.
  void go_on(double step, const Closed & closed) noexcept
  {
    const Closed before = standing(time_), after = standing(time_ + step);
    bool late = false;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      late = late || (after[i] && !before[i] && !closed[i]);
    }
    if (late && waited_ + step <= patience)
    {
      waited_ += step;
      return;
    }
    const Eigen::Vector3d way = waited_ * gait_.at(time_).trunk.linear_velocity;
    origin_ += turn_ * (way - gait_.normal.dot(way) * gait_.normal);
    time_ += step;
    waited_ = 0.0;
  }

  void refer_trunk(const Moment<Robot> & now, double step) noexcept
  {
    whole_body::Motion trunk = now.trunk;
    if (waited_ > 0.0)
    {
      trunk.linear_acceleration.setZero();
      trunk.angular_acceleration.setZero();
      trunk.position += waited_ * trunk.linear_velocity;
      trunk.orientation = turned(waited_ * trunk.angular_velocity, trunk.orientation);
    }
    Eigen::Vector3d turn;
    for (int i = 0; i < 3; ++i)
    {
      missed_[i] = missed_[i].towards(0.0, left_, step);
      turned_[i] = turned_[i].towards(0.0, left_, step);
      trunk.position(i) += missed_[i].position;
      trunk.linear_velocity(i) += missed_[i].velocity;
      trunk.linear_acceleration(i) += missed_[i].acceleration;
      turn(i) = turned_[i].position;
      trunk.angular_velocity(i) += turned_[i].velocity;
      trunk.angular_acceleration(i) += turned_[i].acceleration;
    }
    left_ = std::max(left_ - step, 0.0);
    trunk.orientation = turned(turn, trunk.orientation);
    reference_.trunk = moved(trunk);
  }

  /// The motion of a foot from where it lifted off to where it is to land, along its gait's.
  ///
  /// \param place where it is
  whole_body::Motion swing(
    int number, whole_body::Motion motion, const Eigen::Vector3d & place,
    const Eigen::Vector3d & error, bool touches) noexcept
  {
    Foot & foot = feet_[number];
    const Footfalls<feet> & footfalls = gait_.footfalls;
    const double lasts = (1.0 - footfalls.duties[number]) * footfalls.period;
    const double share = gait_.swing(number, time_);
    const double left = (1.0 - share) * lasts;
    const Eigen::Vector3d & up = gait_.normal;
    if (!foot.swings)
    {
      foot = {true, false, place - motion.position};
      const Moment<Robot> then = gait_.at(time_ + left - 1e-6);
      foot.slower = std::max(touch_down_ + up.dot(of_.motions(then)[number].linear_velocity), 0.0);
    }
    foot.landed = foot.landed || (share > early && touches);
    if (share < last)
    {
      foot.goal = (1.0 + balance) * std::exp(rate_ * left) * error;
      foot.goal *= std::min(1.0, farthest * gait_.height / std::max(foot.goal.norm(), 1e-12));
    }
    const Course blend = Course().towards(1.0, lasts, share * lasts);
    const Eigen::Vector3d way = foot.goal - foot.left;
    motion.position += foot.left + blend.position * way;
    motion.linear_velocity += blend.velocity * way;
    motion.linear_acceleration += blend.acceleration * way;
    const double s = share;
    motion.position += foot.slower * lasts * s * s * s * (1.0 - s) * up;
    motion.linear_velocity += foot.slower * s * s * (3.0 - 4.0 * s) * up;
    motion.linear_acceleration += foot.slower / lasts * 6.0 * s * (1.0 - 2.0 * s) * up;
    if (waited_ > 0.0 && share > last)
    {
      motion.linear_velocity = -sinking_ * up;
      motion.linear_acceleration.setZero();
      motion.position += waited_ * motion.linear_velocity;
    }
    return motion;
  }

  const FoundGait<Robot> & gait_;
  Robot robot_;
  MovedFeet<Robot> of_;
  double sinking_;                       ///< speed of a foot that is late [m/s]
  double touch_down_;                    ///< least speed of one that lands [m/s]
  typename Robot::JointVector posture_;  ///< of joints that the gait does not move
  double rate_;                          ///< of a pendulum of the height of the base [1/s]
  double time_ = 0.0, waited_ = 0.0;
  bool far_ = false;
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();  ///< of the world of the gait [m]
  Eigen::Quaterniond turn_ = Eigen::Quaterniond::Identity();
  Course missed_[3], turned_[3];  ///< by which the trunk is not yet where the gait has it
  double left_ = 0.0;             ///< until it is [s]
  std::array<Foot, feet> feet_{};
  Reference reference_;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__PLAYBACK_HPP_
