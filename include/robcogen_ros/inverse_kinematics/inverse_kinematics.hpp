/// \file
/// Inverse kinematics of a chain of joints between two frames of a robot.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__INVERSE_KINEMATICS_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__INVERSE_KINEMATICS_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "robcogen_ros/inverse_kinematics/plan.hpp"
#include "robcogen_ros/inverse_kinematics/sweep.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// The joints of a chain: where they are in the robot, and how far they go.
struct Joint
{
  int coordinate = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// Options of a call: seed, limits, redundancy.
struct Query
{
  const Positions * seed = nullptr;                              ///< solutions near it come first
  double redundancy = std::numeric_limits<double>::quiet_NaN();  ///< NaN: one is found
  bool limits = true;                                            ///< whether they are kept
  double timeout = 0.05;  ///< of a search, or of many eliminations [s]
};

/// All positions of the joints of a chain that bring its end to a place.
///
/// Nothing is allocated in a call, nor thrown. One thread at a time.
class InverseKinematics
{
public:
  static constexpr int most_solutions = 1024;
  static constexpr double accepted = 1e-12;      ///< what may be left to a target [rad, m]
  static constexpr double near_singular = 2e-4;  ///< margin from which two solutions are apart

  /// \param chain the chain
  /// \param joints its joints
  /// \param angle, length how far axes may be off a closed form [rad, m]
  InverseKinematics(
    const Chain & chain, std::vector<Joint> joints, double angle = 0.02, double length = 5e-3)
  : chain_(chain),
    joints_(std::move(joints)),
    plan_(chain, angle, length),
    length_(chain.length()),
    solutions_(most_solutions),
    order_(most_solutions)
  {
  }

  const Chain & chain() const noexcept { return chain_; }
  const std::vector<Joint> & joints() const noexcept { return joints_; }
  const Plan & plan() const noexcept { return plan_; }

  /// Position or pose, by the number of joints of the chain.
  Wanted wanted() const noexcept { return chain_.size() < 5 ? Wanted::position : Wanted::pose; }

  /// Finds the positions of a place; returns how many there are.
  int solve(const Task & task, const Query & query) noexcept
  {
    count_ = distinct_ = merged_ = 0;
    excluded_.setZero(chain_.size());
    query_ = query;
    start_ = query.seed != nullptr ? *query.seed : middle();
    const bool planned = plan_.way != Way::search && fits(task);
    if (planned && !plan_.redundancy())
    {
      attempt(task, 0.0);
    }
    else if (planned && std::isfinite(query.redundancy))
    {
      attempt(task, query.redundancy);
    }
    else if (planned)
    {
      sweep(task);
    }
    else
    {
      search(task);
    }
    std::iota(order_.begin(), order_.begin() + count_, 0);
    std::sort(
      order_.begin(), order_.begin() + count_, [this](int a, int b) { return nearer(a, b); });
    return count_;
  }

  int count() const noexcept { return count_; }
  /// Positions of the joints [rad or m].
  const Positions & positions(int i) const noexcept { return sorted(i).q; }
  /// The margin to singular positions: 0 at them.
  double margin(int i) const noexcept { return sorted(i).margin; }
  /// Number of positions found, before limits were looked at and whole turns added.
  int distinct() const noexcept { return distinct_; }
  /// Number of positions near a closed form that came out as one.
  int merged() const noexcept { return merged_; }
  /// Numbers of positions found that the limits of each joint exclude.
  const Eigen::Matrix<int, Eigen::Dynamic, 1, Eigen::ColMajor, most_joints, 1> & excluded()
    const noexcept
  {
    return excluded_;
  }

  /// Finds positions as near to a place as they can be, from some starts.
  ///
  /// \returns what is left to it [rad, m]
  Error nearest(const Task & task, Positions & q) const noexcept
  {
    const Moving moving{chain_};
    Random random(1);
    Positions best = q;
    Error least = polish(moving, task, best, 200);
    for (int i = 0; i < 20 && least.size() > accepted; ++i)
    {
      Positions next = anywhere(random);
      const Error error = polish(moving, task, next, 200);
      if (error.size() < least.size())
      {
        least = error;
        best = next;
      }
    }
    q = best.unaryExpr(&within_half_turn);
    return least;
  }

private:
  using Clock = std::chrono::steady_clock;

  struct Solution
  {
    Positions q;
    double margin = 0.0, far = 0.0;
  };

  const Solution & sorted(int i) const noexcept
  {
    return solutions_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
  }

  bool nearer(int a, int b) const noexcept
  {
    const auto far = [this](int i) { return solutions_[static_cast<std::size_t>(i)].far; };
    return far(a) < far(b) || (far(a) == far(b) && a < b);
  }

  bool fits(const Task & task) const noexcept
  {
    return task.wanted == (plan_.shape == Shape::three ? Wanted::position : Wanted::pose);
  }

  const Joint & joint(int i) const noexcept { return joints_[static_cast<std::size_t>(i)]; }

  /// Middle of the limits of each joint; zero without limits.
  Positions middle() const noexcept
  {
    Positions result(chain_.size());
    for (int i = 0; i < chain_.size(); ++i)
    {
      const double both = (joint(i).lower + joint(i).upper) / 2.0;
      result(i) = std::isfinite(both) ? both : 0.0;
    }
    return result;
  }

  Positions anywhere(Random & random) const noexcept
  {
    Positions result(chain_.size());
    for (int i = 0; i < chain_.size(); ++i)
    {
      result(i) = random.between(std::max(joint(i).lower, -M_PI), std::min(joint(i).upper, M_PI));
    }
    return result;
  }

  /// Takes over the solutions at one redundancy. Near singular positions those of the true chain
  /// are far from those of axes that were moved, or these have none: an elimination finds them.
  void attempt(const Task & task, double redundancy) noexcept
  {
    known_.clear();
    excess_ = std::numeric_limits<double>::infinity();
    const Candidates found = plan_.solve(task, redundancy, start_);
    const double least = take_all(task, found);
    if (plan_.way == Way::nearly && (found.size() < 8 || least < 0.05))
    {
      take_all(task, plan_.eliminate(task, redundancy, start_));
    }
  }

  /// Takes over positions that lead to the place, and others near singular ones; returns the least
  /// margin, 0 where one leads elsewhere.
  double take_all(const Task & task, const Candidates & candidates) noexcept
  {
    double least = std::numeric_limits<double>::infinity();
    for (const Positions & candidate : candidates)
    {
      Positions q = candidate;
      const Error error = improve(task, q);
      if (error.J.cols() <= error.J.rows())
      {
        const double margin = margin_of(error.J, length_);
        least = error.size() <= accepted ? std::min(least, margin) : 0.0;
        if (margin < near_singular)
        {
          explore(task, q, error);
        }
      }
    }
    return least;
  }

  /// Starts along the direction in which joints hardly move the end: near singular positions, two
  /// solutions may end as one.
  void explore(const Task & task, const Positions & from, const Error & error) noexcept
  {
    const Positions along = idle_direction(error.J);
    const Moving moving = free_joints();
    for (const double far : {0.1, 0.4, 0.9, 1.6, 2.4, 3.1})
    {
      for (const double sign : {1.0, -1.0})
      {
        Positions q = from;
        moving.move(q, along * (sign * far));
        improve(task, q);
      }
    }
  }

  Moving free_joints() const noexcept { return {chain_, plan_.redundant}; }

  /// Improves positions, and takes them over if they lead to the place and are not known yet.
  Error improve(const Task & task, Positions & q) noexcept
  {
    const Error error = polish(free_joints(), task, q, 100);
    if (error.size() <= accepted)
    {
      take(q, error);
    }
    return error;
  }

  void take(const Positions & q, const Error & error) noexcept
  {
    const double margin = margin_of(error.J, length_);
    for (const Positions & other : known_)
    {
      const double apart = (q - other).unaryExpr(&within_half_turn).cwiseAbs().maxCoeff();
      if (apart < std::min(1e-3, 1e-9 / std::max(margin, 1e-9)))
      {
        ++merged_;
        return;
      }
    }
    known_.add(q);
    ++distinct_;
    keep(q, margin);
  }

  /// Tries values of the redundancy, from that of the start outwards, until one has solutions.
  void sweep(const Task & task) noexcept
  {
    const Joint own = plan_.shape == Shape::fixed ? joint(plan_.redundant) : Joint{};
    const auto end = Clock::now() + std::chrono::duration<double>(query_.timeout);
    const auto excess = [&](double value)
    {
      attempt(task, value);
      const bool late = plan_.way == Way::eliminated && Clock::now() > end;
      return count_ > 0 || late ? 0.0 : excess_;
    };
    const double start = plan_.redundancy(start_);
    const double low = std::max(own.lower, -M_PI), high = std::min(own.upper, M_PI);
    if (excess(start) > 0.0)
    {
      inverse_kinematics::sweep(start, low, high, excess);
    }
  }

  /// Goes to the place from many starts.
  void search(const Task & task) noexcept
  {
    const auto end = Clock::now() + std::chrono::duration<double>(query_.timeout);
    const int enough = chain_.size() > task.rows() ? 1 : most_solutions;
    Random random(1);
    known_.clear();
    for (int i = 0, idle = 0; idle < 100 && count_ < enough; ++i)
    {
      Positions q = i == 0 ? start_ : anywhere(random);
      const int before = distinct_;
      improve(task, q);
      idle = distinct_ > before ? 0 : idle + 1;
      if (Clock::now() > end)
      {
        return;
      }
    }
  }

  /// Keeps positions and what differs from them by whole turns, within limits.
  void keep(const Positions & q, double margin) noexcept
  {
    Positions first = q, last = q, turns = Positions::Zero(q.size());
    double excess = 0.0;
    for (int i = 0; i < q.size(); ++i)
    {
      const double turn = chain_[i].turn != 0.0 && chain_[i].slide == 0.0 ? 2.0 * M_PI : 0.0;
      const double lower = joint(i).lower - 1e-12, upper = joint(i).upper + 1e-12;
      if (turn > 0.0 && (!query_.limits || !std::isfinite(upper - lower)))
      {
        first(i) = last(i) = start_(i) + within_half_turn(q(i) - start_(i));
      }
      if (!query_.limits)
      {
        continue;
      }
      if (turn > 0.0 && std::isfinite(upper - lower))
      {
        first(i) = q(i) + turn * std::ceil((lower - q(i)) / turn);
        last(i) = q(i) + turn * std::floor((upper - q(i)) / turn);
        turns(i) = turn;
      }
      if (first(i) > last(i) || first(i) < lower || last(i) > upper)
      {
        ++excluded_(i);
        const double beyond = first(i) > last(i) ? std::min(first(i) - upper, lower - last(i))
                                                 : std::max(lower - first(i), last(i) - upper);
        excess = std::max(excess, beyond);
      }
    }
    excess_ = std::min(excess_, excess);
    if (excess <= 0.0)
    {
      spread(first, last, turns, 0, first, margin);
    }
  }

  /// Adds every choice of whole turns from a joint on.
  void spread(
    const Positions & first, const Positions & last, const Positions & turns, int joint,
    Positions q, double margin) noexcept
  {
    if (joint == q.size())
    {
      add({q, margin, (q - start_).squaredNorm()});
      return;
    }
    for (double x = first(joint); x <= last(joint) + 1e-9; x += turns(joint))
    {
      q(joint) = x;
      spread(first, last, turns, joint + 1, q, margin);
      if (turns(joint) == 0.0)
      {
        return;
      }
    }
  }

  /// Adds a solution; where there is no room, in place of the furthest one.
  void add(const Solution & solution) noexcept
  {
    if (count_ < most_solutions)
    {
      solutions_[static_cast<std::size_t>(count_++)] = solution;
      return;
    }
    const auto furthest = std::max_element(
      solutions_.begin(), solutions_.end(),
      [](const Solution & a, const Solution & b) { return a.far < b.far; });
    if (solution.far < furthest->far)
    {
      *furthest = solution;
    }
  }

  Chain chain_;
  std::vector<Joint> joints_;
  Plan plan_;
  double length_;
  std::vector<Solution> solutions_;
  std::vector<int> order_;
  Candidates known_;
  Query query_;
  Positions start_;
  int count_ = 0, distinct_ = 0, merged_ = 0;
  double excess_ = 0.0;  ///< by how much the limits are exceeded that are exceeded least
  Eigen::Matrix<int, Eigen::Dynamic, 1, Eigen::ColMajor, most_joints, 1> excluded_;
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__INVERSE_KINEMATICS_HPP_
