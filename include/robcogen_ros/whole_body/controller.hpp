// Whole-body control of a robot on legs: joint efforts that move its trunk and its feet as wanted.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__CONTROLLER_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__CONTROLLER_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/whole_body/command.hpp"
#include "robcogen_ros/whole_body/cones.hpp"
#include "robcogen_ros/whole_body/errors.hpp"
#include "robcogen_ros/whole_body/joint_friction.hpp"
#include "robcogen_ros/whole_body/limits.hpp"
#include "robcogen_ros/whole_body/moves.hpp"
#include "robcogen_ros/whole_body/quadratic_program.hpp"
#include "robcogen_ros/whole_body/reference.hpp"
#include "robcogen_ros/whole_body/response.hpp"
#include "robcogen_ros/whole_body/settings.hpp"
#include "robcogen_ros/whole_body/support.hpp"
#include "robcogen_ros/whole_body/wishes.hpp"

namespace robcogen_ros::whole_body
{

/// Finds joint efforts by one quadratic program a cycle.
///
/// It weighs the accelerations of trunk, swing feet and joints against what is wanted of them.
/// Efforts stay within their limits, and forces of feet in the pyramids inside their cones.
///
/// Variables are the efforts and, of each foot's rows, the acceleration by which it leaves its
/// place (`Response`). Accelerations and forces are eliminated, so no equation is left, and the
/// program is as small as one can be that always has a solution: efforts alone would do as long as
/// feet can stand, and when a push lifts one of them there would be none. For a quadruped with
/// three joints a leg these are 24 variables, where accelerations and forces make 30 and 18
/// equations.
///
/// No call locks, throws or allocates, given settings that are valid(). The constructor allocates.
///
/// \tparam Robot the Traits of a generated robot with contacts, points or poses, on a floating base
template <typename Robot, template <int> class Solver = UsualSolver>
class Controller : Matrices<Robot>
{
  using Base = Matrices<Robot>;
  using Base::cones, Base::freedoms, Base::joints, Base::most, Base::rows, Base::variables;
  using typename Base::Matrix, typename Base::Vector;

public:
  static_assert(SizesOf<Robot>::may_float, "whole-body control is for robots on a floating base");
  using State = ground::State<Robot>;
  /// True if efforts and forces are always within their limits: where there is a QP library.
  static constexpr bool keeps_limits = Solver<most>::keeps_limits;
  using Closed = std::array<bool, SizesOf<Robot>::most_contacts>;

  Controller() : Controller(Robot()) {}
  explicit Controller(const Robot & robot) : Base(robot), robot_(robot) {}

  /// Efforts for a state and a reference.
  ///
  /// \param closed which contacts touch the ground, as measured
  /// \return valid until the next call
  const Command<Robot> & compute(
    const State & measured, const Closed & closed, const Reference<Robot> & reference,
    const Settings<Robot> & settings) noexcept
  {
    command_.faults = 0;
    command_.iterations = 0;
    if (!measured.finite() || !is_unit(measured.orientation.coeffs()))
    {
      command_.add(Fault::state_not_finite);
      if (known_)
      {
        state_.rates.setZero();
        support(closed, settings);
      }
      return command_;
    }
    state_ = measured;
    state_.orientation.normalize();
    follow(reference);
    known_ = true;
    command_.add(Fault::position_limits, at_position_limit(robot_, state_.q));
    response_.place(state_, settings);
    choose_stance(closed);
    response_.stand(state_, stance_, settings);
    want(settings);
    limit(settings);
    if (
      !solver_.solve(program_, settings.iterations, solution_) ||
      (brake(response_, state_, unit_, solution_, settings, program_) &&
       !solver_.solve(program_, settings.iterations, solution_)))
    {
      command_.add(Fault::no_solution);
      support(closed, settings);
      return command_;
    }
    command_.iterations = solver_.iterations();
    answer(settings);
    return command_;
  }

  /// The last program and its solution, in its own units.
  const auto & program() const noexcept { return program_; }
  const auto & solution() const noexcept { return solution_; }

private:
  // Rows of what is wanted: of the trunk, then these.
  static constexpr int first_foot = 6;
  int first_posture() const noexcept { return first_foot + rows; }
  int first_force() const noexcept { return first_posture() + joints; }

  /// Takes a reference; keeps the last one, at rest, instead of one with numbers missing.
  void follow(const Reference<Robot> & reference) noexcept
  {
    if (reference.finite())
    {
      reference_ = reference;
      return;
    }
    command_.add(Fault::reference_not_finite);
    if (!known_)
    {
      reference_ = Reference<Robot>(robot_);
      reference_.trunk.position = state_.position;
      reference_.trunk.orientation = state_.orientation;
      reference_.posture = state_.q;
    }
    reference_.trunk = reference_.trunk.at_rest();
    for (FootReference & foot : reference_.feet)
    {
      foot.motion = foot.motion.at_rest();
      foot.wrench.setZero();
    }
  }

  /// A foot stands that is to stand and touches the ground. In a flight none is to stand.
  void choose_stance(const Closed & closed) noexcept
  {
    stands_ = false;
    flies_ = true;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      stance_[i] = closed[i] && reference_.feet[i].stance;
      stands_ = stands_ || stance_[i];
      flies_ = flies_ && !reference_.feet[i].stance;
      if (closed[i] != reference_.feet[i].stance)
      {
        command_.add(Fault::schedule_disagrees);
      }
    }
    if (!stands_ && !flies_)
    {
      command_.add(Fault::all_contacts_lost);
    }
  }

  /// Gathers what is wanted as a quadratic form.
  void want(const Settings<Robot> & settings) noexcept
  {
    const double g = settings.gravity.norm();
    weight_ = std::max(response_.base_support.template tail<3>().norm(), 1e-9);
    friction_ = joint_friction(wanted_velocities(response_, reference_, robot_), settings);
    for (int i = 0; i < joints; ++i)
    {
      const double limit = settings.effort_limits(i) - std::abs(friction_(i));
      unit_(i) = std::min(limit, weight_);  // limits of files may be far from any effort
      program_.bounds(i) = std::min(limit / unit_(i), 1e20);
    }
    unit_.tail(rows).setConstant(g);
    program_.bounds.tail(rows).setConstant(1e20);
    wishes_.clear();
    if (stands_)
    {
      want_trunk(settings);
      const Vector missing = wanted_forces() - response_.forces;
      const double root = std::sqrt(settings.force_weight) * g / weight_;
      wishes_.add(first_force(), response_.forces_of, missing, root);
    }
    if (stands_ || flies_)
    {
      want_feet(settings);
    }
    const typename Robot::JointVector roots = posture_roots(response_.jacobian, settings);
    for (int i = 0; i < joints; ++i)
    {
      const double posture =
        settings.posture_gains.stiffness * (reference_.posture(i) - state_.q(i)) -
        settings.posture_gains.damping * state_.rates(6 + i);
      const double missing = posture - response_.accelerations(6 + i);
      const auto row = response_.accelerations_of.row(6 + i);
      wishes_.add(first_posture() + i, row, Eigen::Matrix<double, 1, 1>(missing), roots(i));
    }
    wishes_.square(unit_, g, program_);
    for (int i = joints; i < variables; ++i)
    {
      program_.hessian(i, i) += settings.stance_weight;
    }
  }

  void want_trunk(const Settings<Robot> & settings) noexcept
  {
    Motion measured;
    measured.position = state_.position;
    measured.orientation = state_.orientation;
    measured.angular_velocity = state_.orientation * state_.rates.template head<3>();
    measured.linear_velocity = state_.orientation * state_.rates.template segment<3>(3);
    const Feedback feedback(
      reference_.trunk, measured, settings.orientation_gains, settings.position_gains, settings);
    if (feedback.out_of_reach)
    {
      command_.add(Fault::reference_out_of_reach);
    }
    const Eigen::Vector3d turn =
      response_.base_axes * feedback.angular - response_.accelerations.template head<3>();
    const Matrix turns = response_.accelerations_of.topRows(3);
    wishes_.add(0, turns, turn, std::sqrt(settings.orientation_weight));
    trunk_ = response_.base_axes * feedback.linear;
    moves_.find(response_, state_, reference_.centered, weight_, settings);
    const Eigen::Vector3d move = trunk_ - moves_.free;
    wishes_.add(3, moves_.of, move, std::sqrt(settings.position_weight));
  }

  /// Wanted forces of the feet in stance, in axes of the base.
  Vector wanted_forces() const noexcept
  {
    Vector result = Vector::Zero(rows);
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const int first = robot_.contacts[i].first_row, count = robot_.contacts[i].rows();
      for (int row = 0; stance_[i] && row < count; row += 3)
      {
        const auto wanted = reference_.feet[i].wrench.template segment<3>(6 - count + row);
        result.template segment<3>(first + row) = response_.base_axes * wanted;
      }
    }
    return result;
  }

  void want_feet(const Settings<Robot> & settings) noexcept
  {
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      if (!stance_[i])
      {
        const Contact & contact = robot_.contacts[i];
        const Motion measured = motion_of(i);
        Motion reference =
          reference_.feet[i].stance ? landing(measured, settings) : reference_.feet[i].motion;
        if (contact.rows() == 3)
        {
          reference.orientation = measured.orientation;
        }
        const Feedback feedback(
          reference, measured, settings.foot_gains, settings.foot_gains, settings);
        if (feedback.out_of_reach)
        {
          command_.add(Fault::reference_out_of_reach);
        }
        want_foot(contact.first_row + contact.rows() - 3, feedback.linear, settings);
        if (contact.rows() == 6)
        {
          want_foot(contact.first_row, feedback.angular, settings);
        }
      }
    }
  }

  /// Pose and twist of a foot in the world.
  Motion motion_of(int foot) const noexcept
  {
    const Contact & contact = robot_.contacts[foot];
    const auto pose = response_.foot(contact);
    const Eigen::Matrix3d axes = response_.base_axes.transpose();
    Motion result;
    result.position = state_.position + axes * pose.translation();
    result.orientation = Eigen::Quaterniond(Eigen::Matrix3d(axes * pose.rotation()));
    result.linear_velocity =
      axes * response_.velocities.template segment<3>(contact.first_row + contact.rows() - 3);
    if (contact.rows() == 6)
    {
      result.angular_velocity = axes * response_.velocities.template segment<3>(contact.first_row);
    }
    return result;
  }

  /// Three rows of a swing foot.
  void want_foot(
    int row, const Eigen::Vector3d & acceleration, const Settings<Robot> & settings) noexcept
  {
    const auto jacobian = response_.jacobian.middleRows(row, 3);
    const Eigen::Vector3d wanted = response_.base_axes * acceleration -
                                   response_.bias.template segment<3>(row) -
                                   product<Eigen::Vector3d>(jacobian, response_.accelerations);
    const Matrix map = product<Matrix>(jacobian, response_.accelerations_of);
    wishes_.add(first_foot + row, map, wanted, std::sqrt(settings.foot_weight));
  }

  /// Gathers the inequalities: forces in their pyramids, as shares of the weight.
  void limit(const Settings<Robot> & settings) noexcept
  {
    program_.rows.setZero();
    program_.lower.setConstant(-1e20);
    program_.upper.setConstant(1e20);
    const Eigen::Vector3d normal = response_.base_axes * settings.ground_normal.normalized();
    const double friction = 0.998 * settings.friction;  // room for the solver's tolerance
    int row = 0;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const Contact & contact = robot_.contacts[i];
      if (stance_[i] && contact.rows() == 6)
      {
        const Sole sole(
          response_.foot(contact).rotation() * settings.soles[i], normal, settings.sole_share);
        limit_foot(row, contact.first_row, sole_cone(sole, friction), settings);
      }
      else if (stance_[i])
      {
        limit_foot(row, contact.first_row, point_cone(normal, friction), settings);
      }
      row += cone_rows(contact.rows());
    }
  }

  void limit_foot(int row, int first, const View & cone, const Settings<Robot> & settings) noexcept
  {
    const int last = row + cone.rows - 1;
    const double share = 1.0 / weight_;
    const auto forces_of = response_.forces_of.middleRows(first, cone.columns);
    multiply(cone, forces_of, program_.rows.middleRows(row, cone.rows), share);
    for (int i = row; i <= last; ++i)
    {
      for (int j = 0; j < variables; ++j)
      {
        program_.rows(i, j) *= unit_(j);
      }
    }
    const auto forces = response_.forces.segment(first, cone.columns);
    multiply(cone, forces, program_.lower.segment(row, cone.rows), -share);
    program_.upper(last) = settings.greatest_normal_force + program_.lower(last);
    program_.lower(last) += settings.least_normal_force;
  }

  /// Efforts, forces and accelerations of the solution.
  void answer(const Settings<Robot> & settings) noexcept
  {
    if (
      !keeps_limits && (program_.violation(solution_) > 1e-6 ||
                        (solution_.array().abs() > program_.bounds.array()).any()))
    {
      command_.add(Fault::limits_exceeded);
    }
    Vector x = unit_.cwiseProduct(solution_);
    for (int i = 0; i < joints; ++i)
    {
      const double room = settings.effort_limits(i) - std::abs(friction_(i));
      x(i) = std::max(std::min(x(i), room), -room);
      command_.efforts(i) = x(i) + friction_(i);
    }
    command_.forces = response_.forces + product<Vector>(response_.forces_of, x);
    command_.accelerations =
      response_.accelerations + product<Vector>(response_.accelerations_of, x);
    command_.add(
      Fault::trunk_not_followed,
      stands_ && trunk_missed(moves_.free + product<Vector>(moves_.of, x), trunk_, settings));
  }

  /// Holds the robot against gravity by the feet that stand, after a fault; joints are damped.
  void support(const Closed & closed, const Settings<Robot> & settings) noexcept
  {
    hold(response_, state_, closed, settings, command_);
  }

  Robot robot_;
  bool known_ = false;  ///< whether there was a state before
  bool stands_ = false;
  bool flies_ = false;
  State state_{robot_};
  Reference<Robot> reference_{robot_};
  Closed stance_{};
  Response<Robot> response_{robot_};
  double weight_ = 1.0;
  typename Robot::JointVector friction_;
  Vector unit_{variables};
  Wishes<Robot> wishes_{first_force() + rows, variables};
  Eigen::Vector3d trunk_ = Eigen::Vector3d::Zero();  ///< its wanted linear acceleration, base axes
  Moves<Robot> moves_;                               ///< and as a function of the variables
  QuadraticProgram<most> program_{variables, cones};
  Solver<most> solver_{variables, cones};
  Vector solution_{variables};
  Command<Robot> command_{robot_};
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__CONTROLLER_HPP_
