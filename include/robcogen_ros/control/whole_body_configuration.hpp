// What the values of the whole-body controller's parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/gait_file.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"
#include "robcogen_ros/legged/can_step.hpp"
#include "robcogen_ros/legged/step_times.hpp"
#include "robcogen_ros/parameters/joints.hpp"
#include "robcogen_ros/parameters/whole_body_controller.hpp"

namespace robcogen_ros::control
{

/// \throws std::invalid_argument if there is a problem
inline void refuse_text(const std::string & problem)
{
  if (!problem.empty())
  {
    throw std::invalid_argument(problem);
  }
}

/// Refuses numbers of gaits that are in their ranges, but those of no gait of the robot.
template <typename Robot>
void check_steps(const parameters::WholeBodyController & given, const Robot & robot)
{
  for (const bool walks : {false, true})
  {
    refuse_text(
      legged::step_times_problem(
        walks ? legged::GaitName::walk : legged::GaitName::trot, robot.contact_count,
        given.gait_period[walks], given.gait_duty[walks], "gait_"));
  }
  const legged::GaitName gait = legged::gait_name(given.gait);
  const int carry = legged::least_feet(gait, robot.contact_count);
  constexpr double margin = 1.5;  // of forces that move the robot besides
  if (carry < robot.contact_count && given.greatest_normal_force * carry < margin)
  {
    throw std::invalid_argument(
      "greatest_normal_force: expected " + std::to_string(margin / carry) +
      " or more, for feet carry the robot as others step, found " +
      std::to_string(given.greatest_normal_force));
  }
  using Joints = typename Robot::JointVector;
  const Joints q =
    parameters::per_joint("posture", given.posture, Joints(Joints::Zero(robot.joint_count)));
  for (int i = 0; i < robot.joint_count && !given.posture.empty(); ++i)
  {
    constexpr double near = 0.1;  // what a joint may measure beyond
    if (q(i) < robot.lower_limits[i] - near || q(i) > robot.upper_limits[i] + near)
    {
      throw std::invalid_argument(
        "posture: expected positions within the limits of the joints, found " +
        std::to_string(q(i)) + " of '" + robot.joint_names[i] + "'");
    }
  }
  if (!given.posture.empty())
  {
    legged::Settings<Robot> standing(robot);
    standing.posture = q;
    standing.gravity = Eigen::Vector3d(given.gravity.data());
    const double height = legged::Placement<Robot>(standing).height;
    const legged::Sizes sizes =
      legged::Sizes(given).filled(gait, height, standing.gravity.norm(), robot);
    refuse_text(legged::pace_problem(gait, standing, sizes.period, sizes.duty, "gait_"));
    if (height > 0.0 && sizes.swing_height > 0.35 * height)
    {
      throw std::invalid_argument(
        "swing_height: expected at most 0.35 of the height of the base, which is " +
        std::to_string(height) + " m, found " + std::to_string(given.swing_height));
    }
  }
}

/// Refuses a gait that a robot does not get into by steps.
template <typename Robot>
void check_entered(const legged::FoundGait<Robot> & gait, int feet, const std::string & path)
{
  const auto first = gait.footfalls.duties.begin();
  const double least = *std::min_element(first, first + feet);
  const double most = *std::max_element(first, first + feet);
  if (least < 0.5 - 1e-6 || most - least > 1e-6)
  {
    throw std::invalid_argument(
      "gait_file: " + path + ": feet stand for " + std::to_string(least) + " to " +
      std::to_string(most) + " of a stride: a robot that steps gets into gaits in which all do " +
      "for the same share, 0.5 at least");
  }
  if (gait.normal.z() < 1.0 - 1e-9)
  {
    throw std::invalid_argument(
      "gait_file: " + path + ": a robot that steps gets into gaits on level ground");
  }
}

/// The gait that parameters name, none if they name none. Not for real time; the same object as
/// long as it is in use, for a robot that is one.
///
/// \throws std::invalid_argument that says what is wrong
template <typename Robot>
std::shared_ptr<const legged::FoundGait<Robot>> found_gait(
  const parameters::WholeBodyController & given, const Robot & robot = Robot())
{
  using Gait = legged::FoundGait<Robot>;
  using Joints = typename Robot::JointVector;
  refuse_text(
    legged::step_problem(
      legged::gait_name(given.gait), robot, {},
      parameters::per_joint("posture", given.posture, Joints(Joints::Zero(robot.joint_count)))));
  check_steps(given, robot);
  if (given.gait_file.empty() && given.gait != "played")
  {
    return nullptr;
  }
  if (given.gait_file.empty())
  {
    throw std::invalid_argument("gait: 'played' needs gait_file, a .csv of robcogen gait");
  }
  const auto vector = [](const parameters::Numbers & x) { return Eigen::Vector3d(x.data()); };
  if (vector(given.gravity).cross(vector(given.ground_normal)).norm() > 1e-6 * 9.81)
  {
    throw std::invalid_argument("gait_file: found gaits are for level ground, see ground_normal");
  }
  static std::mutex mutex;
  static std::map<std::pair<std::string, const void *>, std::weak_ptr<const Gait>> all;
  const std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<const Gait> & known = all[{given.gait_file, &robot.joint_names[0]}];
  std::shared_ptr<const Gait> result = known.lock();
  if (!result)
  {
    result = GaitFile<Robot>::read(given.gait_file, robot);
    check_entered(*result, robot.contact_count, given.gait_file);
    known = result;
  }
  return result;
}

/// All settings of a whole-body controller; not for real time.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
struct WholeBodyConfiguration
{
  using Parameters = parameters::WholeBodyController;

  Parameters parameters;
  WholeBodySettings<Robot> settings;
  std::string base_name;
  std::string imu_name;

  /// \throws std::invalid_argument that says which value is wrong and what is expected
  explicit WholeBodyConfiguration(const Parameters & given, const Robot & robot = Robot())
  : parameters(given),
    settings(given, robot),
    base_name(given.base_name.empty() ? robot.link_names[0] : given.base_name),
    imu_name(given.imu_name.empty() ? base_name : given.imu_name)
  {
    settings.gait.found = found_gait(given, robot);
    set_soles(given.soles, robot);
    refuse(settings.law.problem(), whole_body::setting_problems);
    if (given.base_state == "estimator")
    {
      refuse(estimator::Settings<Robot>(given, robot).problem(), estimator::setting_problems);
    }
  }

private:
  /// \param problem number of a reason; negative if there is none
  static void refuse(int problem, const char * const * reasons)
  {
    if (problem >= 0)
    {
      throw std::invalid_argument(reasons[problem]);
    }
  }

  void set_soles(const parameters::Numbers & numbers, const Robot & robot)
  {
    constexpr std::size_t each = 12;
    std::size_t flat = 0;
    for (const Contact & contact : robot.contacts)
    {
      flat += contact.rows() == 6 ? 1 : 0;
    }
    if (flat > 0 ? numbers.size() != each && numbers.size() != each * flat : !numbers.empty())
    {
      throw std::invalid_argument(
        "soles: expected " +
        (flat > 0 ? "12 numbers or " + std::to_string(each * flat) : std::string("none")) +
        ", for " + std::to_string(flat) + " contacts that are poses, found " +
        std::to_string(numbers.size()));
    }
    std::size_t first = 0;
    for (int i = 0; i < robot.contact_count; ++i)
    {
      if (robot.contacts[i].rows() == 6)
      {
        auto & sole = settings.law.soles[static_cast<std::size_t>(i)];
        sole = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(numbers.data() + first);
        first += numbers.size() > each ? each : 0;
        if (!whole_body::Sole::is_rectangle(sole))
        {
          throw std::invalid_argument(
            "soles: expected the corners of a rectangle, those of '" +
            foot_name(robot.contact_names[i]) + "' are none; give a rectangle within the sole");
        }
      }
    }
  }
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_
