// Where trunk and feet may be asked to go while no gait decides.
#ifndef ROBCOGEN_ROS__CONTROL__LED_REFERENCE_HPP_
#define ROBCOGEN_ROS__CONTROL__LED_REFERENCE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/legged/placement.hpp"
#include "robcogen_ros/turn.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::control
{

/// The course of a reference, so that a robot on its feet can follow it.
///
/// What is asked for and can be followed stays as it is.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class LedReference
{
public:
  using Placement = legged::Placement<Robot>;
  using Stands = std::array<bool, Placement::feet>;
  using Motion = whole_body::Motion;

  /// \param at where the robot is
  /// \param base its base now
  /// \param last reference of the cycle before
  /// \param gravity its size [m/s^2]
  /// \param step time since then [s]
  LedReference(
    const Placement & at, const ground::State<Robot> & base, const Motion & last, double gravity,
    double step) noexcept
  : at_(at),
    base_(base),
    last_(last),
    gravity_(gravity),
    rate_(at.pendulum.rate),
    step_(std::clamp(step, 0.0, 0.1))
  {
  }

  /// Whether the robot would stay over some of its feet.
  bool over(const Stands & feet) const noexcept
  {
    const auto support = at_.support(feet);
    return support.size() >= 3 &&
           support.scaled(lifting).margin(at_.pendulum.capture_point()) > 0.0;
  }

  /// Moves a trunk's reference on.
  ///
  /// \param stands which feet stand
  /// \param stay which are to stand, \param waits whether the others wait until it is over these
  /// \param trunk what is asked for, then what can be followed
  /// \return whether these differ by what the feet cannot do
  bool lead(const Stands & stands, const Stands & stay, bool waits, Motion & trunk) const noexcept
  {
    const bool aside = lead_over_feet(stands, stay, waits, trunk);
    const bool high = lead_height(trunk);
    return lead_turn(stands, trunk) || high || aside;
  }

  /// Lets the reference of a foot in the air be no further from it than its leg follows.
  bool lead(int foot, Motion & motion) const noexcept
  {
    const Motion now = at_.standing(foot);
    Vector way = motion.position - now.position;
    const bool lags = shorten(way, 3.0 * lag * height());
    if (lags)
    {
      motion = Motion{now.position + way, motion.orientation};
    }
    return lags;
  }

  /// Whether a foot is asked to go into the ground that it touches.
  bool lands(int foot, const Motion & motion) const noexcept
  {
    return motion.position.z() < at_.standing(foot).position.z();
  }

private:
  using Vector = Eigen::Vector3d;

  /// Shares of the feet that capture points keep to, of those of which others are in the air, and
  /// within which these lift off.
  static constexpr double share = 0.9, leaning = 0.6, lifting = 0.75;
  static constexpr double much = 1e-3;   ///< that the feet cannot do [m]
  static constexpr double close = 0.02;  ///< from there goals are not passed [m or rad]
  /// Accelerations as a share of g; of heights how far speeds carry and the robot may lag, by
  /// the height of the pendulum.
  static constexpr double lift = 0.4, carry = 0.15, lag = 0.03;
  /// Of turns: accelerations by the square of the pendulum's rate, speeds by that rate, and how far
  /// the robot may lag; and how far it turns from how its feet stand [rad].
  static constexpr double turning = 0.3, spinning = 0.2, turned_lag = 0.05, most_turned = 0.5;

  /// Across gravity the robot counts as a linear inverted pendulum, `a = w^2 (c - p)`, whose
  /// capture point `c + v / w` is to come to rest where it is asked for, and whose center of
  /// pressure p has to be within the feet (Englsberger, Ott, Roa, Albu-Schaeffer, Hirzinger 2011,
  /// "Bipedal walking control based on Capture Point dynamics").
  bool lead_over_feet(
    const Stands & stands, const Stands & stay, bool waits, Motion & trunk) const noexcept
  {
    const auto feet = at_.support(stands);
    if (feet.size() < 3)
    {
      return false;
    }
    const auto left = at_.support(stay).size() < 3 ? feet : at_.support(stay);
    const bool all = std::count(stay.begin(), stay.end(), true) == at_.count();
    const double w = rate_, lean = all || !waits ? share : leaning;
    const Eigen::Vector2d to_center = at_.pendulum.center - base_.position.template head<2>();
    const Eigen::Vector2d center = last_.position.head<2>() + to_center;
    const Eigen::Vector2d velocity = last_.linear_velocity.head<2>();
    Eigen::Vector2d goal = trunk.position.head<2>() + to_center;
    Eigen::Vector2d speed = trunk.linear_velocity.head<2>();
    Eigen::Vector2d change = trunk.linear_acceleration.head<2>();
    const Eigen::Vector2d asked = goal + speed / w, kept = left.scaled(lean).closest(asked);
    const bool far = (kept - asked).norm() > much;
    const bool near = (goal - center).norm() < close && (speed - velocity).norm() < close * w;
    if (!far && near && feet.margin(goal - change / (w * w)) > 0.0)
    {
      return false;
    }
    const bool rough = change.norm() > lift * gravity_;
    if (feet.margin(center + velocity / w) <= 0.0)  // nothing that feet can do keeps it there
    {
      trunk.linear_velocity.head<2>() *= rough ? 0.0 : 1.0;
      trunk.linear_acceleration.head<2>() *= rough ? 0.0 : 1.0;
      return rough;
    }
    if (far || rough)
    {
      goal = far ? kept : goal;
      speed.setZero();
      change.setZero();
    }
    change += 2.0 * w * (speed - velocity) + w * w * (goal - center);
    const Eigen::Vector2d pressed = center - change / (w * w), borne = feet.closest(pressed);
    change = w * w * (center - borne);
    trunk.linear_acceleration.head<2>() = change;
    trunk.linear_velocity.head<2>() = velocity + step_ * change;
    trunk.position.head<2>() = last_.position.head<2>() + step_ * trunk.linear_velocity.head<2>();
    return far || rough || (pressed - borne).norm() > much;
  }

  /// Heights are gone to without a fall or a jump, and no further than the legs follow.
  bool lead_height(Motion & trunk) const noexcept
  {
    const double height = this->height();
    Vector way = Vector::Zero(), speed = way, change = way, velocity = way;
    way.z() = trunk.position.z() - last_.position.z();
    speed.z() = trunk.linear_velocity.z();
    change.z() = trunk.linear_acceleration.z();
    velocity.z() = last_.linear_velocity.z();
    const bool far = std::abs(way.z()) > height;
    const Step made = led({lift * gravity_, carry * height * rate_}, way, velocity, speed, change);
    const double there = last_.position.z() + way.z(), low = base_.position.z() - lag * height;
    const double held = std::clamp(there, low, low + 2.0 * lag * height);
    const bool lags = made != Step::none && held != there;
    trunk.position.z() = lags ? held : there;
    trunk.linear_acceleration.z() = lags ? 0.0 : change.z();
    trunk.linear_velocity.z() = lags ? 0.0 : speed.z();
    return made == Step::cut || lags || far;
  }

  /// Turns are gone to as fast as feet can press, and no further than the legs follow.
  bool lead_turn(const Stands & stands, Motion & trunk) const noexcept
  {
    const Eigen::Quaterniond home(Eigen::AngleAxisd(heading(stands), Vector::UnitZ()));
    Vector turn = turn_between(home, trunk.orientation);
    const bool far = shorten(turn, most_turned);
    if (far)
    {
      trunk.orientation = turned(turn, home);
      trunk.angular_velocity.setZero();
      trunk.angular_acceleration.setZero();
    }
    Vector way = turn_between(last_.orientation, trunk.orientation);
    Vector speed = trunk.angular_velocity, change = trunk.angular_acceleration;
    const Step made =
      led({turning * rate_ * rate_, spinning * rate_}, way, last_.angular_velocity, speed, change);
    const Eigen::Quaterniond there = turned(way, last_.orientation);
    Vector ahead = turn_between(base_.orientation, there);
    const bool lags = made != Step::none && shorten(ahead, turned_lag);
    trunk.angular_acceleration = (lags ? 0.0 : 1.0) * change;
    trunk.angular_velocity = (lags ? 0.0 : 1.0) * speed;
    trunk.orientation = lags ? turned(ahead, base_.orientation) : there;
    return made == Step::cut || lags || far;
  }

  /// Of the feet that stand about their middle, from how the robot stands [rad].
  double heading(const Stands & stands) const noexcept
  {
    Eigen::Vector2d middle = Eigen::Vector2d::Zero(), usual = middle, turn = middle;
    const auto each = [&](const auto & visit)
    {
      for (std::size_t i = 0; i < stands.size(); ++i)
      {
        if (stands[i])
        {
          visit(Eigen::Vector2d(at_.places[i].template head<2>()), at_.below[i]);
        }
      }
    };
    double count = 0.0;
    each(
      [&](const Eigen::Vector2d & place, const Eigen::Vector2d & below)
      {
        middle += place;
        usual += below;
        count += 1.0;
      });
    each(
      [&](const Eigen::Vector2d & place, const Eigen::Vector2d & below)
      {
        const Eigen::Vector2d now = place - middle / count, then = below - usual / count;
        turn += Eigen::Vector2d(then.dot(now), then.x() * now.y() - then.y() * now.x());
      });
    return std::atan2(turn.y(), turn.x());
  }

  struct Most
  {
    double acceleration, speed;
  };

  /// How a reference was moved on: not at all, as it is asked for, or as far as can be done.
  enum class Step
  {
    none,
    made,
    cut,
  };

  /// Moves on, critically damped, by what is asked for or, if that is too much, to it.
  ///
  /// \param way to the goal, then that of a step
  /// \param speed asked for at the goal, then that of the step, \param change its acceleration
  Step led(
    const Most & most, Vector & way, const Vector & velocity, Vector & speed,
    Vector & change) const noexcept
  {
    const double w = rate_;
    const bool beyond = speed.norm() > most.speed || change.norm() > most.acceleration;
    if (!beyond && way.norm() < close && (speed - velocity).norm() < close * w)
    {
      return Step::none;
    }
    if (beyond)
    {
      speed.setZero();
      change.setZero();
    }
    change += 2.0 * w * (speed - velocity) + w * w * way;
    shorten(change, most.acceleration);
    speed = velocity + step_ * change;
    shorten(speed, most.speed);
    way = step_ * speed;
    return beyond ? Step::cut : Step::made;
  }

  /// Of the center of mass above the feet [m].
  double height() const noexcept { return gravity_ / (rate_ * rate_); }

  const Placement & at_;
  const ground::State<Robot> & base_;
  const Motion & last_;
  double gravity_, rate_, step_;
};

/// Leads trunk and feet to what is asked for, as far as feet can follow; returns whether they
/// cannot. Feet that wait stand until the robot is over the others.
///
/// \param standing how the robot stands
/// \param closed which feet touch the ground
/// \param last reference of the cycle before
/// \param step time since then [s]
/// \param now what is asked for, then what can be followed
template <typename Robot>
bool lead(
  const legged::Settings<Robot> & standing, const ground::State<Robot> & state,
  const std::array<bool, legged::Placement<Robot>::feet> & closed,
  const whole_body::Reference<Robot> & last, double step,
  whole_body::Reference<Robot> & now) noexcept
{
  typename LedReference<Robot>::Stands stay{}, stands{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(standing.robot.contact_count); ++i)
  {
    stay[i] = now.feet[i].stance;
    stands[i] = stay[i] || (now.waits && last.feet[i].stance);
  }
  legged::Placement<Robot> placement(standing);
  placement.measure(state, stands);
  const LedReference<Robot> led(placement, state, last.trunk, standing.gravity.norm(), step);
  bool cannot = led.lead(stands, stay, now.waits, now.trunk);
  const bool lifts = led.over(stay);
  for (int i = 0; now.waits && i < placement.count(); ++i)
  {
    const auto at = static_cast<std::size_t>(i);
    whole_body::FootReference & foot = now.feet[at];
    const bool held = !foot.stance && stands[at] && !lifts;
    const bool lands = closed[at] && led.lands(i, foot.motion);
    foot.stance = foot.stance || held || lands;
    cannot = (!foot.stance && led.lead(i, foot.motion)) || held || cannot;
  }
  return cannot;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__LED_REFERENCE_HPP_
