// A robot that stands, steps on the spot and walks, and steps where a push drives it.
#ifndef ROBCOGEN_ROS__LEGGED__GAIT_HPP_
#define ROBCOGEN_ROS__LEGGED__GAIT_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/lean.hpp"
#include "robcogen_ros/legged/pattern.hpp"
#include "robcogen_ros/legged/pendulum.hpp"
#include "robcogen_ros/legged/placement.hpp"
#include "robcogen_ros/legged/rise.hpp"
#include "robcogen_ros/legged/settings.hpp"
#include "robcogen_ros/legged/spot.hpp"
#include "robcogen_ros/legged/stride.hpp"
#include "robcogen_ros/legged/swing.hpp"
#include "robcogen_ros/legged/weight_shift.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::legged
{

/// Finds, each cycle, what a whole-body controller is to do.
///
/// The robot is taken for a linear inverted pendulum (`Pendulum`). Over the feet that stand its
/// center of pressure is put where the capture point is driven to where it is to be (`Stride`),
/// inside the support polygon; the center of mass accelerates as the pendulum does. Feet in swing
/// go to where the capture point will be at their touch-down, so a push is answered by a step. A
/// robot that is to stand steps as well when its capture point leaves the support polygon, until it
/// is in balance. Astride it sways from foot to foot (`WeightShift`). The ground is a plane.
///
/// No call allocates, locks or throws.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs
///   `kinematics`, `center_of_mass` and `center_of_mass_jacobian`
template <typename Robot>
class Gait
{
  static_assert(SizesOf<Robot>::may_float, "a robot that steps has a floating base");

public:
  static constexpr int feet = SizesOf<Robot>::most_contacts;
  using Closed = std::array<bool, feet>;
  using Polygon = typename Placement<Robot>::Polygon;

  /// \param settings valid ones
  explicit Gait(const Settings<Robot> & settings)
  : settings_(settings),
    at_(settings),
    stride_(settings_.pattern, at_.below),
    reference_(settings.robot)
  {
    reference_.posture = settings.posture;
    reference_.centered = true;
  }
  Gait(const Gait &) = delete;
  Gait & operator=(const Gait &) = delete;

  /// Stands where the robot is.
  void start(const ground::State<Robot> & measured) noexcept
  {
    stands_.fill(true);
    at_.measure(measured, stands_);
    const Eigen::Vector3d ahead = measured.orientation * Eigen::Vector3d::UnitX();
    heading_ = std::atan2(ahead.y(), ahead.x());
    stepping_ = waits_ = false;
    holds_ = at_.places;
    aim_ = support().center();
    spot_.begin(at_.pendulum);
    high_ = at_.height_over(holds_, heading_);
    rise_.begin(at_.above_ground(measured.position), high_, settings_.gravity.norm());
  }

  /// What is to be done now.
  ///
  /// \param closed which feet touch the ground, as measured
  /// \param duration of the cycle [s]; counts for a tenth of the period at most
  /// \return valid until the next call
  const whole_body::Reference<Robot> & update(
    const ground::State<Robot> & measured, const Closed & closed, const Motion & asked,
    double duration) noexcept
  {
    const double step = std::max(0.0, std::min(duration, 0.1 * settings_.pattern.period));
    at_.measure(measured, stands_);
    const Motion wanted = spot_.kept(asked, at_.pendulum, heading_axes(), settings_, step);
    touch_down(closed);
    choose(wanted);
    if (stepping_)
    {
      heading_ += step * wanted.yaw_rate;
      tick(step, wanted);
    }
    balance(wanted, step);
    swing(wanted, step);
    refer(measured, wanted, step);
    return reference_;
  }

  int count() const noexcept { return settings_.robot.contact_count; }
  bool stepping() const noexcept { return stepping_; }
  double phase() const noexcept { return phase_; }  ///< share of the cycle that has passed
  /// Whether a foot is in the air for longer than its swing takes.
  bool overdue(int foot) const noexcept { return !stands_[foot] && !(swings_[foot].left() > 0.0); }
  /// Where a foot in swing is to stand [m].
  const Eigen::Vector3d & foothold(int foot) const noexcept { return holds_[foot]; }
  /// Whether it is to step, but legs that are spread do not let it lean over any of its feet.
  bool stuck() const noexcept { return stepping_ && shift_.in_vain(); }
  const Pendulum & pendulum() const noexcept { return at_.pendulum; }
  const Eigen::Vector2d & pressure() const noexcept { return pressure_; }  ///< asked for [m]
  Rise & rise() noexcept { return rise_; }  ///< course to the height of the posture

private:
  using Point = Eigen::Vector2d;
  static constexpr double hurry = 0.7, least_share = 0.6;  ///< of the period, of one that is pushed
  static constexpr double nearly = 0.05;  ///< of the way aside, that a capture point may lack

  Eigen::Matrix2d heading_axes() const noexcept
  {
    return Eigen::Rotation2Dd(heading_).toRotationMatrix();
  }
  Polygon support() const noexcept { return at_.support(stands_); }

  /// Feet in swing that meet the ground stand, sooner or later than planned.
  void touch_down(const Closed & closed) noexcept
  {
    for (int foot = 0; foot < count(); ++foot)
    {
      stands_[foot] = stands_[foot] || swings_[foot].lands(closed[foot], settings_.early_contact);
      holds_[foot] = stands_[foot] ? at_.places[foot] : holds_[foot];
    }
  }

  /// Begins to step where that is wanted or needed.
  void choose(const Motion & wanted) noexcept
  {
    const bool topples = support().margin(at_.pendulum.capture_point()) < 0.0;
    const bool steps = settings_.pattern.duty < 1.0 && !stepping_;
    if (steps && (wanted.step || (settings_.recover && topples)))
    {
      stepping_ = true;
      shift_.begin();
      lean_.rest(aim_);
      const Pattern<feet> & pattern = settings_.pattern;
      phase_ = at_.best_start(pattern, !topples && pattern.one_at_a_time());
    }
  }

  /// Goes on in the pattern. No foot lifts off while another one that is to stand is in the air,
  /// nor before a robot leans over the feet that remain.
  void tick(double step, const Motion & wanted) noexcept
  {
    const double passed = step / settings_.pattern.period;
    if (all_stand() && at_.astride(heading_))
    {
      // Without a pause: far legs stop the robot in it, and its capture point runs back.
      phase_ += settings_.pattern.until_lift_off(phase_);
    }
    bool due = false, complete = true;
    for (int foot = 0; foot < count(); ++foot)
    {
      due = due || lifts(foot, passed);
      complete = complete && (stands_[foot] || swings_[foot].left() > step);
    }
    waits_ = false;
    if (due && (!complete || (!wanted.step && (settled() || shift_.in_vain()))))
    {
      stepping_ = !complete;
      return;
    }
    waits_ = due && !leans(passed, wanted);
    if (waits_)
    {
      const Point amidst = support().center(), come = at_.pendulum.capture_point() - amidst;
      const bool turns = sways() && shift_.turns(step, 0.5 * period_, middle() - amidst, come);
      phase_ += turns ? 0.5 - std::floor(phase_ + 0.5) : 0.0;
      return;
    }
    if (due)
    {
      shift_.begin();
      pace(wanted);
    }
    for (int foot = 0; foot < count(); ++foot)
    {
      if (lifts(foot, passed))
      {
        stands_[foot] = false;
        rise_.takes(settings_.pattern.swing_time());
        lifted_[foot] = at_.places[foot].template head<2>();
        swings_[foot] = Swing(
          at_.places[foot], at_.heading(foot, heading_), settings_.pattern.swing_time(),
          settings_.swing_height, settings_.touch_down_speed);
      }
    }
    phase_ += passed - std::floor(phase_ + passed);
  }

  /// Whether the capture point is where the feet that remain carry it when those that are due lift
  /// off: above them in a walk or hurry, or as far aside as they drive it back from. Or it topples.
  bool leans(double passed, const Motion & wanted) const noexcept
  {
    auto remain = stands_;
    for (int foot = 0; foot < count(); ++foot)
    {
      remain[foot] = remain[foot] && !lifts(foot, passed);
    }
    const Point at = at_.pendulum.capture_point();
    const Point way = heading_axes() * stride_.middle(stride_.newest(remain, phase_));
    const bool aside = !stride_.sways() || way.dot(error(wanted)) >= -nearly * way.squaredNorm();
    const double share = walks() ? 1.0 : settings_.polygon_share;
    const bool above = at_.support(remain).scaled(share).margin(at) >= 0.0;
    const bool carried = walks() ? above : aside || (shift_.hurries() && above);
    return (carried && !shift_.in_vain()) || support().margin(at) < 0.0;
  }

  /// Whether a foot is to lift off within a share of the cycle.
  bool lifts(int foot, double share) const noexcept
  {
    return stands_[foot] && settings_.pattern.until_lift_off(foot, phase_) < share;
  }

  /// Steps faster while the capture point is far away. Its error grows by exp(w t) until feet touch
  /// down: of two feet, to one and a half of the longest step at most (Khadiv et al. 2016).
  void pace(const Motion & wanted) noexcept
  {
    const Point stepped =
      middle() - support().center() - heading_axes() * stride_.middle(carrier());
    const double off = (error(wanted) + stepped).norm() / std::max(settings_.longest_step, 1e-9);
    settings_.pattern.period = period_;
    const double grows = at_.pendulum.rate * settings_.pattern.swing_time();
    settings_.pattern.period *= sways() ? std::clamp(std::log(1.5 / off) / grows, least_share, 1.0)
                                        : (off > 0.5 && !walks() ? hurry : 1.0);
  }

  /// Whether the robot is in balance on all feet, each where it is to stand.
  bool settled() const noexcept
  {
    return placed() && error(Motion()).norm() < settings_.settled &&
           support().margin(at_.pendulum.capture_point()) > 0.0;
  }

  bool placed() const noexcept
  {
    return all_stand() && at_.placed(heading_axes(), settings_.settled);
  }

  /// Finds the center of pressure that drives the capture point to its aim.
  void balance(const Motion & wanted, double step) noexcept
  {
    Point rate = Point::Zero(), error = this->error(wanted);
    if (walks())
    {
      rate = lean(wanted, step);
      error = at_.pendulum.capture_point() - aim_;
    }
    else
    {
      // Where the robot waits, the capture point is to stay where it is to be.
      aim_ = waits_ ? Point(at_.pendulum.capture_point() - error) : middle();
    }
    const double gain = (waits_ && shift_.hurries() ? WeightShift::hurry : 1.0) * settings_.balance;
    pressure_ = aim_ - rate / at_.pendulum.rate + (1.0 + gain) * error;
    pressure_ = support().scaled(settings_.polygon_share).closest(pressure_);
  }

  /// One of the feet that carry a robot that steps now; -1 if all that stand do.
  int carrier() const noexcept
  {
    return sways() && !shift_.in_vain() ? stride_.newest(stands_, phase_) : -1;
  }

  /// Of the feet that carry [m].
  Point middle() const noexcept
  {
    const int newest = carrier();
    return newest < 0 ? support().center() : at_.support(stride_.group(newest)).center();
  }

  /// How far the capture point is from where it is to be over the feet that carry [m].
  Point error(const Motion & wanted) const noexcept
  {
    const Point departed =
      stride_.departed(carrier(), stands_, wanted.velocity, at_.pendulum.rate, phase_);
    const double carried = stepping_ && !walks() && !shift_.in_vain() ? 1.0 : 0.0;
    return at_.pendulum.capture_point() - middle() - carried * (heading_axes() * departed);
  }

  bool all_stand() const noexcept
  {
    return std::all_of(stands_.begin(), stands_.begin() + count(), [](bool x) { return x; });
  }

  bool walks() const noexcept { return stepping_ && settings_.pattern.one_at_a_time(); }
  bool sways() const noexcept { return stepping_ && !walks() && stride_.sways(); }
  /// Moves the aim of the capture point to where the next feet carry, or amidst all feet before the
  /// robot stands; returns its rate.
  Point lean(const Motion & wanted, double step) noexcept
  {
    if (!all_stand())
    {
      return lean_.rest(aim_);
    }
    const double until = settings_.pattern.until_lift_off(phase_), phase = phase_ + until;
    const Polygon next =
      !wanted.step && placed() ? support() : at_.support(settings_.pattern.standing(phase));
    const Point place = next.scaled(0.5).closest(support().center());
    return lean_.towards(place, std::max(until * settings_.pattern.period, step), step, aim_);
  }

  /// Moves the feet that are in the air.
  void swing(const Motion & wanted, double step) noexcept
  {
    for (int foot = 0; foot < count(); ++foot)
    {
      if (!stands_[foot])
      {
        if (swings_[foot].progress() < 1.0 - settings_.last_correction)
        {
          place(foot, wanted);
        }
        swings_[foot].advance(holds_[foot], heading_, step, settings_.sinking_speed);
      }
    }
  }

  /// Chooses where a foot is to stand.
  void place(int foot, const Motion & wanted) noexcept
  {
    const double left = swings_[foot].left();
    const Pendulum then = at_.pendulum.after(left, pressure_);
    const Eigen::Matrix2d axes = heading_axes();
    Point where =
      then.capture_point() -
      axes * (stride_.ahead(foot, wanted.velocity, at_.pendulum.rate) + stride_.middle(foot));
    if (walks())
    {
      Point middle = Point::Zero();
      for (int other = 0; other < count(); ++other)
      {
        const Point hold = other == foot ? lifted_[foot] : Point(holds_[other].template head<2>());
        middle += (hold - axes * at_.below[other]) / count();
      }
      where = middle +
              axes * wanted.velocity * settings_.pattern.period * (count() + 1) / (2.0 * count()) +
              (at_.pendulum.capture_point() - aim_);
    }
    // A foot stands below the trunk in the middle of its stance, which may turn until then.
    const double until = left + 0.5 * settings_.pattern.duty * settings_.pattern.period;
    const Point below = Eigen::Rotation2Dd(heading_ + wanted.yaw_rate * until) * at_.below[foot];
    Point from = where - then.center;
    from *= std::min(1.0, settings_.longest_step / std::max(from.norm(), 1e-9));
    holds_[foot] = at_.on_ground(at_.kept_apart(foot, then.center + from + below, heading_));
    high_ = at_.height_over(holds_, heading_);
  }

  void refer(const ground::State<Robot> & measured, const Motion & wanted, double step) noexcept
  {
    const Course & rise = rise_.towards(high_, step);
    const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
    whole_body::Motion & trunk = reference_.trunk;
    trunk.position = at_.on_ground(measured.position.template head<2>()) + rise.position * up;
    const Eigen::Vector3d moves = measured.orientation * measured.rates.template segment<3>(3);
    trunk.linear_velocity = at_.along(moves.template head<2>()) + rise.velocity * up;
    trunk.linear_acceleration =
      at_.along(at_.pendulum.acceleration(pressure_)) + rise.acceleration * up;
    trunk.orientation = Eigen::AngleAxisd(heading_, up);
    trunk.angular_velocity << 0.0, 0.0, stepping_ ? wanted.yaw_rate : 0.0;
    for (int foot = 0; foot < count(); ++foot)
    {
      whole_body::FootReference & to = reference_.feet[foot];
      to.stance = stands_[foot];
      to.motion = stands_[foot] ? at_.standing(foot) : at_.motion(foot, swings_[foot]);
    }
  }

  Settings<Robot> settings_;  ///< with the period of the cycle that is under way
  double period_ = settings_.pattern.period;
  Placement<Robot> at_;
  Stride<feet> stride_;
  std::array<Eigen::Vector3d, feet> holds_{};
  double heading_ = 0.0, phase_ = 0.0, high_ = 0.0;  ///< its trunk is to be above the feet [m]
  bool stepping_ = false, waits_ = false;
  std::array<bool, feet> stands_{};
  std::array<Point, feet> lifted_{};
  std::array<Swing, feet> swings_{};
  Lean lean_;
  WeightShift shift_;
  Rise rise_;
  Point aim_ = Point::Zero(), pressure_ = Point::Zero();
  Spot spot_;
  whole_body::Reference<Robot> reference_;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__GAIT_HPP_
