// A robot that moves by its forward dynamics, touched by nothing.
#ifndef ROBCOGEN_ROS__CONTROL__SIMULATION_HPP_
#define ROBCOGEN_ROS__CONTROL__SIMULATION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/control/joint_impulses.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/joint_friction.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::control
{

/// Reasons for which a simulation ends.
enum class SimulationFault
{
  none,
  bad_settings,
  bad_state,
  bad_step,
  too_fast
};

/// Names of SimulationFault, in the order of the enumeration.
constexpr std::array simulation_fault_names{
  "nothing is wrong", "a setting is out of its range", "a number of the state is not finite",
  "an external force or the length of the step is out of its range",
  "the simulated motion is too fast to be computed"};

/// Settings of a simulation.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time
template <typename Robot>
struct SimulationSettings
{
  Robot robot;
  Dissipation<Robot> dissipation;
  /// Gravity in base coordinates; in the world if the base floats [m/s^2]. None: the model's, or
  /// downwards if the base floats. Only for robots that are known at run time.
  std::optional<Eigen::Vector3d> gravity;
  typename ConstantsOf<Robot>::Type constants{};

  SimulationSettings() : SimulationSettings(Robot()) {}
  explicit SimulationSettings(const Robot & given) : robot(given), dissipation(robot) {}
};

/// Integrates the equation of motion of a robot under efforts, limited to what its motors can give
/// (nothing where one is no number).
///
/// On a fixed base by Gauss-Legendre collocation (two stages, order four), which is symmetric in
/// time: where no one adds energy it keeps it, without drift, however long it runs. Where friction
/// or stops take energy a step is one of the midpoint rule, order two, and they act implicitly at
/// its end. A base that floats, as only robots that are known at run time have it here, moves by
/// Runge-Kutta's method of order four, and friction and stops act at the end of the step.
///
/// It allocates nothing, locks nothing and throws nothing.
///
/// \tparam Robot the Traits of a generated robot, or one that is known at run time; needs
///   `inertia_matrix` and `forward_dynamics`
template <typename Robot>
class Simulation
{
public:
  using JointVector = typename Robot::JointVector;
  using State = ground::State<Robot>;
  using Rates = typename State::Rates;
  /// Efforts along the joints, of what a motor gives, at a position.
  using Drive = std::function<JointVector(const JointVector & q, const JointVector & given)>;

  explicit Simulation(const SimulationSettings<Robot> & settings) noexcept
  : settings_(settings),
    limits_(settings_.robot),
    state_(settings_.robot),
    effort_(JointVector::Zero(settings_.robot.joint_count)),
    accelerations_{effort_, effort_},
    impulses_(state_.rates)
  {
  }

  /// Puts the robot somewhere; joints beyond their stops are at these.
  SimulationFault place(const State & state) noexcept
  {
    if (!settings_.dissipation.valid() || (settings_.gravity && !settings_.gravity->allFinite()))
    {
      return SimulationFault::bad_settings;
    }
    if (!state.finite() || !(state.orientation.norm() > 0.0))
    {
      return SimulationFault::bad_state;
    }
    state_ = state;
    state_.orientation.normalize();
    state_.q = within_stops(state.q);
    effort_ = JointVector::Zero(state.q.size());
    accelerations_.fill(effort_);
    impulses_ = JointImpulses<Robot>(Rates::Zero(state_.rates.size()));
    return SimulationFault::none;
  }

  const State & state() const noexcept { return state_; }

  /// Efforts that the motors gave in the last step [N m or N].
  const JointVector & effort() const noexcept { return effort_; }

  /// Moves on in one step; after a fault the robot is somewhere on the way.
  ///
  /// \param effort of the joints, constant within the step [N m or N]
  /// \param step its length, less than a second [s]
  /// \param external_forces 6 numbers a link, the wrench on it in its coordinates [N m, N], for
  ///   robots that are known at run time; null if there are none
  SimulationFault advance(
    const JointVector & effort, double step, const double * external_forces = nullptr) noexcept
  {
    return drive(nullptr, limits_.given(effort), step, external_forces);
  }

  /// Moves on in one step under what motors give, constant within it.
  ///
  /// \param along what it is; null: what is given
  SimulationFault drive(
    const Drive * along, const JointVector & given, double step,
    const double * external_forces = nullptr) noexcept
  {
    if (!(step > 0.0) || !(step < 1.0))
    {
      return SimulationFault::bad_step;
    }
    along_ = along;
    effort_ = given;
    external_.numbers = external_forces;
    bool moved = false;
    if (settings_.robot.floating_base)
    {
      moved = fly(step);
    }
    else
    {
      constexpr int halvings = 6;
      moved = divide(step, halvings);
    }
    return moved ? SimulationFault::none : SimulationFault::too_fast;
  }

private:
  /// An input of a function that may be left out.
  struct Input
  {
    const double * numbers = nullptr;
    const double * data() const noexcept { return numbers; }
  };
  static constexpr double fastest = 1e6;  ///< speed [rad/s or m/s] of a motion that has run away
  static constexpr double root = 0.28867513459481287;  ///< of 1/12

  /// One step, or two of half the length where its equations are not solved.
  bool divide(double step, int halvings) noexcept
  {
    if (take_step(step))
    {
      return true;
    }
    accelerations_.fill(JointVector::Zero(state_.q.size()));
    return halvings > 0 && divide(0.5 * step, halvings - 1) && divide(0.5 * step, halvings - 1);
  }

  bool take_step(double step) noexcept
  {
    const JointVector qd = state_.qd();
    const JointVector ahead = state_.q + step * (qd + 0.5 * step * accelerations_[1]);
    if (!settings_.dissipation.present() && !at_stops(ahead))
    {
      return collocation(step);
    }
    const JointVector middle = state_.q + 0.5 * step * qd;
    return prepare(middle, ahead, step) && midpoint(step);
  }

  /// Moves on without friction: accelerations at both nodes agree with the states that they make.
  bool collocation(double step) noexcept
  {
    constexpr int iterations = 12;
    constexpr double tolerance = 1e-10;  // as changes of velocity, where energy is kept
    constexpr double accepted = 1e-8;
    const JointVector q = state_.q, qd = state_.qd();
    auto & [a, b] = accelerations_;
    const JointVector change = (0.5 / root) * (b - a);
    a += change;  // extrapolated from the nodes of the last step
    b += change;
    const double size = 1.0 + largest(qd) + step * std::max(largest(a), largest(b));
    double left = 0.0;
    for (int i = 0; i < iterations; ++i)
    {
      const JointVector first = acceleration(
        q + step * ((0.5 - root) * qd + step * (a / 24.0 + (0.125 - 0.5 * root) * b)),
        qd + step * (0.25 * a + (0.25 - root) * b));
      const JointVector second = acceleration(
        q + step * ((0.5 + root) * qd + step * ((0.125 + 0.5 * root) * a + b / 24.0)),
        qd + step * ((0.25 + root) * a + 0.25 * b));
      left = step * std::max(largest(first - a), largest(second - b));
      a = first;
      b = second;
      if (!(left > tolerance * size))
      {
        break;
      }
    }
    const JointVector mean = (0.25 + 0.5 * root) * a + (0.25 - 0.5 * root) * b;
    return left <= accepted * size &&
           finish(q + step * (qd + step * mean), qd + 0.5 * step * (a + b));
  }

  /// Moves on with friction or stops: by the acceleration in the middle, less what they take.
  bool midpoint(double step) noexcept
  {
    const JointVector q = state_.q, qd = state_.qd();
    auto & [a, b] = accelerations_;
    JointVector velocity = qd + 0.5 * step * b;
    Rates after;
    for (int i = 0; i < 2; ++i)
    {
      a = b = acceleration(q + 0.25 * step * (qd + velocity), velocity);
      const Rates free = qd + step * a;
      if (!(free.squaredNorm() <= fastest * fastest))
      {
        return false;
      }
      after = impulses_.after(free);
      velocity = 0.5 * (qd + after);
    }
    return finish(q + step * velocity, after);
  }

  /// Takes over a step that came out well.
  bool finish(const JointVector & q, const Rates & rates) noexcept
  {
    state_.q = within_stops(q);
    state_.rates = rates;
    return state_.finite();
  }

  JointVector along(const JointVector & q) const noexcept
  {
    return along_ == nullptr ? effort_ : (*along_)(q, effort_);
  }

  /// Forward dynamics of joints without friction, which acts at the end of the step.
  JointVector acceleration(const JointVector & q, const JointVector & qd) const noexcept
  {
    const Robot & robot = settings_.robot;
    const JointVector effort = without_friction(robot, along(q), qd);
    if constexpr (sized_at_run_time<Robot>)
    {
      const Input gravity{settings_.gravity ? settings_.gravity->data() : nullptr};
      return robot.forward_dynamics(q, qd, effort, gravity, external_).qdd;
    }
    else
    {
      const auto function = [&](const auto &... all) -> JointVector
      { return robot.forward_dynamics(all...); };
      return with_constants<Robot>(settings_.constants, function, q, qd, effort);
    }
  }

  /// A step of a robot whose base floats.
  bool fly([[maybe_unused]] double step) noexcept
  {
    if constexpr (sized_at_run_time<Robot>)
    {
      const State after = ground::runge_kutta(
        state_, step, [this](const State & state, double) { return accelerations(state); });
      if (!after.finite() || !(largest(after.rates) <= fastest))
      {
        return false;
      }
      Rates change = Rates::Zero(after.rates.size());
      if (settings_.dissipation.present() || at_stops(after.q))
      {
        const JointVector middle = 0.5 * (state_.q + after.q);
        if (!prepare(middle, after.q, step))
        {
          return false;
        }
        change = impulses_.after(after.rates) - after.rates;
      }
      state_ = after;
      const Eigen::Vector3d linear = change.template segment<3>(3);
      state_.position += 0.5 * step * (state_.orientation * linear);
      state_.q = within_stops(after.q + 0.5 * step * change.tail(after.q.size()));
      state_.rates += change;
    }
    return state_.finite();
  }

  /// Forward dynamics of all degrees of freedom.
  Rates accelerations(const State & state) const noexcept
  {
    const JointVector qd = state.qd();
    const JointVector effort = without_friction(settings_.robot, along(state.q), qd);
    const Eigen::Vector3d gravity =
      state.orientation.conjugate() * settings_.gravity.value_or(standard_gravity());
    const auto found = settings_.robot.forward_dynamics(
      state.q, qd, effort, state.base_velocity(), gravity, external_);
    Rates result(state.rates.size());
    result << found.base_acceleration, found.qdd;
    return result;
  }

  /// Prepares what friction and stops do.
  ///
  /// \param q where the inertia is that of the step
  /// \param ahead where the joints would be
  bool prepare(const JointVector & q, const JointVector & ahead, double step) noexcept
  {
    const auto function = [this](const auto &... all) -> typename JointImpulses<Robot>::Inertia
    { return settings_.robot.inertia_matrix(all...); };
    const auto inertia = with_constants<Robot>(settings_.constants, function, q);
    return impulses_.prepare(
      inertia, state_.rates, step, settings_.dissipation, [&](int joint)
      { return below(ahead, joint); }, [&](int joint) { return above(ahead, joint); });
  }

  /// Returns true if a joint is at its lower stop; one whose stops are one place is at both.
  bool below(const JointVector & q, int joint) const noexcept
  {
    return settings_.dissipation.stops && (q(joint) < limits_.lower(joint) || held(joint));
  }
  bool above(const JointVector & q, int joint) const noexcept
  {
    return settings_.dissipation.stops && (q(joint) > limits_.upper(joint) || held(joint));
  }
  bool held(int joint) const noexcept { return limits_.lower(joint) == limits_.upper(joint); }

  bool at_stops(const JointVector & q) const noexcept
  {
    bool result = false;
    for (int i = 0; i < q.size(); ++i)
    {
      result = result || below(q, i) || above(q, i);
    }
    return result;
  }

  JointVector within_stops(const JointVector & q) const noexcept
  {
    return settings_.dissipation.stops ? q.cwiseMax(limits_.lower).cwiseMin(limits_.upper).eval()
                                       : q;
  }

  template <typename Values>
  static double largest(const Values & values) noexcept
  {
    return values.template lpNorm<Eigen::Infinity>();
  }

  const SimulationSettings<Robot> settings_;
  const Limits<Robot> limits_;
  State state_;
  JointVector effort_;
  std::array<JointVector, 2> accelerations_;  ///< at the nodes of the last step
  JointImpulses<Robot> impulses_;
  Input external_;
  const Drive * along_ = nullptr;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__SIMULATION_HPP_
