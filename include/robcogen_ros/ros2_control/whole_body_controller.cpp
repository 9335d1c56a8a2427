#include "robcogen_ros/ros2_control/whole_body_controller.hpp"

#include <optional>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/motion_numbers.hpp"
#include "robcogen_ros/control/whole_body_configuration.hpp"
#include "robcogen_ros/core/motor_space.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/ros2_control/base_topic.hpp"
#include "robcogen_ros/ros2_control/force_topics.hpp"
#include "robcogen_ros/ros2_control/node_parameters.hpp"
#include "robcogen_ros/ros2_control/posture_topic.hpp"
#include "robcogen_ros/ros2_control/trouble_log.hpp"
#include "robcogen_ros/ros2_control/velocity_topic.hpp"
#include "robcogen_ros/ros2_control/whole_body_state_topic.hpp"
#include "robcogen_ros/ros2_control/whole_body_topic.hpp"

namespace robcogen_ros::ros2_control
{

struct WholeBodyController::Parts
{
  explicit Parts(const CompiledRobot & compiled)
  : robot(compiled.model, core::for_whole_body_loop, core::for_loops),
    readings(robot),
    chained(robot),
    troubles(robot)
  {
  }

  Robot robot;
  WholeBodyReadings<Robot> readings;
  ChainedRequest<Robot> chained;
  control::Troubles<Robot> troubles;
  std::shared_ptr<NodeParameters<WholeBodyConfiguration<Robot>>> table;
  std::optional<WholeBodyLoop<Robot>> loop;
  std::optional<WholeBodyTopic> request_topic;
  std::optional<PostureTopic> posture_topic;
  std::optional<ForceTopics> force_topics;
  std::optional<VelocityTopic> velocity_topic;
  std::optional<BaseTopic> base_topic;
  std::optional<Handover<control::Troubles<Robot>>> trouble_log;
  std::optional<Handover<WholeBodySnapshot>> state_topic;  ///< none where it is never published
};

WholeBodyController::WholeBodyController(const CompiledRobot & robot) : EffortController(robot) {}

WholeBodyController::~WholeBodyController() = default;

TableOnNode & WholeBodyController::declare()
{
  parts_ = std::make_unique<Parts>(robot());
  parts_->table =
    NodeParameters<WholeBodyConfiguration<Robot>>::make(get_node(), robot(), parts_->robot);
  return *parts_->table;
}

void WholeBodyController::each_state(const Visit & visit) const
{
  const Robot & robot = parts_->robot;
  WholeBodyReadings<Robot> & readings = parts_->readings;
  const auto & table = parts_->table->configuration();
  int k = 0;
  for (const std::string & name : measured())
  {
    visit(name + "/position", readings.position(k));
    if (!table.parameters.estimate_velocity)
    {
      visit(name + "/velocity", readings.velocity(k));
    }
    ++k;
  }
  if (table.parameters.base_state == "estimator")
  {
    each_number(table.imu_name + "/angular_velocity", readings.imu.angular_velocity, visit);
    each_number(table.imu_name + "/linear_acceleration", readings.imu.linear_acceleration, visit);
  }
  if (table.parameters.base_state == "interfaces")
  {
    BaseReading & base = readings.base;
    each_number(table.base_name + "/position", base.position, visit);
    each_number(table.base_name + "/linear_velocity", base.linear_velocity, visit);
    each_number(table.imu_name + "/orientation", base.orientation, visit);
    each_number(table.imu_name + "/angular_velocity", base.angular_velocity, visit);
  }
  if (table.parameters.contact_source == "forces")
  {
    for (int i = 0; i < robot.contact_count; ++i)
    {
      each_number(
        control::foot_name(robot.contact_names[i]) + "/force", readings.forces.col(i), visit);
    }
  }
}

void WholeBodyController::forget_states()
{
  parts_->readings = WholeBodyReadings<Robot>(parts_->robot);
}

EffortController::Words WholeBodyController::commands() const
{
  return each_of(measured(), {"effort"});
}

EffortController::Words WholeBodyController::references() const
{
  Words names;
  parts_->chained.each([&names](const std::string & name, double &) { names.push_back(name); });
  return names;
}

bool WholeBodyController::set_up()
{
  const auto & given = parts_->table->parameters();
  if (!is_compiled_model(given.model_check, given.model_tolerance, given.robot_description))
  {
    return false;
  }
  use(given.space);
  const bool base_topic = given.base_state == "topic";
  if (base_topic && !BaseTopic::available)
  {
    RCLCPP_ERROR(
      get_node()->get_logger(),
      "base_state: 'topic' needs nav_msgs, which was not found when this was compiled");
    return false;
  }
  const Robot & robot = parts_->robot;
  parts_->loop.emplace(given, std::nullopt, robot);
  parts_->request_topic.emplace(get_node(), given.reference_timeout, robot);
  parts_->posture_topic.emplace(get_node(), robot);
  parts_->force_topics.emplace(get_node(), given.reference_timeout, robot);
  parts_->velocity_topic.emplace(get_node(), given.cmd_vel_timeout);
  if (base_topic)
  {
    parts_->base_topic.emplace(get_node(), robot.link_names[0], given.base_state_timeout);
  }
  parts_->trouble_log.emplace(
    get_node(), TroubleLog::rate, parts_->troubles, TroubleLog(get_node()->get_logger(), robot));
  if (given.state_publish_rate > 0.0)
  {
    parts_->state_topic.emplace(
      get_node(), given.state_publish_rate, WholeBodySnapshot(robot),
      WholeBodyStateWriter(get_node(), robot));
  }
  return true;
}

void WholeBodyController::tear_down()
{
  parts_->state_topic.reset();
  parts_->trouble_log.reset();
  parts_->base_topic.reset();
  parts_->velocity_topic.reset();
  parts_->force_topics.reset();
  parts_->posture_topic.reset();
  parts_->request_topic.reset();
  parts_->loop.reset();
  use("joint");
}

void WholeBodyController::activate()
{
  if (parts_->base_topic)
  {
    parts_->base_topic->forget();
  }
  parts_->loop->activate();
}

auto WholeBodyController::update_and_write_commands(
  const rclcpp::Time &, const rclcpp::Duration & period) -> return_type
{
  WholeBodyLoop<Robot> & loop = *parts_->loop;
  const double step = period.seconds();
  read_states();
  if (parts_->base_topic)
  {
    parts_->readings.base = parts_->base_topic->sample(step);
  }
  VelocityCommand velocity = parts_->velocity_topic->sample(step);
  whole_body::Reference<Robot> topic = parts_->request_topic->sample(step);
  parts_->force_topics->sample(step, topic);
  const bool chained = is_in_chained_mode();
  velocity.yields = chained || parts_->request_topic->fresh();
  WholeBodyReadings<Robot> readings = parts_->readings;
  WholeBodySettings<Robot> settings = parts_->table->settings();
  if (motors_)
  {
    motors_->to_joints(readings.position, readings.velocity);
    settings.law.effort_limits = motors_->joint_limits(settings.motor_limits);
  }
  if (loop.known())
  {
    parts_->posture_topic->sample(step, loop.preferred(settings.posture), settings);
  }
  else
  {
    parts_->posture_topic->forget();
  }
  const JointVector & efforts = loop.update(
    settings, readings, chained ? parts_->chained.request(reference_interfaces_.data()) : topic,
    step, velocity);
  command(efforts);
  parts_->troubles.take(loop, step, velocity.yields);
  parts_->trouble_log->set(parts_->troubles);
  if (parts_->state_topic)
  {
    parts_->state_topic->set({loop, unwritten()});
  }
  return loop.failed() ? return_type::ERROR : return_type::OK;
}

void WholeBodyController::part()
{
  const Parting kind = parting(parts_->table->parameters().deactivation_effort);
  command(parts_->loop->parting(parts_->table->settings(), kind));
}

void WholeBodyController::command(const JointVector & efforts)
{
  const auto & most = parts_->table->settings().motor_limits;
  write((motors_ ? motors_->of_motors(efforts, most) : efforts).data());
}

std::string WholeBodyController::failure() const
{
  const WholeBodyLoop<Robot> & loop = *parts_->loop;
  const auto condition = static_cast<std::size_t>(loop.condition());
  if (!loop.failed())
  {
    return "";
  }
  const bool estimates = loop.estimator() && !loop.estimator()->known();
  return std::string(whole_body_condition_names[condition]) +
         (estimates ? ": " + loop.estimator()->problem(loop.known()) : "");
}

void WholeBodyController::forget_topics()
{
  if (parts_->request_topic)
  {
    parts_->request_topic->forget();
    parts_->posture_topic->forget();
    parts_->force_topics->forget();
    parts_->velocity_topic->forget();
  }
}

}  // namespace robcogen_ros::ros2_control
