// How the positions of a chain are found: in closed form, near one, or by search.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__PLAN_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__PLAN_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <optional>

#include "robcogen_ros/inverse_kinematics/arm_angle.hpp"
#include "robcogen_ros/inverse_kinematics/elimination.hpp"
#include "robcogen_ros/inverse_kinematics/polish.hpp"
#include "robcogen_ros/inverse_kinematics/six.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// Ways to find positions, from the most to the least certain.
enum class Way
{
  closed,      ///< every solution, in closed form
  nearly,      ///< in closed form of axes that were moved a little, then improved
  eliminated,  ///< every solution, from eigenvalues
  search       ///< by Newton's steps from many starts
};

/// Joints that a plan is about.
enum class Shape
{
  three,      ///< three joints and a point
  five,       ///< five joints, and one that is thought of
  six,        ///< six joints
  arm_angle,  ///< seven joints and the place of the elbow
  fixed,      ///< seven joints, of which one is given
  any         ///< other chains
};

using Candidates = Few<Positions, 32>;

/// The way to the positions of a chain.
class Plan
{
public:
  Way way = Way::search;
  Shape shape = Shape::any;
  int redundant = -1;  ///< the joint that is given

  Plan() = default;

  /// \param angle, length how far axes may be off a closed form
  Plan(const Chain & chain, double angle, double length) noexcept : chain_(chain)
  {
    for (int i = 0; i < chain.size(); ++i)
    {
      if (!chain[i].turns_only())
      {
        return;
      }
    }
    if (find(closed_form))
    {
      way = Way::closed;
    }
    else if (find({angle, length, 0.05}))
    {
      way = Way::nearly;
      eliminates_ =
        (shape == Shape::five || shape == Shape::six || shape == Shape::fixed) && find_beginning();
    }
    else if (find_elimination())
    {
      way = Way::eliminated;
      eliminates_ = true;
    }
  }

  bool redundancy() const noexcept { return shape == Shape::arm_angle || shape == Shape::fixed; }

  /// Special form of five or six joints, or of the other six of seven.
  const SixForm & form() const noexcept { return form_; }

  /// The redundancy at some positions: an arm angle [rad] or the position of a joint.
  double redundancy(const Positions & q) const noexcept
  {
    return shape == Shape::arm_angle ? arm_->angle(q) : shape == Shape::fixed ? q(redundant) : 0.0;
  }

  /// Returns positions at or near those that are sought.
  ///
  /// \param redundancy where seven joints have one
  /// \param spare positions of joints that may stand anywhere
  Candidates solve(const Task & task, double redundancy, const Positions & spare) const noexcept
  {
    Candidates result;
    const Pose wanted = task.target * chain_.tip.inverse();
    const double slack = within_.slack;
    if (shape == Shape::three)
    {
      const std::array<Axis, 3> axes = {chain_[0], chain_[1], chain_[2]};
      for (const Vector3d & q : reach(axes, chain_.tip.translation, task.target.translation, slack))
      {
        result.add(Positions(q.unaryExpr(&within_half_turn)));
      }
    }
    else if (shape == Shape::arm_angle)
    {
      for (const Seven & q : arm_->solve(wanted, redundancy, spare, slack))
      {
        result.add(Positions(q));
      }
    }
    else if (shape != Shape::any)
    {
      result = others(wanted, redundancy, spare, way == Way::eliminated);
    }
    return result;
  }

  /// Returns positions at or near all those that are sought, by elimination; none where it fails.
  Candidates eliminate(const Task & task, double redundancy, const Positions & spare) const noexcept
  {
    const Pose wanted = task.target * chain_.tip.inverse();
    return eliminates_ ? others(wanted, redundancy, spare, true) : Candidates();
  }

private:
  /// Numbers of files have six or seven digits; where two solutions meet, an error of 1e-6 moves
  /// them, or puts them out of reach, by its root.
  static constexpr Tolerance closed_form{1e-6, 1e-6, 2e-3};
  /// Order in which joints of seven are tried as the one that is given.
  static constexpr std::array<int, 7> given_first = {6, 0, 2, 4, 3, 1, 5};

  /// Finds what is special within a tolerance; returns whether anything is.
  bool find(const Tolerance & within) noexcept
  {
    within_ = within;
    switch (chain_.size())
    {
      case 3:
        shape = Shape::three;
        return across(chain_[0], chain_[1]) || across(chain_[1], chain_[2]);
      case 5:
        return find_five();
      case 6:
        shape = Shape::six;
        form_ = form_of(six_axes(), within_);
        break;
      case 7:
        return find_seven();
      default:
        return false;
    }
    return form_.special != Special::nothing;
  }

  /// Puts a joint behind the fifth, or before the first: their axes meet at a right angle.
  void think_of_joint(bool in_front) noexcept
  {
    in_front_ = in_front;
    const Axis own = in_front ? chain_[0] : chain_[4], next = in_front ? chain_[1] : chain_[3];
    const Vector3d normal = own.direction.cross(next.direction);
    thought_.point = nearest_point(own, next);
    thought_.direction =
      normal.norm() > least_angle ? normal.normalized() : own.direction.unitOrthogonal();
  }

  bool find_five() noexcept
  {
    shape = Shape::five;
    for (const bool front : {false, true})
    {
      think_of_joint(front);
      form_ = form_of(six_axes(), within_);
      if (form_.special != Special::nothing)
      {
        return true;
      }
    }
    return false;
  }

  bool find_seven() noexcept
  {
    shape = Shape::arm_angle;
    arm_ = ElbowArm::of(chain_, within_);
    if (arm_)
    {
      return true;
    }
    shape = Shape::fixed;
    for (const int joint : given_first)
    {
      redundant = joint;
      form_ = form_of(six_axes(0.3), within_);
      const Special other = form_of(six_axes(1.1), within_).special;
      if (form_.special != Special::nothing && other == form_.special)
      {
        return true;
      }
    }
    redundant = -1;
    shape = Shape::any;
    return false;
  }

  /// Finds where an elimination begins, and of seven joints the one that is given.
  bool find_elimination() noexcept
  {
    const int n = chain_.size();
    shape = n == 5 ? Shape::five : n == 6 ? Shape::six : Shape::fixed;
    for (int choice = 0; choice < (n == 5 ? 2 : n == 6 ? 1 : n == 7 ? 7 : 0); ++choice)
    {
      redundant = n == 7 ? given_first[static_cast<std::size_t>(choice)] : -1;
      if (n == 5)
      {
        think_of_joint(choice == 1);
      }
      if (find_beginning())
      {
        return true;
      }
    }
    redundant = -1;
    shape = Shape::any;
    return false;
  }

  /// Finds where an elimination begins that misses positions least.
  bool find_beginning() noexcept
  {
    Beginning best;
    double least = 1e-6;
    for (int i = 0; i < 12; ++i)
    {
      beginning_ = {i % 6, i >= 6};
      const double missed = typical_miss();
      if (missed < least)
      {
        least = missed;
        best = beginning_;
      }
    }
    beginning_ = best;
    return least < 1e-6;
  }

  /// Distance of positions from those that an elimination finds of their poses, in the geometric
  /// mean, so that it is large where some are lost.
  double typical_miss() const noexcept
  {
    Random random(1);
    double sum = 0.0;
    for (int i = 0; i < 10; ++i)
    {
      Positions q(chain_.size());
      std::generate(q.begin(), q.end(), [&random] { return random.between(-M_PI, M_PI); });
      const Pose wanted = chain_.pose(q) * chain_.tip.inverse();
      const double given = redundant < 0 ? 0.0 : q(redundant);
      double least = M_PI;
      for (const Positions & other : others(wanted, given, q, true))
      {
        least = std::min(least, (q - other).unaryExpr(&within_half_turn).cwiseAbs().maxCoeff());
      }
      if (least > 0.1)
      {
        return least;
      }
      sum += std::log(std::max(least, 1e-16));
    }
    return std::exp(sum / 10.0);
  }

  /// The axes of six joints, of which one may be thought of, or of all but a given one of seven.
  SixAxes six_axes(double given = 0.0) const noexcept
  {
    SixAxes result;
    if (shape == Shape::five)
    {
      result[in_front_ ? 0 : 5] = thought_;
      for (int i = 0; i < 5; ++i)
      {
        result[static_cast<std::size_t>(i + (in_front_ ? 1 : 0))] = chain_[i];
      }
      return result;
    }
    const Pose turn = redundant < 0 ? Pose() : chain_[redundant].at(given);
    for (int i = 0, k = 0; i < chain_.size(); ++i)
    {
      if (i != redundant)
      {
        const bool behind = redundant >= 0 && i > redundant;
        result[static_cast<std::size_t>(k++)] = behind ? chain_[i].moved(turn) : chain_[i];
      }
    }
    return result;
  }

  /// Positions of six joints, put where they belong.
  Candidates others(
    const Pose & wanted, double given, const Positions & spare, bool eliminated) const noexcept
  {
    Candidates result;
    Six free{};
    const bool front = shape == Shape::five && in_front_;
    for (int i = 0, k = front ? 1 : 0; i < chain_.size(); ++i)
    {
      if (i != redundant)
      {
        free[static_cast<std::size_t>(k++)] = spare(i);
      }
    }
    const bool seven = shape == Shape::fixed;
    const SixAxes axes = six_axes(given);
    const Pose goal = seven ? wanted * chain_[redundant].at(-given) : wanted;
    const SixForm form = seven && !eliminated ? form_of(axes, within_) : form_;
    const int thought = shape == Shape::five ? (in_front_ ? 0 : 5) : -1;
    for (const Six & six : eliminated ? GeneralSix(axes, goal, beginning_).solve()
                                      : solve_six(form, goal, free, within_.slack))
    {
      if (thought >= 0 && std::abs(six[static_cast<std::size_t>(thought)]) > 0.5)
      {
        continue;
      }
      Positions q(chain_.size());
      for (int i = 0, k = front ? 1 : 0; i < chain_.size(); ++i)
      {
        q(i) = i == redundant ? given : six[static_cast<std::size_t>(k++)];
      }
      result.add(q);
    }
    return result;
  }

  Chain chain_;
  Tolerance within_ = closed_form;
  SixForm form_;
  Axis thought_;
  bool in_front_ = false;
  Beginning beginning_;
  bool eliminates_ = false;
  std::optional<ElbowArm> arm_;
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__PLAN_HPP_
