// The numbers of a motion by name, as interfaces of ros2_control carry them.
#ifndef ROBCOGEN_ROS__CONTROL__MOTION_NUMBERS_HPP_
#define ROBCOGEN_ROS__CONTROL__MOTION_NUMBERS_HPP_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"
#include "robcogen_ros/control/whole_body_reference.hpp"

namespace robcogen_ros::control
{

/// Calls `visit(name, number)` for each number of a motion.
///
/// \param turns whether its orientation matters
template <typename Visit>
void each_number(whole_body::Motion & motion, bool turns, const Visit & visit)
{
  each_number("position", motion.position, visit);
  each_number("linear_velocity", motion.linear_velocity, visit);
  each_number("linear_acceleration", motion.linear_acceleration, visit);
  if (turns)
  {
    each_number("orientation", motion.orientation.coeffs(), visit);
    each_number("angular_velocity", motion.angular_velocity, visit);
    each_number("angular_acceleration", motion.angular_acceleration, visit);
  }
}

/// Request of a controller in front to a robot on legs, number by number.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class ChainedRequest
{
public:
  explicit ChainedRequest(const Robot & robot = Robot())
  : robot_(robot), request_(no_request(robot))
  {
    each([this](const std::string &, double & value) { numbers_.push_back(&value); });
  }
  ChainedRequest(const ChainedRequest &) = delete;
  ChainedRequest & operator=(const ChainedRequest &) = delete;

  std::size_t size() const noexcept { return numbers_.size(); }

  /// Calls `visit(name, number)` for each number: `<base>/position.x`, `<foot>/stance`, ...
  template <typename Visit>
  void each(const Visit & visit)
  {
    const auto of = [&visit](const std::string & name)
    {
      return [&visit, name](const std::string & quantity, double & value)
      { visit(name + "/" + quantity, value); };
    };
    each_number(request_.trunk, true, of(robot_.link_names[0]));
    for (std::size_t i = 0; i < static_cast<std::size_t>(robot_.contact_count); ++i)
    {
      const auto foot = of(foot_name(robot_.contact_names[i]));
      foot("stance", stance_[i]);
      const bool turns = robot_.contacts[i].rows() == 6;
      each_number(request_.feet[i].motion, turns, foot);
      each_number("force", request_.feet[i].wrench.template tail<3>(), foot);
      if (turns)
      {
        each_number("torque", request_.feet[i].wrench.template head<3>(), foot);
      }
    }
  }

  /// Returns the request that the numbers make, in the order of each(), NaN where nothing is said.
  /// A foot swings where its `stance` is below a half.
  const whole_body::Reference<Robot> & request(const double * values) noexcept
  {
    for (double * const number : numbers_)
    {
      *number = *values++;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(robot_.contact_count); ++i)
    {
      request_.feet[i].stance = !(stance_[i] < 0.5);
    }
    return request_;
  }

private:
  const Robot robot_;
  whole_body::Reference<Robot> request_;
  std::array<double, static_cast<std::size_t>(SizesOf<Robot>::most_contacts)> stance_{};
  std::vector<double *> numbers_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__MOTION_NUMBERS_HPP_
