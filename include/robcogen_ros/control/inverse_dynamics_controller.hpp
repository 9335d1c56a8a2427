// A chainable ros2_control controller on the generated dynamics of one robot.
#ifndef ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_

#include <optional>
#include <string>

#include "robcogen_ros/control/configuration.hpp"
#include "robcogen_ros/control/effort_controller.hpp"
#include "robcogen_ros/control/reference_topic.hpp"
#include "robcogen_ros/control/state_topic.hpp"

namespace robcogen_ros::control
{

/// Computed torque, gravity compensation and more, behind other controllers or alone.
///
/// References come from the controller in front through `<name>/<joint>/position`, `velocity`,
/// `acceleration`, `effort`, otherwise from the topic `~/reference`; effort may come alone. Efforts
/// go to `<joint>/effort`. What it does cycle by cycle is Controller; docs/controller.md tells all.
///
/// \tparam Robot the Traits of a generated robot on a fixed base, with compiled_model() and
/// model_parameters()
template <typename Robot>
class InverseDynamicsController
: public EffortController<Robot, Configuration<Robot>, JointReadings<Robot>>
{
  using Readings = JointReadings<Robot>;
  using Base = EffortController<Robot, Configuration<Robot>, Readings>;

public:
  using typename Base::JointVector;
  using typename Base::return_type;

protected:
  using typename Base::Visit;

  void each_state(Readings & readings, const Visit & visit) const override
  {
    for (int i = 0; i < Robot::joint_count; ++i)
    {
      const std::string joint = Robot::joint_names[i];
      visit(joint + "/position", readings.position(i));
      if (!this->parameters().estimate_velocity)
      {
        visit(joint + "/velocity", readings.velocity(i));
      }
    }
  }

  Words commands() const override { return Base::of_joints(this->parameters().command_interfaces); }

  Words references() const override
  {
    return Base::of_joints({"position", "velocity", "acceleration", "effort"});
  }

  bool set_up_control() override
  {
    const auto & parameters = this->parameters();
    const unsigned rate = this->get_update_rate();
    controller_.emplace(parameters, rate > 0 ? 1.0 / rate : 0.0);
    reference_topic_.emplace(this->get_node(), parameters.reference_timeout);
    state_topic_.emplace(this->get_node(), parameters.state_publish_rate);
    return true;
  }

  void tear_down() override
  {
    state_topic_.reset();
    reference_topic_.reset();
    controller_.reset();
  }

  void activate() override
  {
    const Mode mode = this->settings().mode;
    reference_topic_->set_follows(follows(mode));
    controller_->activate();
    RCLCPP_INFO(
      this->get_node()->get_logger(), "mode %s: %s",
      mode_names[static_cast<std::size_t>(mode)].data(),
      follows(mode) ? "positions are followed, efforts added to what holds them"
                    : "efforts of references are added, nothing else is followed");
  }

  return_type update_and_write_commands(
    const rclcpp::Time &, const rclcpp::Duration & period) override
  {
    const double step = period.seconds();
    const Readings & readings = this->read_states();
    const MotionState<Robot> given =
      this->is_in_chained_mode()
        ? chained_reference()
        : reference_topic_->sample(step, controller_->reference().position);
    write_all(
      controller_->update(this->settings(), readings.position, readings.velocity, given, step)
        .effort);
    state_topic_->set({*controller_, this->unwritten()});
    return controller_->failed() ? return_type::ERROR : return_type::OK;
  }

  void part() override
  {
    const auto & parameters = this->parameters();
    const Parting kind =
      parting(controller_->failed() ? parameters.failure_effort : parameters.deactivation_effort);
    write_all(controller_->end(this->settings(), kind).effort);
  }

  std::string failure() const override
  {
    return !controller_->failed()                        ? ""
           : controller_->condition() == Condition::lost ? "joint states are missing"
                                                         : "an effort is not finite";
  }

  void forget_topics() override
  {
    if (reference_topic_)
    {
      reference_topic_->forget();
    }
  }

private:
  MotionState<Robot> chained_reference() const
  {
    const auto quantity = [this](int k)
    {
      return Eigen::Map<const JointVector>(
        this->reference_interfaces_.data() + k * Robot::joint_count);
    };
    return {quantity(0), quantity(1), quantity(2), quantity(3)};
  }

  /// Writes efforts and, where drives want them, the reference's positions and velocities.
  void write_all(const JointVector & effort)
  {
    const Words & kinds = this->parameters().command_interfaces;
    const MotionState<Robot> reference = controller_->reference();
    for (std::size_t k = 0; k < kinds.size(); ++k)
    {
      this->write(
        kinds[k] == "effort"     ? effort
        : kinds[k] == "position" ? reference.position
                                 : reference.velocity,
        k);
    }
  }

  std::optional<Controller<Robot>> controller_;
  std::optional<ReferenceTopic<Robot>> reference_topic_;
  std::optional<StateTopic<Robot>> state_topic_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__INVERSE_DYNAMICS_CONTROLLER_HPP_
