#include "robcogen_ros/ros2_control/inverse_dynamics_controller.hpp"

#include <optional>

#include "robcogen_ros/control/configuration.hpp"
#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/core/motor_space.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/ros2_control/node_parameters.hpp"
#include "robcogen_ros/ros2_control/reference_topic.hpp"
#include "robcogen_ros/ros2_control/state_topic.hpp"

namespace robcogen_ros::ros2_control
{

struct InverseDynamicsController::Parts
{
  explicit Parts(const CompiledRobot & compiled)
  : robot(compiled.model, core::for_arms, core::for_observer), readings(robot)
  {
  }

  MotionState<Robot> chained_reference(const double * values) const
  {
    const auto quantity = [&](int k)
    { return JointVector(Robot::Vector(values + k * robot.joint_count, robot.joint_count)); };
    return {quantity(0), quantity(1), quantity(2), quantity(3)};
  }

  Robot robot;
  JointReadings<Robot> readings;
  std::shared_ptr<NodeParameters<Configuration<Robot>>> table;
  std::optional<Controller<Robot>> controller;
  std::optional<ReferenceTopic> reference_topic;
  std::optional<Handover<Snapshot>> state_topic;  ///< none where it is never published
};

InverseDynamicsController::InverseDynamicsController(const CompiledRobot & robot)
: EffortController(robot)
{
}

InverseDynamicsController::~InverseDynamicsController() = default;

TableOnNode & InverseDynamicsController::declare()
{
  parts_ = std::make_unique<Parts>(robot());
  parts_->table = NodeParameters<Configuration<Robot>>::make(get_node(), robot(), parts_->robot);
  return *parts_->table;
}

void InverseDynamicsController::each_state(const Visit & visit) const
{
  int i = 0;
  for (const std::string & name : measured())
  {
    visit(name + "/position", parts_->readings.position(i));
    if (!parts_->table->parameters().estimate_velocity)
    {
      visit(name + "/velocity", parts_->readings.velocity(i));
    }
    ++i;
  }
}

void InverseDynamicsController::forget_states()
{
  parts_->readings = JointReadings<Robot>(parts_->robot);
}

EffortController::Words InverseDynamicsController::commands() const
{
  return each_of(measured(), parts_->table->parameters().command_interfaces);
}

EffortController::Words InverseDynamicsController::references() const
{
  return each_of(joints(), {"position", "velocity", "acceleration", "effort"});
}

bool InverseDynamicsController::set_up()
{
  const auto & given = parts_->table->parameters();
  if (!is_compiled_model(given.model_check, given.model_tolerance, given.robot_description))
  {
    return false;
  }
  use(given.space);
  const unsigned rate = get_update_rate();
  parts_->controller.emplace(given, rate > 0 ? 1.0 / rate : 0.0, std::nullopt, parts_->robot);
  parts_->reference_topic.emplace(get_node(), given.reference_timeout, parts_->robot);
  if (given.state_publish_rate > 0.0)
  {
    parts_->state_topic.emplace(
      get_node(), given.state_publish_rate, Snapshot(parts_->robot),
      StateWriter(get_node(), parts_->robot));
  }
  return true;
}

void InverseDynamicsController::tear_down()
{
  parts_->state_topic.reset();
  parts_->reference_topic.reset();
  parts_->controller.reset();
  use("joint");
}

void InverseDynamicsController::activate()
{
  const Mode mode = parts_->table->settings().mode;
  parts_->reference_topic->set_follows(follows(mode));
  parts_->controller->activate();
  RCLCPP_INFO(
    get_node()->get_logger(), "mode %s: %s", mode_names[static_cast<std::size_t>(mode)].data(),
    follows(mode) ? "positions are followed, efforts added to what holds them"
                  : "efforts of references are added, nothing else is followed");
}

auto InverseDynamicsController::update_and_write_commands(
  const rclcpp::Time &, const rclcpp::Duration & period) -> return_type
{
  Controller<Robot> & controller = *parts_->controller;
  const double step = period.seconds();
  read_states();
  const MotionState<Robot> given =
    is_in_chained_mode() ? parts_->chained_reference(reference_interfaces_.data())
                         : parts_->reference_topic->sample(step, controller.reference().position);
  JointReadings<Robot> readings = parts_->readings;
  if (motors_)
  {
    motors_->to_joints(readings.position, readings.velocity);
  }
  controller.update(parts_->table->settings(), readings.position, readings.velocity, given, step);
  write_commands(controller.command());
  if (parts_->state_topic)
  {
    parts_->state_topic->set({controller, unwritten()});
  }
  return controller.supervisor().failed() ? return_type::ERROR : return_type::OK;
}

void InverseDynamicsController::write_commands(const Command<Robot> & command)
{
  const Words & kinds = parts_->table->parameters().command_interfaces;
  const MotionState<Robot> reference = parts_->controller->reference();
  JointVector effort = command.effort, position = reference.position, velocity = reference.velocity;
  if (motors_)
  {
    const core::Motors & motors = motors_->motors();
    effort = motors_->of_motors(command, parts_->table->settings().motor_limits).effort;
    position = motors.positions(reference.position);
    velocity = motors.velocities(reference.position, reference.velocity);
  }
  for (std::size_t k = 0; k < kinds.size(); ++k)
  {
    write(
      kinds[k] == "effort"     ? effort.data()
      : kinds[k] == "position" ? position.data()
                               : velocity.data(),
      k);
  }
}

void InverseDynamicsController::part()
{
  Controller<Robot> & controller = *parts_->controller;
  const auto & given = parts_->table->parameters();
  const Parting kind =
    parting(controller.supervisor().failed() ? given.failure_effort : given.deactivation_effort);
  write_commands(controller.end(parts_->table->settings(), kind));
}

std::string InverseDynamicsController::failure() const
{
  const Controller<Robot> & controller = *parts_->controller;
  return !controller.supervisor().failed()                        ? ""
         : controller.supervisor().condition() == Condition::lost ? "joint states are missing"
                                                                  : "an effort is not finite";
}

void InverseDynamicsController::forget_topics()
{
  if (parts_->reference_topic)
  {
    parts_->reference_topic->forget();
  }
}

}  // namespace robcogen_ros::ros2_control
