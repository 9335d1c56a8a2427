/// \file
/// The C interface of inverse kinematics.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_KINEMATICS_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_KINEMATICS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/inverse_kinematics/robot_chain.hpp"

namespace robcogen_ros::core
{

/// `inverse_kinematics::InverseKinematics` on pointers to numbers.
///
/// Joints of the chain come first in arrays of all joints.
class InverseKinematics
{
  using Solver = inverse_kinematics::InverseKinematics;
  using Task = inverse_kinematics::Task;
  static constexpr std::size_t joints = ROBCOGEN_JOINTS, most = Solver::most_solutions;

public:
  static constexpr const char * name = "inverse_kinematics";
  static constexpr const char * faults[] = {
    "none",
    "the second frame is not carried by the first",
    "no joint leads from the first frame to the second",
    "the chain has more than 16 joints",
    "a joint of the chain moves together with another one",
    "pose: a number is not finite",
    "pose: its rotation is none: expected columns of length 1 at right angles, not reflected",
    "redundancy: the chain has none",
    "redundancy: out of the limits of its joint",
    "axis: expected a vector of length 1",
    "seed: a number is not finite",
    "redundancy: it is not finite",
    "timeout: expected seconds, zero or more",
  };
  static constexpr robcogen_argument settings[] = {
    {"frames", 2, 0, 0},
    {"angle_tolerance", 1, 0, 1},
    {"length_tolerance", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument place[] = {
    {"pose", 4, 4, 0},       {"axis", 3, 0, 1},   {"seed", joints, 0, 1},
    {"redundancy", 1, 0, 1}, {"limits", 1, 0, 1}, {"timeout", 1, 0, 1},
  };
  static constexpr robcogen_argument solutions[] = {
    {"count", 1, 0, 0},      {"positions", joints, most, 0},
    {"margins", most, 0, 0}, {"distinct", 1, 0, 0},
    {"merged", 1, 0, 0},     {"excluded", joints, 0, 0},
  };
  static constexpr robcogen_argument near[] = {
    {"positions", joints, 0, 0}, {"angle", 1, 0, 0}, {"distance", 1, 0, 0}};
  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_argument about[] = {
    {"count", 1, 0, 0},   {"joints", joints, 0, 0}, {"way", 1, 0, 0},       {"shape", 1, 0, 0},
    {"special", 1, 0, 0}, {"reversed", 1, 0, 0},    {"redundant", 1, 0, 0},
  };

  InverseKinematics(const robcogen_model * model, const double * const * given)
  : InverseKinematics(chain_of(model, given), given)
  {
  }

  int32_t solve(const double * const * in, double * const * out) noexcept
  {
    Task task;
    if (const int32_t fault = problem_ != 0 ? problem_ : take_task(in, task))
    {
      return fault;
    }
    const int n = solver_.chain().size();
    inverse_kinematics::Positions seed(n);
    inverse_kinematics::Query query;
    if (in[2] != nullptr)
    {
      std::copy_n(in[2], n, seed.data());
      query.seed = &seed;
    }
    take(in[3], query.redundancy);
    take(in[4], query.limits);
    take(in[5], query.timeout);
    if (in[3] != nullptr && !std::isfinite(query.redundancy))
    {
      return 11;
    }
    if (!(query.timeout >= 0.0 && std::isfinite(query.timeout)))
    {
      return 12;
    }
    if (in[3] != nullptr && !solver_.plan().redundancy())
    {
      return 7;
    }
    const int given = solver_.plan().redundant;
    if (in[3] != nullptr && query.limits && given >= 0)
    {
      const auto & own = solver_.joints()[static_cast<std::size_t>(given)];
      if (query.redundancy < own.lower || query.redundancy > own.upper)
      {
        return 8;
      }
    }
    const int count = solver_.solve(task, query);
    *out[0] = count;
    for (int i = 0; i < count; ++i)
    {
      std::copy_n(solver_.positions(i).data(), n, out[1] + i * n);
      out[2][i] = solver_.margin(i);
    }
    *out[3] = solver_.distinct();
    *out[4] = solver_.merged();
    std::copy_n(solver_.excluded().data(), n, out[5]);
    return 0;
  }

  int32_t nearest(const double * const * in, double * const * out) noexcept
  {
    Task task;
    if (const int32_t fault = problem_ != 0 ? problem_ : take_task(in, task))
    {
      return fault;
    }
    const int n = solver_.chain().size();
    inverse_kinematics::Positions q = inverse_kinematics::Positions::Zero(n);
    if (in[2] != nullptr)
    {
      std::copy_n(in[2], n, q.data());
    }
    const auto error = solver_.nearest(task, q);
    std::copy_n(q.data(), n, out[0]);
    *out[1] = error.left.head(error.left.size() - 3).norm();
    *out[2] = error.left.tail<3>().norm();
    return 0;
  }

  int32_t describe(const double * const *, double * const * out) noexcept
  {
    const auto & plan = solver_.plan();
    const auto & own = solver_.joints();
    *out[0] = static_cast<double>(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
    {
      out[1][i] = own[i].coordinate;
    }
    *out[2] = static_cast<double>(plan.way);
    *out[3] = static_cast<double>(plan.shape);
    *out[4] = static_cast<double>(plan.form().special);
    *out[5] = plan.form().reversed ? 1.0 : 0.0;
    *out[6] = plan.redundant;
    return problem_;
  }

  static constexpr robcogen_method methods[] = {
    method("solve", place, solutions, Object<InverseKinematics>::call<&InverseKinematics::solve>),
    method("nearest", place, near, Object<InverseKinematics>::call<&InverseKinematics::nearest>),
    method(
      "describe", nothing, about, Object<InverseKinematics>::call<&InverseKinematics::describe>),
  };

private:
  InverseKinematics(const inverse_kinematics::RobotChain & found, const double * const * given)
  : problem_(static_cast<int32_t>(found.problem)),
    solver_(
      found.chain, found.joints, given[1] != nullptr ? *given[1] : 0.02,
      given[2] != nullptr ? *given[2] : 5e-3)
  {
  }

  static inverse_kinematics::RobotChain chain_of(
    const robcogen_model * model, const double * const * given)
  {
    RuntimeModel robot(model, for_inverse_kinematics);
    robot.take_parameters(setting(settings, given, "parameters"));
    return {robot, static_cast<int>(given[0][0]), static_cast<int>(given[0][1])};
  }

  /// Takes over where the end is to be; returns a fault.
  int32_t take_task(const double * const * in, Task & task) const noexcept
  {
    const Eigen::Map<const Eigen::Matrix4d> pose(in[0]);
    if (!pose.allFinite())
    {
      return 5;
    }
    const int n = solver_.chain().size();
    if (in[2] != nullptr && !Eigen::Map<const Eigen::VectorXd>(in[2], n).allFinite())
    {
      return 10;
    }
    const Eigen::Matrix3d R = pose.topLeftCorner<3, 3>();
    const bool turns = (R.transpose() * R - Eigen::Matrix3d::Identity()).norm() < 1e-5;
    if (!turns || R.determinant() < 0.0)
    {
      return 6;
    }
    task.wanted = solver_.wanted();
    task.target = {
      Eigen::Quaterniond(R).normalized().toRotationMatrix(), pose.topRightCorner<3, 1>()};
    if (in[1] != nullptr)
    {
      task.wanted = inverse_kinematics::Wanted::position_and_axis;
      task.axis = Eigen::Map<const Eigen::Vector3d>(in[1]);
      return std::abs(task.axis.norm() - 1.0) < 1e-6 ? 0 : 9;
    }
    return 0;
  }

  int32_t problem_;
  Solver solver_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__INVERSE_KINEMATICS_HPP_
