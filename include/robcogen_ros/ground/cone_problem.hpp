// Forces of contacts that only push, with Coulomb friction: a complementarity problem.
#ifndef ROBCOGEN_ROS__GROUND__CONE_PROBLEM_HPP_
#define ROBCOGEN_ROS__GROUND__CONE_PROBLEM_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/ground/cone_rows.hpp"

namespace robcogen_ros::ground
{

/// Finds forces f with the motion u = A f + b of their rows, such that
/// - a normal row has f >= least, u >= 0, and u = 0 where f > least (Signorini);
/// - rows that rub have |f| <= r, and f = -r u / |u| where u is not zero (Coulomb), r being the
///   coefficient times the sum of their normal forces, plus the bound.
///
/// u are accelerations, or velocities after an impact. A is the Delassus matrix J H^-1 J'; it may
/// be singular: forces then are not unique, motion is. With much friction there may be no solution.
/// \source Acary, Brogliato: Numerical Methods for Nonsmooth Dynamical Systems, 2008, chapters 4,
/// 13
///
/// \tparam most the greatest number of rows
template <int most>
class ConeProblem : public ConeRows<most>
{
  using Base = ConeRows<most>;

public:
  using Base::A, Base::b, Base::least, Base::near, Base::force, Base::motion, Base::normal;
  using Base::carries, Base::find_motion, Base::of, Base::pushes, Base::set, Base::friction_count,
    Base::frictions, Base::radius;
  using Base::size, Base::trace;

  /// Forces where it is known which rows carry, which stick, and whither others slide.
  bool solve_known() noexcept
  {
    gather();
    const int count = static_cast<int>(right_.size());
    Values<most> found(count);
    for (int i = 0; i < count; ++i)
    {
      found(i) = near(unknown_[i]);
    }
    if (count > 0)
    {
      // a proximal iteration: exact where A is regular, nearest where it is not
      damped_ = matrix_;
      damped_.diagonal().array() += 1e-7 * matrix_.diagonal().array().abs().mean();
      factor_.compute(damped_);
      for (int i = 0; i < 8; ++i)
      {
        residual_ = right_ - product<Values<most>>(matrix_, found);
        if (residual_.template lpNorm<Eigen::Infinity>() <= 1e-14 * motion_scale())
        {
          break;
        }
        factor_.solve(residual_.data());
        found += residual_;
      }
    }
    spread(found);
    find_motion();
    return force.allFinite();
  }

  /// Forces, and which rows carry and which stick. False if none were found that fit.
  bool solve() noexcept
  {
    start();
    if (solve_known() && fits())
    {
      return true;
    }
    relax(few);
    if (settle())
    {
      return true;
    }
    relax();
    return settle();
  }

  /// Projected Gauss-Seidel: each row in turn takes the force that it needs, within its cone.
  /// Where it does not converge, its forces are in their cones all the same.
  void relax(int sweeps = many) noexcept
  {
    force = least;
    for (int sweep = 0; sweep < sweeps; ++sweep)
    {
      double change = 0.0;
      for (int row = 0; row < size(); ++row)
      {
        if (normal[row])
        {
          const double before = force(row), u = dot(size(), &A(0, row), force.data()) + b(row);
          force(row) = std::max(least(row), before - u / A(row, row));
          change = std::max(change, std::abs(force(row) - before));
        }
      }
      for (int i = 0; i < friction_count; ++i)
      {
        change = std::max(change, rub(frictions[i]));
      }
      if (!(change > 1e-14 * force_scale()))
      {
        break;
      }
    }
    find_motion();
  }

private:
  static constexpr int few = 20, many = 400, changes = 30;
  static constexpr double tolerance = 1e-10;

  /// The simplest guess: all carry, and stick where they do not move.
  void start() noexcept
  {
    carries.fill(true);
    for (int i = 0; i < friction_count; ++i)
    {
      frictions[i].sticks = !frictions[i].moves;
    }
  }

  double force_scale() const noexcept { return 1e-300 + force.template lpNorm<Eigen::Infinity>(); }
  double motion_scale() const noexcept { return 1e-300 + b.template lpNorm<Eigen::Infinity>(); }

  /// Unknown are the forces of normal rows that carry and of rows that stick.
  void gather() noexcept
  {
    int count = 0;
    known_ = Values<most>::Zero(size());
    columns_ = A;
    for (int i = 0; i < friction_count; ++i)
    {
      add_sliding(frictions[i]);
    }
    for (int row = 0; row < size(); ++row)
    {
      if (normal[row])
      {
        if (carries[row])
        {
          unknown_[count++] = row;
        }
        else
        {
          known_ += least(row) * columns_.col(row);
        }
      }
    }
    for (int i = 0; i < friction_count; ++i)
    {
      for (int k = 0; frictions[i].sticks && k < frictions[i].size; ++k)
      {
        unknown_[count++] = frictions[i].first + k;
      }
    }
    matrix_.resize(count, count);
    right_.resize(count);
    for (int i = 0; i < count; ++i)
    {
      right_(i) = -b(unknown_[i]) - known_(unknown_[i]);
      for (int k = 0; k < count; ++k)
      {
        matrix_(i, k) = columns_(unknown_[i], unknown_[k]);
      }
    }
  }

  /// A force that slides follows from the normal ones: these then act with it.
  void add_sliding(const Friction & friction) noexcept
  {
    if (friction.sticks)
    {
      return;
    }
    Values<most> effect = Values<most>::Zero(size());
    for (int k = 0; k < friction.size; ++k)
    {
      effect += friction.direction(k) * A.col(friction.first + k);
    }
    known_ -= friction.bound * effect;
    for (int k = 0; k < friction.normals; ++k)
    {
      columns_.col(friction.first_normal + k) -= friction.coefficient * effect;
    }
  }

  /// All forces, from those that were unknown.
  void spread(const Values<most> & found) noexcept
  {
    force = Values<most>::Zero(size());
    for (int row = 0; row < size(); ++row)
    {
      if (normal[row] && !carries[row])
      {
        force(row) = least(row);
      }
    }
    for (int i = 0; i < static_cast<int>(found.size()); ++i)
    {
      force(unknown_[i]) = found(i);
    }
    for (int i = 0; i < friction_count; ++i)
    {
      const Friction & friction = frictions[i];
      if (!friction.sticks)
      {
        const double grip = friction.coefficient * pushes(friction) + friction.bound;
        set(friction, -grip * friction.direction, force);
      }
    }
  }

  /// Returns true if the result keeps all conditions.
  bool fits() const noexcept
  {
    const double weak = 0.1 * tolerance * force_scale(), slow = tolerance * motion_scale();
    for (int row = 0; row < size(); ++row)
    {
      if (normal[row] && (force(row) < least(row) - weak || motion(row) < -slow))
      {
        return false;
      }
      if (normal[row] && carries[row] && std::abs(motion(row)) > 1e3 * slow)
      {
        return false;
      }
    }
    for (int i = 0; i < friction_count; ++i)
    {
      const Friction & friction = frictions[i];
      const Eigen::Vector3d u = of(friction, motion), f = of(friction, force);
      const bool wrong = friction.sticks
                           ? f.norm() > radius(friction) + weak || u.norm() > 1e3 * slow
                           : !friction.moves && (u - u.norm() * friction.direction).norm() > slow;
      if (wrong)
      {
        return false;
      }
    }
    return true;
  }

  /// The force that holds its rows, or the greatest one against their sliding. Returns the change.
  double rub(const Friction & friction) noexcept
  {
    const int n = friction.size;
    const double r = radius(friction);
    const Eigen::Vector3d before = of(friction, force);
    if (friction.moves)
    {
      set(friction, -r * friction.direction, force);
    }
    else
    {
      const double rate = 1.0 / trace(friction);
      for (int k = 0; k < (n > 1 ? 4 : 1); ++k)
      {
        Eigen::Vector3d f = of(friction, force);
        for (int i = 0; i < n; ++i)
        {
          const int row = friction.first + i;
          f(i) -= rate * (dot(size(), &A(0, row), force.data()) + b(row));
        }
        f *= f.norm() > r ? r / f.norm() : 1.0;
        set(friction, f, force);
      }
    }
    return (of(friction, force) - before).template lpNorm<Eigen::Infinity>();
  }

  /// Improves nearly right forces to exact ones, by Newton's method on the conditions as equations.
  /// \source Alart, Curnier: A mixed formulation for frictional contact problems, 1991
  bool settle() noexcept
  {
    double wrong = linearise(), least_wrong = wrong;
    best_ = force;
    for (int change = 0; change < changes && wrong > 1e-13 * force_scale(); ++change)
    {
      factor_.compute(matrix_);
      known_ = right_;
      factor_.solve(known_.data());
      residual_ = force;
      double part = 1.0, before = wrong;
      for (int i = 0; i < 6; ++i, part *= 0.5)
      {
        force = residual_ - part * known_;
        wrong = linearise();
        if (wrong < before)
        {
          break;
        }
      }
      best_ = wrong < least_wrong ? force : best_;
      least_wrong = std::min(wrong, least_wrong);
    }
    force = best_;
    return linearise() <= 1e-8 * force_scale();
  }

  /// Finds the violation of all conditions, in forces, and its slope; also which rows carry and
  /// stick. Returns the largest.
  double linearise() noexcept
  {
    find_motion();
    matrix_.setIdentity(size(), size());
    right_.resize(size());
    for (int row = 0; row < size(); ++row)
    {
      if (normal[row])
      {
        const double rate = 1.0 / A(row, row), above = force(row) - least(row);
        carries[row] = above - rate * motion(row) > 0.0;
        right_(row) = carries[row] ? rate * motion(row) : above;
        if (carries[row])
        {
          hold(row, rate);
        }
      }
    }
    for (int i = 0; i < friction_count; ++i)
    {
      linearise(frictions[i]);
    }
    return right_.template lpNorm<Eigen::Infinity>();
  }

  /// Asks that a row does not move, a little off where A is singular.
  void hold(int row, double rate) noexcept
  {
    for (int j = 0; j < size(); ++j)
    {
      matrix_(row, j) = rate * A(row, j);
    }
    matrix_(row, row) += 1e-6;
  }

  void linearise(Friction & friction) noexcept
  {
    const int n = friction.size, first = friction.first;
    const double rate = 1.0 / trace(friction), r = radius(friction);
    const Eigen::Vector3d f = of(friction, force), step = rate * of(friction, motion);
    const Eigen::Vector3d wanted = f - step;
    friction.sticks =
      !friction.moves && r > 0.0 && wanted.norm() <= r + 0.1 * tolerance * force_scale();
    if (friction.sticks)
    {
      set(friction, step, right_);
      for (int i = first; i < first + n; ++i)
      {
        hold(i, rate);
      }
      return;
    }
    if (!friction.moves && wanted.norm() > 0.0)
    {
      friction.direction = -wanted / wanted.norm();
      for (int i = 0; i < n; ++i)
      {
        for (int k = 0; k < n; ++k)
        {
          const double part = friction.direction(i) * friction.direction(k);
          const double across = r / wanted.norm() * ((i == k ? 1.0 : 0.0) - part);
          for (int j = 0; j < size(); ++j)
          {
            matrix_(first + i, j) += rate * across * A(first + k, j);
          }
          matrix_(first + i, first + k) -= across;
        }
      }
    }
    set(friction, f + r * friction.direction, right_);
    for (int k = 0; r > friction.bound && k < friction.normals; ++k)
    {
      for (int i = 0; i < n; ++i)
      {
        matrix_(first + i, friction.first_normal + k) +=
          friction.coefficient * friction.direction(i);
      }
    }
  }

  Square<most> matrix_, damped_, columns_;
  Values<most> right_, residual_, known_, best_;
  std::array<int, most> unknown_;
  Elimination<Square<most>, most> factor_;
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__CONE_PROBLEM_HPP_
