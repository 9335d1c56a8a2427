// What the values of the whole-body controller's parameters mean for one robot.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONFIGURATION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <stdexcept>
#include <string>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/gait_file.hpp"
#include "robcogen_ros/control/whole_body_loop.hpp"

namespace robcogen_ros::control
{

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
    const auto & law = settings.law;
    refuse_if(!(law.gravity.norm() > 0.0), "gravity: expected one that is not zero");
    refuse_if(!(law.ground_normal.norm() > 0.0), "ground_normal: expected one that is not zero");
    refuse_if(
      !(law.ground_normal.dot(law.gravity) < 0.0),
      "ground_normal: expected one that is upwards, against gravity");
    refuse_if(
      law.least_normal_force > law.greatest_normal_force,
      "least_normal_force: expected at most greatest_normal_force");
    settings.gait.found = found_gait(given, robot);
    for (const double duty : given.gait_duty)
    {
      refuse_if(duty > 0.0 && duty < 0.5, "gait_duty: expected 0 or at least 0.5");
    }
    if (given.base_state == "estimator")
    {
      const int problem = estimator::Settings<Robot>(given, robot).problem();
      refuse_if(problem >= 0, estimator::setting_problems[std::max(problem, 0)]);
    }
    set_soles(given.soles, robot);
  }

private:
  static void refuse_if(bool wrong, const char * reason)
  {
    if (wrong)
    {
      throw std::invalid_argument(reason);
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
