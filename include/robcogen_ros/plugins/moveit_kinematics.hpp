// A chain of a generated robot as a kinematics::KinematicsBase of MoveIt.
#ifndef ROBCOGEN_ROS__PLUGINS__MOVEIT_KINEMATICS_HPP_
#define ROBCOGEN_ROS__PLUGINS__MOVEIT_KINEMATICS_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <rclcpp/logger.hpp>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <string>
#include <vector>
#if __has_include(<moveit/kinematics_base/kinematics_base.hpp>)
#include <moveit/kinematics_base/kinematics_base.hpp>
#else
#include <moveit/kinematics_base/kinematics_base.h>
#endif

#include "robcogen_ros/inverse_kinematics/inverse_kinematics.hpp"
#include "robcogen_ros/plugins/described_model.hpp"
#include "robcogen_ros/plugins/model_chain.hpp"
#include "robcogen_ros/plugins/node_parameters.hpp"

namespace robcogen_ros::plugins
{

/// Replaces kdl_kinematics_plugin by the inverse kinematics of docs/inverse_kinematics.md:
/// of all solutions within limits the nearest to the seed comes first. Parameters: docs/plugins.md.
///
/// \tparam Robot the robot's Traits with `plugin_name`, `model()` and `compiled_model()`
template <typename Robot>
class MoveItKinematics : public kinematics::KinematicsBase
{
public:
  using Pose = geometry_msgs::msg::Pose;
  using Codes = moveit_msgs::msg::MoveItErrorCodes;
  using Options = kinematics::KinematicsQueryOptions;
  using Numbers = std::vector<double>;
  using KinematicsBase::getPositionIK;
  using KinematicsBase::searchPositionIK;

  bool initialize(
    const rclcpp::Node::SharedPtr & node, const moveit::core::RobotModel & robot_model,
    const std::string & group, const std::string & base, const std::vector<std::string> & tips,
    double search_discretization) override
  {
    node_ = node;
    storeValues(robot_model, group, base, tips, search_discretization);
    try
    {
      start(NodeParameters(
        node->get_node_parameters_interface(), "robot_description_kinematics." + group));
    }
    catch (const std::invalid_argument & error)
    {
      solver_.reset();
      RCLCPP_ERROR(logger(), "group '%s': %s", group.c_str(), error.what());
    }
    return solver_.has_value();
  }

  bool getPositionIK(
    const Pose & pose, const Numbers & seed, Numbers & solution, Codes & code,
    const Options & options = Options()) const override
  {
    return find(pose, seed, 0.0, {}, solution, nullptr, code, options);
  }

  bool searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, Numbers & solution, Codes & code,
    const Options & options = Options()) const override
  {
    return find(pose, seed, timeout, {}, solution, nullptr, code, options);
  }

  bool searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, const Numbers & consistency_limits,
    Numbers & solution, Codes & code, const Options & options = Options()) const override
  {
    return find(pose, seed, timeout, consistency_limits, solution, nullptr, code, options);
  }

  bool searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, Numbers & solution,
    const IKCallbackFn & callback, Codes & code, const Options & options = Options()) const override
  {
    return find(pose, seed, timeout, {}, solution, callback, code, options);
  }

  bool searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, const Numbers & consistency_limits,
    Numbers & solution, const IKCallbackFn & callback, Codes & code,
    const Options & options = Options()) const override
  {
    return find(pose, seed, timeout, consistency_limits, solution, callback, code, options);
  }

  bool getPositionFK(
    const std::vector<std::string> & links, const Numbers & positions,
    std::vector<Pose> & poses) const override
  {
    if (!ready() || !sized("positions", positions))
    {
      return false;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    poses.clear();
    for (const std::string & link : links)
    {
      const auto pose = chain_->pose(link, positions);
      if (!pose)
      {
        RCLCPP_ERROR(logger(), "the group's joints do not place the link '%s'", link.c_str());
        return false;
      }
      const Eigen::Quaterniond turn(pose->rotation);
      poses.emplace_back();
      poses.back().position.x = pose->translation.x();
      poses.back().position.y = pose->translation.y();
      poses.back().position.z = pose->translation.z();
      poses.back().orientation.x = turn.x();
      poses.back().orientation.y = turn.y();
      poses.back().orientation.z = turn.z();
      poses.back().orientation.w = turn.w();
    }
    return true;
  }

  const std::vector<std::string> & getJointNames() const override { return joint_names_; }
  const std::vector<std::string> & getLinkNames() const override { return tip_frames_; }

private:
  using Solver = inverse_kinematics::InverseKinematics;
  using Positions = inverse_kinematics::Positions;
  using Clock = std::chrono::steady_clock;

  static rclcpp::Logger logger() { return rclcpp::get_logger(Robot::plugin_name); }

  /// \throws std::invalid_argument if there is no such chain, or the robot is another one
  void start(const NodeParameters & parameters)
  {
    check_description<Robot>(
      parameters, "", [](const std::string & text) { RCLCPP_WARN(logger(), "%s", text.c_str()); });
    if (tip_frames_.size() != 1)
    {
      throw std::invalid_argument(
        "expected one tip frame, found " + std::to_string(tip_frames_.size()));
    }
    chain_.emplace(Robot::model(), base_frame_, tip_frames_[0]);
    solver_.emplace(
      chain_->chain(), chain_->joints(), parameters.number("angle_tolerance", 0.02),
      parameters.number("length_tolerance", 5e-3));
    joint_names_ = chain_->joint_names();
  }

  bool ready() const
  {
    if (!solver_)
    {
      RCLCPP_ERROR(logger(), "not initialized: call initialize() first");
    }
    return solver_.has_value();
  }

  bool sized(const char * what, const Numbers & values) const
  {
    if (values.size() != joint_names_.size())
    {
      RCLCPP_ERROR(
        logger(), "expected %zu numbers as %s, found %zu", joint_names_.size(), what,
        values.size());
    }
    return values.size() == joint_names_.size();
  }

  /// Returns what is asked of the solver; nothing if the pose is none.
  std::optional<inverse_kinematics::Task> task_of(const Pose & pose) const
  {
    const Eigen::Quaterniond turn(
      pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z);
    inverse_kinematics::Task task;
    task.wanted = solver_->wanted();
    task.target.translation << pose.position.x, pose.position.y, pose.position.z;
    if (!(std::abs(turn.norm() - 1.0) < 0.01) || !task.target.translation.allFinite())
    {
      RCLCPP_ERROR(logger(), "the pose is none: expected finite numbers and a unit quaternion");
      return std::nullopt;
    }
    task.target.rotation = turn.normalized().toRotationMatrix();
    return task;
  }

  /// Tries solutions, nearest to the seed first, then those of other values of the redundancy, or
  /// of a search from elsewhere, until the time is over.
  bool find(
    const Pose & pose, const Numbers & seed, double timeout, const Numbers & consistency_limits,
    Numbers & solution, const IKCallbackFn & callback, Codes & code, const Options & options) const
  {
    const auto end = Clock::now() + std::chrono::duration<double>(timeout);
    code.val = Codes::NO_IK_SOLUTION;
    if (
      !ready() || !sized("seed", seed) ||
      !(consistency_limits.empty() || sized("consistency limits", consistency_limits)))
    {
      return false;
    }
    const auto task = task_of(pose);
    if (!task)
    {
      return false;
    }
    inverse_kinematics::Random random(1);
    Positions start = Eigen::Map<const Eigen::VectorXd>(seed.data(), solver_->chain().size());
    if (!start.allFinite())
    {
      RCLCPP_ERROR(logger(), "the seed has a number that is not finite");
      return false;
    }
    inverse_kinematics::Query query;
    query.seed = &start;
    query.timeout = timeout > 0.0 ? timeout : query.timeout;
    query.redundancy = options.lock_redundant_joints && solver_->plan().redundancy()
                         ? solver_->plan().redundancy(start)
                         : query.redundancy;
    do
    {
      for (const Numbers & candidate : solutions(*task, query))
      {
        if (!Near{seed, consistency_limits}.has(candidate))
        {
          continue;
        }
        code.val = Codes::SUCCESS;
        if (callback)
        {
          callback(pose, candidate, code);
        }
        if (code.val == Codes::SUCCESS)
        {
          solution = candidate;
          return true;
        }
      }
    } while (Clock::now() < end &&
             go_elsewhere(query, start, options, Near{seed, consistency_limits}, random));
    code.val = timeout > 0.0 && Clock::now() >= end ? Codes::TIMED_OUT : Codes::NO_IK_SOLUTION;
    return false;
  }

  /// Positions near a seed, within MoveIt's consistency limits; all where there are none.
  struct Near
  {
    const Numbers & seed;
    const Numbers & limits;

    double within(std::size_t i) const
    {
      return limits.empty() ? std::numeric_limits<double>::infinity() : limits[i];
    }
    bool has(const Numbers & candidate) const
    {
      for (std::size_t i = 0; i < limits.size(); ++i)
      {
        if (std::abs(candidate[i] - seed[i]) > limits[i])
        {
          return false;
        }
      }
      return true;
    }
  };

  /// Changes what a next attempt begins at; false where all solutions are known.
  bool go_elsewhere(
    inverse_kinematics::Query & query, Positions & start, const Options & options,
    const Near & near, inverse_kinematics::Random & random) const
  {
    const auto & plan = solver_->plan();
    if (plan.way != inverse_kinematics::Way::search)
    {
      const bool free = plan.redundancy() && !options.lock_redundant_joints;
      const bool joint = free && plan.shape == inverse_kinematics::Shape::fixed;
      query.redundancy =
        joint ? anywhere(plan.redundant, near, random) : random.between(-M_PI, M_PI);
      return free;
    }
    for (int i = 0; i < start.size(); ++i)
    {
      start(i) = anywhere(i, near, random);
    }
    return true;
  }

  double anywhere(int i, const Near & near, inverse_kinematics::Random & random) const
  {
    const auto k = static_cast<std::size_t>(i);
    const auto & joint = solver_->joints()[k];
    return random.between(
      std::max({joint.lower, -M_PI, near.seed[k] - near.within(k)}),
      std::min({joint.upper, M_PI, near.seed[k] + near.within(k)}));
  }

  std::vector<Numbers> solutions(
    const inverse_kinematics::Task & task, const inverse_kinematics::Query & query) const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Numbers> result;
    for (int i = 0, count = solver_->solve(task, query); i < count; ++i)
    {
      const Positions & q = solver_->positions(i);
      result.emplace_back(q.data(), q.data() + q.size());
    }
    return result;
  }

  std::optional<ModelChain> chain_;
  std::vector<std::string> joint_names_;
  mutable std::mutex mutex_;
  mutable std::optional<Solver> solver_;
};

}  // namespace robcogen_ros::plugins

#endif  // ROBCOGEN_ROS__PLUGINS__MOVEIT_KINEMATICS_HPP_
