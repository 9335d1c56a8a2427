// A robot on a hard, rough plane: sticking, sliding, lift-off and impacts, each at its time.
#ifndef ROBCOGEN_ROS__GROUND__GROUND_HPP_
#define ROBCOGEN_ROS__GROUND__GROUND_HPP_

#include <Eigen/Core>
#include <algorithm>

#include "robcogen_ros/ground/events.hpp"
#include "robcogen_ros/ground/hold.hpp"
#include "robcogen_ros/ground/impact.hpp"
#include "robcogen_ros/ground/moreau.hpp"
#include "robcogen_ros/ground/resolve.hpp"
#include "robcogen_ros/ground/scene.hpp"

namespace robcogen_ros::ground
{

/// Reasons for which a run ends.
enum class Fault
{
  none,
  bad_settings,  ///< a number of the settings is out of its range
  bad_state,     ///< a number of the state is not finite
  bad_effort,    ///< a number of the efforts or of the external forces is not finite
  below_ground,  ///< the robot starts below the plane
  too_fast,      ///< the motion cannot be computed any more
  fallen,        ///< the base's origin is below the plane
};

/// Simulates a robot with a floating base on a plane.
///
/// Between events the motion is integrated by Runge-Kutta's method of order four, with the contacts
/// that stick held by rows of their accelerations, and those that slide opposed to their velocity.
/// An event is located in time to 1e-10 m or as many parts of the weight: a touch-down, a lift-off,
/// the begin of sliding, its end, a joint's stop. Impacts are solved for impulses that only push,
/// within their friction cones (compression, then restitution, Poisson's hypothesis). After each
/// event contacts that carry, stick and slide are found anew as a complementarity problem. What
/// slides so slowly that it may stick comes to rest in a very short step of Moreau's time stepping.
/// Where the problem has no solution (much friction, Painleve), or events do not end, the rest of
/// the step is one of these, which always have one; so is a whole step whose forces would leave
/// their cones. That is counted. Feet are put back to where they stick after each step, so that
/// nothing drifts.
///
/// It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot the Traits of a generated robot with a floating base and contacts, each a position
///   or a pose; needs `inertia_matrix`, `forward_dynamics`, `contact_jacobian`, `contact_bias`,
///   `kinematics`
template <typename Robot>
class Ground
{
  static_assert(SizesOf<Robot>::may_float, "a robot on the ground has a floating base");
  static_assert(contacts_may_be_feet<Robot>(), "contacts on the ground are positions or poses");

public:
  using JointVector = typename Robot::JointVector;
  using Vector6 = typename Robot::Vector6;
  using Wrenches = typename Robot::Wrenches;

  explicit Ground(const Settings<Robot> & settings) noexcept
  : scene_(settings), mean_(scene_.impulses)
  {
  }

  /// Puts the robot somewhere. Feet within a micrometre of the plane touch it.
  Fault place(const State<Robot> & state) noexcept
  {
    if (!scene_.settings.valid())
    {
      return Fault::bad_settings;
    }
    if (!state.finite() || !(state.orientation.norm() > 0.0))
    {
      return Fault::bad_state;
    }
    scene_.state = state;
    scene_.state.orientation.normalize();
    scene_.state.q = within_stops(scene_, state.q);
    scene_.mode = {};
    scene_.added.setZero();
    scene_.counters = {};
    mean_.setZero();
    rocking_ = 0.0;
    rocks_ = false;
    if (!touch_down())
    {
      return Fault::below_ground;
    }
    project(scene_, false);
    collide(scene_);
    return Fault::none;
  }

  int contact_count() const noexcept { return scene_.robot.contact_count; }
  const Settings<Robot> & settings() const noexcept { return scene_.settings; }
  const State<Robot> & state() const noexcept { return scene_.state; }
  const Counters & counters() const noexcept { return scene_.counters; }
  const Mode<Robot> & mode() const noexcept { return scene_.mode; }

  /// Returns true if a foot touches the plane.
  bool touches(int contact) const noexcept { return scene_.mode.feet[contact].touches(); }

  /// Wrench [n; f] of the plane on a foot, about the origin of its frame, in world axes; the mean
  /// of the last step, impacts included [N m, N].
  Vector6 wrench(int contact) const noexcept { return mean_.col(contact); }

  /// Forces on the feet of a robot that something holds in its place: its weight, alike on those
  /// that touch, in world axes [N].
  Eigen::Matrix<double, 3, SizesOf<Robot>::most_contacts> held_forces() const noexcept
  {
    Eigen::Matrix<double, 3, SizesOf<Robot>::most_contacts> result;
    result.setZero();
    int count = 0;
    for (int i = 0; i < contact_count(); ++i)
    {
      count += touches(i) ? 1 : 0;
    }
    for (int i = 0; i < contact_count() && count > 0; ++i)
    {
      const double share = touches(i) ? scene_.weight / count : 0.0;
      result.col(i) = -share * scene_.settings.gravity.normalized();
    }
    return result;
  }

  /// Moves on in one step.
  ///
  /// \param effort of the joints, constant within the step [N m or N]
  /// \param step its length, less than a second [s]
  /// \param external_forces wrench on each link, in its coordinates [N m, N]
  Fault advance(const JointVector & effort, double step, const Wrenches & external_forces) noexcept
  {
    if (!effort.allFinite() || !external_forces.allFinite() || !(step > 0.0) || !(step < 1.0))
    {
      return Fault::bad_effort;
    }
    scene_.effort = effort;
    scene_.external = external_forces;
    const State<Robot> start = scene_.state;
    const Mode<Robot> mode = scene_.mode;
    scene_.impulses.setZero();
    damp(scene_, step);
    go(step);
    if (!in_cones(step))
    {
      scene_.state = start;
      scene_.mode = mode;
      scene_.impulses.setZero();
      move_by_impulses(step);
    }
    mean_ = scene_.impulses / step;
    return outcome();
  }

  /// Moves on without external forces.
  Fault advance(const JointVector & effort, double step) noexcept
  {
    scene_.external.setZero();
    return advance(effort, step, scene_.external);
  }

private:
  static constexpr double start_tolerance = 1e-6;  ///< of feet that stand at the start [m]
  static constexpr double fastest = 1e6;           ///< speed at which a motion has run away
  /// Count of events in a step after which joints rock from stop to stop, soles from corner to
  /// corner, or feet touch and leave the ground, ever faster: the rest is moved on by impulses.
  static constexpr int most_events = 20, most_events_of_soles = 6;
  /// Time for which soles that rock, and what rocks in two steps, are moved on by impulses, which
  /// bring all to rest [s].
  static constexpr double calming = 0.03;

  /// Closes the contacts of feet at the plane; false if one is below.
  bool touch_down() noexcept
  {
    update(scene_, scene_.state);
    bool above = true;
    for (int foot = 0; foot < scene_.robot.contact_count; ++foot)
    {
      for (int k = 0; k < scene_.rows.points(foot); ++k)
      {
        const double gap = scene_.rows.gap(scene_.mechanics, scene_.state, foot, k);
        above = above && gap >= -start_tolerance;
        scene_.mode.feet[foot].closed[k] = gap <= start_tolerance;
      }
      shape(scene_, foot);
    }
    return above;
  }

  /// Returns true if the impulses of a step are possible as those of forces that last as long.
  bool in_cones(double step) const noexcept
  {
    const double small = 4.0 * step * weak(scene_);
    for (int foot = 0; foot < scene_.robot.contact_count; ++foot)
    {
      const Eigen::Vector3d sum = scene_.axes * scene_.impulses.template block<3, 1>(3, foot);
      if (
        sum.z() < -small || sum.head<2>().norm() > scene_.settings.plane.friction * sum.z() + small)
      {
        return false;
      }
    }
    return true;
  }

  /// Moves on by impulses.
  void move_by_impulses(double time) noexcept
  {
    if (time > 0.0 && scene_.state.finite())
    {
      ++scene_.counters.unsettled;
      step_by_impulses(scene_, time);
    }
  }

  /// Brings to rest what is slow, and finds what holds. Returns the time that it took.
  double settle(double left) noexcept
  {
    const double time = std::min(easing_time(scene_), left);
    if (time > 0.0)
    {
      step_by_impulses(scene_, time);
    }
    scene_.fresh = resolve(scene_) && fits_now(scene_);
    return time;
  }

  void go(double step) noexcept
  {
    const double rocking = std::min(step, rocking_);
    move_by_impulses(rocking);
    rocking_ -= rocking;
    const bool soles = scene_.settings.has_soles();
    const int most = soles ? most_events_of_soles : most_events;
    double left = step - rocking;
    int events = 0;
    while (left > 0.0 && scene_.state.finite())
    {
      if (!scene_.fresh || !fits_now(scene_))
      {
        left -= settle(left);
      }
      if (!scene_.fresh || events > most)
      {
        rocking_ = (soles || rocks_) && events > most ? calming : 0.0;
        rocks_ = events > most;
        move_by_impulses(left);
        return;
      }
      aim(scene_);
      const double part = std::min(left, sliding_step(step));
      double time = part;
      Trial<Robot> trial = integrate(scene_, part);
      const Watch<Robot> end = watch(scene_, trial.state);
      const bool event = end.minCoeff() < -1.0;
      if (event)
      {
        time = locate(scene_, end, part, trial);
        ++events;
      }
      if (jams(scene_, trial))
      {
        move_by_impulses(left);
        return;
      }
      scene_.state = trial.state;
      scene_.impulses += trial.impulses;
      project(scene_, true);
      left = time < left ? left - time : 0.0;
      if (event)
      {
        happen(end);
      }
    }
    rocks_ = false;
  }

  /// The longest step that is stable with feet that slide: across its sliding, a foot slows down
  /// the faster the slower it slides. Below the speed for which a sixteenth of a step would be too
  /// long, the direction of its friction does not turn.
  double sliding_step(double step) noexcept
  {
    double longest = step;
    for (int foot = 0; foot < scene_.robot.contact_count; ++foot)
    {
      FootMode & mode = scene_.mode.feet[foot];
      if (mode.rubbing == Rubbing::sliding)
      {
        const Friction & friction = scene_.problem.frictions[scene_.rows.foot_friction[foot]];
        const double speed = slip(scene_, friction, scene_.state).norm();
        const double slowing = scene_.problem.radius(friction) * scene_.problem.trace(friction);
        mode.slow = slowing * step / 16.0;
        longest = std::min(longest, std::max(speed / (1e-300 + slowing), step / 16.0));
      }
    }
    return longest;
  }

  Fault outcome() const noexcept
  {
    const State<Robot> & state = scene_.state;
    if (!state.finite() || !(state.rates.cwiseAbs().maxCoeff() < fastest))
    {
      return Fault::too_fast;
    }
    const Plane & plane = scene_.settings.plane;
    return plane.normal.dot(state.position - plane.point) < 0.0 ? Fault::fallen : Fault::none;
  }

  /// Applies what events change at once; `resolve` then finds which contacts hold.
  void happen(const Watch<Robot> & end) noexcept
  {
    bool touched = false;
    for (int foot = 0; foot < scene_.robot.contact_count; ++foot)
    {
      const FootMode & mode = scene_.mode.feet[foot];
      for (int k = 0; k < scene_.rows.points(foot); ++k)
      {
        touched = touched || (end(4 * foot + k) < -1.0 && !mode.closed[k]);
      }
    }
    for (int i = 0; i < scene_.robot.joint_count; ++i)
    {
      const JointMode & mode = scene_.mode.joints[i];
      const auto of = end.template segment<3>(5 * scene_.robot.contact_count + 3 * i);
      touched = touched || (of(0) < -1.0 && mode.stop != -1) || (of(1) < -1.0 && mode.stop != 1);
    }
    ++(touched ? scene_.counters.impacts : scene_.counters.switches);
    if (touched)
    {
      collide(scene_);
    }
    scene_.fresh = false;
  }

  Scene<Robot> scene_;
  Impulses<Robot> mean_;
  bool rocks_ = false;    ///< whether the last step had too many events
  double rocking_ = 0.0;  ///< time for which what rocks is moved on by impulses [s]
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__GROUND_HPP_
