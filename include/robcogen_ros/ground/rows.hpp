// Rows of what can hold a robot: feet on the ground, stops and dry friction of joints.
#ifndef ROBCOGEN_ROS__GROUND__ROWS_HPP_
#define ROBCOGEN_ROS__GROUND__ROWS_HPP_

#include <Eigen/Core>
#include <array>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/ground/cone_problem.hpp"
#include "robcogen_ros/ground/mode.hpp"
#include "robcogen_ros/ground/settings.hpp"
#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/ground/turning.hpp"
#include "robcogen_ros/sizes.hpp"

namespace robcogen_ros::ground
{

/// Returns the most rows there can be: each foot has its corners and its friction, a joint both of
/// its own.
template <typename Robot>
constexpr int most_rows() noexcept
{
  using Sizes = SizesOf<Robot>;
  // a position has three rows and a corner; a pose has six, and four corners
  return 2 * Sizes::most_joints + Sizes::most_rows + Sizes::most_contacts;
}

/// False if the compiler knows that they are not.
template <typename Robot>
constexpr bool contacts_may_be_feet() noexcept
{
  if constexpr (!sized_at_run_time<Robot>)
  {
    return contacts_are_feet(Robot());
  }
  return true;
}

/// Results of a robot's functions at a state.
template <typename Robot>
struct Mechanics
{
  using Rates = typename State<Robot>::Rates;
  using Constants = typename ConstantsOf<Robot>::Type;

  typename Robot::InertiaMatrix inertia;  ///< with the inertia that damping adds to joints
  Cholesky<typename Robot::InertiaMatrix> factor;  ///< of `inertia`
  ContactJacobian<Robot> jacobian;
  ContactVector<Robot> bias;
  typename Robot::Kinematics kinematics;
  Turnings<Robot> turnings;  ///< of feet that are balls
  Eigen::Matrix3d turn;      ///< ground axes from base axes
  Eigen::Vector3d normal;    ///< of the ground, base axes

  /// \param added inertia of joints, see Scene
  void update(
    const Settings<Robot> & settings, const typename Robot::JointVector & added,
    const State<Robot> & state, const Eigen::Matrix3d & axes) noexcept
  {
    const Robot & robot = settings.robot;
    const Constants & constants = settings.constants;
    const auto call = [&](const auto & function, const auto &... arguments)
    { return with_constants<Robot>(constants, function, arguments...); };
    inertia = call([&](const auto &... x) { return robot.inertia_matrix(x...); }, state.q);
    inertia.diagonal().tail(added.size()) += added;
    factor.compute(inertia);
    jacobian = call([&](const auto &... x) { return robot.contact_jacobian(x...); }, state.q);
    bias = call(
      [&](const auto &... x) { return robot.contact_bias(x...); }, state.q, state.qd(),
      state.base_velocity());
    kinematics = kinematics_and_turns(settings, state, turnings);
    turn = axes * state.orientation.toRotationMatrix();
    normal = turn.row(2);
  }

  /// Pose of a contact's frame in the base.
  typename Robot::Transform pose(const Contact & contact) const noexcept
  {
    return kinematics.pose(static_cast<typename Robot::Frame>(contact.frame));
  }
};

/// Rows, in this order: of each foot its closed corners, then its friction; stops; dry friction.
template <typename Robot>
class Rows
{
public:
  static constexpr int most = most_rows<Robot>();
  using Sizes = SizesOf<Robot>;
  using Rates = typename State<Robot>::Rates;
  using Problem = ConeProblem<most>;

  Eigen::Matrix<
    double, Eigen::Dynamic, Sizes::freedoms, Eigen::RowMajor, most, Sizes::most_freedoms>
    jacobian;
  Values<most> bias;
  /// Row of a corner, and index of a foot's friction; -1 where there is none. So for joints.
  std::array<std::array<int, 4>, Sizes::most_contacts> corner;
  std::array<int, Sizes::most_contacts> foot_friction;
  std::array<int, Sizes::most_joints> stop;
  std::array<int, Sizes::most_joints> joint_friction;

  explicit Rows(const Settings<Robot> & settings) : settings_(settings), robot_(settings.robot) {}

  /// Rows of all that a mode holds, in a problem that has no numbers yet. In impacts joints do not
  /// rub: dry friction has no impulse.
  void gather(
    const Mechanics<Robot> & mechanics, const State<Robot> & state, const Mode<Robot> & mode,
    Problem & problem, bool joints_rub = true) noexcept
  {
    count_ = 0;
    problem.friction_count = 0;
    problem.normal.fill(false);
    const int freedoms = 6 + robot_.joint_count;
    jacobian.setZero(most, freedoms);
    bias.setZero(most);
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      add_foot(mechanics, state, mode.feet[i], i, problem);
    }
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      stop[i] = mode.joints[i].stop != 0 ? count_ : -1;
      if (stop[i] >= 0)
      {
        problem.normal[count_] = true;
        jacobian(count_++, 6 + i) = -mode.joints[i].stop;
      }
    }
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      joint_friction[i] = -1;
      if (joints_rub && settings_.friction(i) > 0.0)
      {
        add_joint_friction(mode.joints[i], i, problem);
      }
    }
    jacobian.conservativeResize(count_, freedoms);
    bias.conservativeResize(count_);
  }

  /// The Delassus matrix of the rows.
  void couple(const Mechanics<Robot> & mechanics, Problem & problem) noexcept
  {
    const int freedoms = mechanics.factor.size();
    half_.resize(freedoms, count_);
    problem.A.resize(count_, count_);
    for (int i = 0; i < count_; ++i)
    {
      half_.col(i) = jacobian.row(i).transpose();
      mechanics.factor.solve_lower(&half_(0, i));
      for (int k = 0; k <= i; ++k)
      {
        problem.A(i, k) = dot(freedoms, &half_(0, i), &half_(0, k));
        problem.A(k, i) = problem.A(i, k);
      }
    }
    problem.least.setZero(count_);
    problem.force.setZero(count_);
    problem.near.setZero(count_);
  }

  /// Forces are sought near those that there were as a mode began: where they are not unique, they
  /// do not jump then.
  void recall(const Mode<Robot> & mode, Problem & problem) const noexcept
  {
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      for (int k = 0; k < 4; ++k)
      {
        if (corner[i][k] >= 0)
        {
          problem.near(corner[i][k]) = mode.feet[i].pushes(k);
        }
      }
      if (foot_friction[i] >= 0)
      {
        problem.set(problem.frictions[foot_friction[i]], mode.feet[i].holds, problem.near);
      }
    }
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      if (stop[i] >= 0)
      {
        problem.near(stop[i]) = mode.joints[i].push;
      }
      if (joint_friction[i] >= 0)
      {
        problem.near(problem.frictions[joint_friction[i]].first) = mode.joints[i].hold;
      }
    }
  }

  /// Returns the change that forces of the rows make to the rates of the degrees of freedom.
  Rates response(const Mechanics<Robot> & mechanics, const Values<most> & force) const noexcept
  {
    Rates result = product<Rates>(half_, force);
    mechanics.factor.solve_upper(result.data());
    return result;
  }

  /// Height of a corner of a foot above the plane [m].
  double gap(
    const Mechanics<Robot> & mechanics, const State<Robot> & state, int foot, int k) const noexcept
  {
    const Foot & shape = settings_.feet[foot];
    const auto pose = mechanics.pose(robot_.contacts[foot]);
    const Eigen::Vector3d place =
      pose.translation() + (shape.flat() ? Eigen::Vector3d(pose.rotation() * shape.sole.col(k))
                                         : Eigen::Vector3d(Eigen::Vector3d::Zero()));
    const double height =
      settings_.plane.normal.normalized().dot(state.position - settings_.plane.point) +
      mechanics.normal.dot(place);
    return shape.flat() ? height : height - shape.radius;
  }

  /// Returns the number of points of a foot that can touch.
  int points(int foot) const noexcept { return settings_.feet[foot].flat() ? 4 : 1; }

  /// Wrench [n; f] of a foot's rows about the origin of its frame, in world axes.
  typename Robot::Vector6 wrench(
    const Mechanics<Robot> & mechanics, const State<Robot> & state, const Mode<Robot> & mode,
    int foot, const Values<most> & force, const Problem & problem) const noexcept
  {
    Eigen::Vector3d moment = Eigen::Vector3d::Zero(), sum = moment;
    for (int k = 0; k < 4; ++k)
    {
      if (corner[foot][k] >= 0)
      {
        const Eigen::Vector3d push = force(corner[foot][k]) * mechanics.normal;
        moment += lever(mechanics, foot, k).cross(push);
        sum += push;
      }
    }
    if (foot_friction[foot] >= 0)
    {
      const Eigen::Vector3d rubs = problem.of(problem.frictions[foot_friction[foot]], force);
      const Eigen::Vector3d push =
        mechanics.turn.transpose() * Eigen::Vector3d(rubs.x(), rubs.y(), 0.0);
      moment += reference(mechanics, mode.feet[foot], foot).cross(push);
      moment += mode.feet[foot].arm * rubs.z() * mechanics.normal;
      sum += push;
    }
    typename Robot::Vector6 result;
    result << state.orientation * moment, state.orientation * sum;
    return result;
  }

  /// Returns the lever from the origin of a foot to where it touches, base axes.
  Eigen::Vector3d lever(const Mechanics<Robot> & mechanics, int foot, int k) const noexcept
  {
    const Foot & shape = settings_.feet[foot];
    if (shape.flat())
    {
      return mechanics.pose(robot_.contacts[foot]).rotation() * shape.sole.col(k);
    }
    return -shape.radius * mechanics.normal;
  }

  /// Returns the lever from the origin of a foot to where its friction acts, base axes.
  Eigen::Vector3d reference(
    const Mechanics<Robot> & mechanics, const FootMode & mode, int foot) const noexcept
  {
    return settings_.feet[foot].flat()
             ? Eigen::Vector3d(mechanics.pose(robot_.contacts[foot]).rotation() * mode.reference)
             : lever(mechanics, foot, 0);
  }

private:
  void add_foot(
    const Mechanics<Robot> & mechanics, const State<Robot> & state, const FootMode & mode, int foot,
    Problem & problem) noexcept
  {
    corner[foot].fill(-1);
    foot_friction[foot] = -1;
    if (!mode.touches())
    {
      return;
    }
    const int first_normal = count_;
    for (int k = 0; k < points(foot); ++k)
    {
      if (mode.closed[k])
      {
        problem.normal[count_] = true;
        corner[foot][k] = count_;
        add_point(mechanics, state, foot, lever(mechanics, foot, k), 2);
      }
    }
    if (settings_.plane.friction == 0.0)
    {
      return;
    }
    Friction friction;
    friction.first = count_;
    friction.size = mode.rubbing_rows();
    friction.coefficient = settings_.plane.friction;
    friction.first_normal = first_normal;
    friction.normals = count_ - first_normal;
    friction.sticks = mode.rubbing != Rubbing::sliding;
    friction.direction = mode.direction;
    friction.direction.z() *= friction.size == 3 ? 1.0 : 0.0;
    friction.slow = mode.slow;
    foot_friction[foot] = problem.friction_count;
    problem.frictions[problem.friction_count++] = friction;
    const Eigen::Vector3d place = reference(mechanics, mode, foot);
    add_point(mechanics, state, foot, place, 0);
    add_point(mechanics, state, foot, place, 1);
    if (friction.size == 3)
    {
      add_rows(mechanics, mode.arm * mechanics.normal, robot_.contacts[foot].first_row);
      ++count_;
    }
  }

  /// Adds a sum of three rows of the contacts to the present row.
  void add_rows(
    const Mechanics<Robot> & mechanics, const Eigen::Vector3d & shares, int first) noexcept
  {
    for (int j = 0; j < jacobian.cols(); ++j)
    {
      jacobian(count_, j) += shares.dot(mechanics.jacobian.col(j).template segment<3>(first));
    }
    bias(count_) += shares.dot(mechanics.bias.template segment<3>(first));
  }

  /// Motion of a point of a foot along an axis of the ground.
  void add_point(
    const Mechanics<Robot> & mechanics, const State<Robot> & state, int foot,
    const Eigen::Vector3d & place, int axis) noexcept
  {
    const Contact & contact = robot_.contacts[foot];
    const Eigen::Vector3d along = mechanics.turn.row(axis).transpose();
    const Eigen::Vector3d about = place.cross(along);
    add_rows(mechanics, along, contact.first_row + contact.rows() - 3);
    if (settings_.feet[foot].flat())
    {
      add_rows(mechanics, about, contact.first_row);
      const auto turning = mechanics.jacobian.template middleRows<3>(contact.first_row);
      const Eigen::Vector3d w = product<Eigen::Vector3d>(turning, state.rates);
      bias(count_) += along.dot(w.cross(w.cross(place)));
    }
    else if (settings_.feet[foot].is_ball())
    {
      const Turning<Robot> & turning = mechanics.turnings[foot];
      for (int j = 0; j < jacobian.cols(); ++j)
      {
        jacobian(count_, j) += about.dot(turning.jacobian.col(j));
      }
      bias(count_) += about.dot(turning.bias);
    }
    ++count_;
  }

  void add_joint_friction(const JointMode & mode, int joint, Problem & problem) noexcept
  {
    Friction friction;
    friction.first = count_;
    friction.size = 1;
    friction.bound = settings_.friction(joint);
    friction.sticks = mode.rubbing != Rubbing::sliding;
    friction.direction.x() = mode.direction;
    joint_friction[joint] = problem.friction_count;
    problem.frictions[problem.friction_count++] = friction;
    jacobian(count_++, 6 + joint) = 1.0;
  }

  const Settings<Robot> & settings_;
  const Robot & robot_;
  MatrixWithin<Sizes::freedoms, Eigen::Dynamic, Sizes::most_freedoms, most> half_;
  int count_ = 0;
};

}  // namespace robcogen_ros::ground

#endif  // ROBCOGEN_ROS__GROUND__ROWS_HPP_
