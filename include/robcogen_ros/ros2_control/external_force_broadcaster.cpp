#include "robcogen_ros/ros2_control/external_force_broadcaster.hpp"

#include <optional>

#include "robcogen_ros/control/base_measurement.hpp"
#include "robcogen_ros/control/external_force_configuration.hpp"
#include "robcogen_ros/control/semantic_numbers.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/ros2_control/external_force_topics.hpp"
#include "robcogen_ros/ros2_control/node_parameters.hpp"

namespace robcogen_ros::ros2_control
{

struct ExternalForceBroadcaster::Parts
{
  explicit Parts(const CompiledRobot & compiled)
  : robot(
      compiled.model,
      compiled.model->contact_count > 0 ? core::for_broadcaster_of_contacts : core::for_observer),
    joints(robot)
  {
  }

  Robot robot;
  observer::Measurement<Robot> joints;
  BaseReading base;
  std::shared_ptr<NodeParameters<ExternalForceConfiguration<Robot>>> table;
  std::optional<observer::Broadcast<Robot>> broadcast;
  std::optional<Handover<ExternalForces>> topics;
};

ExternalForceBroadcaster::ExternalForceBroadcaster(const CompiledRobot & robot)
: ConfiguredController(robot)
{
}

ExternalForceBroadcaster::~ExternalForceBroadcaster() = default;

controller_interface::InterfaceConfiguration
ExternalForceBroadcaster::command_interface_configuration() const
{
  return {controller_interface::interface_configuration_type::NONE, {}};
}

TableOnNode & ExternalForceBroadcaster::declare()
{
  parts_ = std::make_unique<Parts>(robot());
  parts_->table =
    NodeParameters<ExternalForceConfiguration<Robot>>::make(get_node(), robot(), parts_->robot);
  return *parts_->table;
}

auto ExternalForceBroadcaster::update(const rclcpp::Time &, const rclcpp::Duration & period)
  -> return_type
{
  read_states();
  const auto & gravity = parts_->table->configuration().gravity;
  observer::Measurement<Robot> now = parts_->joints;
  if (parts_->robot.floating_base)
  {
    const BaseReading & base = parts_->base;
    now.base_velocity << base.angular_velocity, base.linear_velocity;
    if (is_unit(base.orientation))
    {
      const Eigen::Quaterniond orientation(Eigen::Vector4d(base.orientation.normalized()));
      now.gravity = orientation.conjugate() * *gravity;
    }
  }
  else
  {
    now.gravity = gravity;
  }
  if (parts_->broadcast->update(now, period.seconds()))
  {
    parts_->topics->set({*parts_->broadcast, parts_->robot});
  }
  return return_type::OK;
}

void ExternalForceBroadcaster::each_state(const Visit & visit) const
{
  const Robot & robot = parts_->robot;
  const auto & table = parts_->table->configuration();
  observer::Measurement<Robot> & joints = parts_->joints;
  for (int i = 0; i < robot.joint_count; ++i)
  {
    const std::string joint = robot.joint_names[i];
    visit(joint + "/position", joints.q(i));
    visit(joint + "/velocity", joints.qd(i));
    visit(joint + "/" + table.parameters.effort_interface, joints.tau(i));
  }
  if (robot.floating_base)
  {
    BaseReading & base = parts_->base;
    each_number(table.base_name + "/linear_velocity", base.linear_velocity, visit);
    each_number(table.imu_name + "/orientation", base.orientation, visit);
    each_number(table.imu_name + "/angular_velocity", base.angular_velocity, visit);
  }
}

void ExternalForceBroadcaster::forget_states()
{
  parts_->joints = observer::Measurement<Robot>(parts_->robot);
  parts_->base = BaseReading();
}

bool ExternalForceBroadcaster::set_up()
{
  parts_->broadcast.emplace(parts_->table->configuration().settings);
  parts_->topics.emplace(
    get_node(), parts_->table->parameters().publish_rate, ExternalForces(),
    ExternalForceWriter(get_node(), parts_->robot));
  return true;
}

void ExternalForceBroadcaster::tear_down()
{
  parts_->topics.reset();
  parts_->broadcast.reset();
}

void ExternalForceBroadcaster::begin()
{
  parts_->broadcast->reset();
}

}  // namespace robcogen_ros::ros2_control
