// A chainable ros2_control controller for a robot on legs, on its generated dynamics.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_

#include <optional>
#include <string>

#include "robcogen_ros/control/base_topic.hpp"
#include "robcogen_ros/control/effort_controller.hpp"
#include "robcogen_ros/control/motion_numbers.hpp"
#include "robcogen_ros/control/velocity_topic.hpp"
#include "robcogen_ros/control/whole_body_configuration.hpp"
#include "robcogen_ros/control/whole_body_state_topic.hpp"
#include "robcogen_ros/control/whole_body_topic.hpp"

namespace robcogen_ros::control
{

/// Moves trunk and swinging feet as asked, with forces of the feet within their friction cones.
///
/// Requests come from the controller in front through `<name>/<base>/position.x`,
/// `<name>/<foot>/stance`, ..., otherwise from the topics `~/reference` and `~/cmd_vel`. Efforts go
/// to `<joint>/effort`. What it does cycle by cycle is WholeBodyLoop; docs/legged_controller.md
/// tells all.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base, with
/// compiled_model() and model_parameters()
template <typename Robot>
class WholeBodyController
: public EffortController<Robot, WholeBodyConfiguration<Robot>, WholeBodyReadings<Robot>>
{
  using Readings = WholeBodyReadings<Robot>;
  using Base = EffortController<Robot, WholeBodyConfiguration<Robot>, Readings>;

public:
  using typename Base::return_type;

protected:
  using typename Base::Visit;

  void each_state(Readings & readings, const Visit & visit) const override
  {
    const auto & parameters = this->parameters();
    const auto & configuration = this->configuration();
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::string joint = Robot::joint_names[i];
      visit(joint + "/position", readings.position(i));
      if (!parameters.estimate_velocity)
      {
        visit(joint + "/velocity", readings.velocity(i));
      }
    }
    if (parameters.base_state != "topic")
    {
      BaseReading & base = readings.base;
      each_number(configuration.base_name + "/position", base.position, visit);
      each_number(configuration.base_name + "/linear_velocity", base.linear_velocity, visit);
      each_number(configuration.imu_name + "/orientation", base.orientation, visit);
      each_number(configuration.imu_name + "/angular_velocity", base.angular_velocity, visit);
    }
    if (parameters.contacts == "forces")
    {
      for (int i = 0; i < Robot::contact_count; ++i)
      {
        each_number(std::string(Robot::contact_names[i]) + "/force", readings.forces.col(i), visit);
      }
    }
  }

  Words commands() const override { return Base::of_joints({"effort"}); }

  Words references() const override
  {
    Words names;
    ChainedRequest<Robot>().each([&names](const std::string & name, double &)
                                 { names.push_back(name); });
    return names;
  }

  bool set_up_control() override
  {
    const auto & parameters = this->parameters();
    const bool base_topic = parameters.base_state == "topic";
    if (base_topic && !BaseTopic::available)
    {
      RCLCPP_ERROR(
        this->get_node()->get_logger(),
        "base_state: 'topic' needs nav_msgs, which was not found when this was compiled");
      return false;
    }
    loop_.emplace(parameters);
    request_topic_.emplace(this->get_node(), parameters.reference_timeout);
    velocity_topic_.emplace(this->get_node(), parameters.cmd_vel_timeout);
    if (base_topic)
    {
      base_topic_.emplace(this->get_node(), Robot::link_names[0], parameters.base_state_timeout);
    }
    state_topic_.emplace(this->get_node(), parameters.state_publish_rate);
    return true;
  }

  void tear_down() override
  {
    state_topic_.reset();
    base_topic_.reset();
    velocity_topic_.reset();
    request_topic_.reset();
    loop_.reset();
  }

  void activate() override
  {
    if (base_topic_)
    {
      base_topic_->forget();
    }
    loop_->activate();
  }

  return_type update_and_write_commands(
    const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    const double step = period.seconds();
    Readings readings = this->read_states();
    if (base_topic_)
    {
      readings.base = base_topic_->sample(step);
    }
    VelocityCommand velocity = velocity_topic_->sample(step);
    const whole_body::Reference<Robot> topic = request_topic_->sample(step);
    const bool chained = this->is_in_chained_mode();
    velocity.yields = chained || request_topic_->fresh();
    this->write(loop_->update(
      this->settings(), readings,
      chained ? chained_.request(this->reference_interfaces_.data()) : topic, step, velocity));
    state_topic_->set({*loop_, this->unwritten()});
    return loop_->failed() ? return_type::ERROR : return_type::OK;
  }

  void part() override
  {
    this->write(
      loop_->failed()
        ? loop_->efforts()
        : loop_->parting(this->settings(), parting(this->parameters().deactivation_effort)));
  }

  std::string failure() const override
  {
    const auto condition = static_cast<std::size_t>(loop_->condition());
    return loop_->failed() ? std::string(whole_body_condition_names[condition]) : "";
  }

  void forget_topics() override
  {
    if (request_topic_)
    {
      request_topic_->forget();
      velocity_topic_->forget();
    }
  }

private:
  std::optional<WholeBodyLoop<Robot>> loop_;
  std::optional<WholeBodyTopic<Robot>> request_topic_;
  std::optional<VelocityTopic> velocity_topic_;
  std::optional<BaseTopic> base_topic_;
  std::optional<WholeBodyStateTopic<Robot>> state_topic_;
  ChainedRequest<Robot> chained_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_CONTROLLER_HPP_
