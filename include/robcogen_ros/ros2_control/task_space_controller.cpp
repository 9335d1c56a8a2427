#include "robcogen_ros/ros2_control/task_space_controller.hpp"

#include <optional>
#include <stdexcept>

#include "robcogen_ros/control/task_configuration.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/ros2_control/handover.hpp"
#include "robcogen_ros/ros2_control/node_parameters.hpp"
#include "robcogen_ros/ros2_control/task_state_topic.hpp"
#include "robcogen_ros/ros2_control/task_topics.hpp"

namespace robcogen_ros::ros2_control
{

namespace
{

/// Calls `visit(name, number)` for each number of a request, in the order of the interfaces.
template <typename Request, typename Visit>
void each_entry(Request & request, const Visit & visit)
{
  each_number("position", request.position, visit);
  each_number("orientation", request.orientation, visit);
  each_number("angular_velocity", request.twist.template head<3>(), visit);
  each_number("linear_velocity", request.twist.template tail<3>(), visit);
  each_number("torque", request.wrench.template head<3>(), visit);
  each_number("force", request.wrench.template tail<3>(), visit);
}

}  // namespace

struct TaskSpaceController::Parts
{
  explicit Parts(const CompiledRobot & compiled)
  : robot(compiled.model, core::for_tools, core::for_observer), readings(robot)
  {
  }

  /// The number of a frame.
  ///
  /// \throws std::invalid_argument if there is none of the name
  int frame(const char * parameter, const std::string & name) const
  {
    for (int i = 0; i < robot.frame_count; ++i)
    {
      if (name == robot.frame_names[i])
      {
        return i;
      }
    }
    throw std::invalid_argument(
      std::string(parameter) + ": expected the name of a frame of the robot, found '" + name + "'");
  }

  Robot robot;
  JointReadings<Robot> readings;
  std::shared_ptr<NodeParameters<TaskConfiguration<Robot>>> table;
  std::optional<control::TaskSpaceController<Robot>> controller;
  std::optional<TaskTopics> topics;
  std::optional<Handover<TaskSnapshot>> state_topic;  ///< none where it is never published
};

TaskSpaceController::TaskSpaceController(const CompiledRobot & robot) : EffortController(robot) {}

TaskSpaceController::~TaskSpaceController() = default;

TableOnNode & TaskSpaceController::declare()
{
  parts_ = std::make_unique<Parts>(robot());
  parts_->table =
    NodeParameters<TaskConfiguration<Robot>>::make(get_node(), robot(), parts_->robot);
  return *parts_->table;
}

void TaskSpaceController::each_state(const Visit & visit) const
{
  for (int i = 0; i < parts_->robot.joint_count; ++i)
  {
    const std::string joint = parts_->robot.joint_names[i];
    visit(joint + "/position", parts_->readings.position(i));
    if (!parts_->table->parameters().estimate_velocity)
    {
      visit(joint + "/velocity", parts_->readings.velocity(i));
    }
  }
}

void TaskSpaceController::forget_states()
{
  parts_->readings = JointReadings<Robot>(parts_->robot);
}

EffortController::Words TaskSpaceController::commands() const
{
  return each_of(joints(), {"effort"});
}

EffortController::Words TaskSpaceController::references() const
{
  Words names;
  TaskRequest any;
  each_entry(any, [&names](const std::string & name, double) { names.push_back(name); });
  return names;
}

bool TaskSpaceController::set_up()
{
  const auto & given = parts_->table->parameters();
  if (!is_compiled_model(given.model_check, given.model_tolerance, given.robot_description))
  {
    return false;
  }
  const std::string base =
    given.base_frame.empty() ? parts_->robot.link_names[0] : given.base_frame;
  const Tool<Robot> tool(
    parts_->robot, parts_->frame("base_frame", base),
    parts_->frame("tool_frame", given.tool_frame));
  if (!tool.moves())
  {
    throw std::invalid_argument(
      "tool_frame: no joint leads from '" + base + "' to '" + given.tool_frame + "'");
  }
  const unsigned rate = get_update_rate();
  parts_->controller.emplace(given, tool, rate > 0 ? 1.0 / rate : 0.0, std::nullopt, parts_->robot);
  parts_->topics.emplace(get_node(), base);
  if (given.state_publish_rate > 0.0)
  {
    parts_->state_topic.emplace(
      get_node(), given.state_publish_rate, TaskSnapshot(parts_->robot),
      TaskStateWriter(get_node(), parts_->robot));
  }
  return true;
}

void TaskSpaceController::tear_down()
{
  parts_->state_topic.reset();
  parts_->topics.reset();
  parts_->controller.reset();
}

void TaskSpaceController::activate()
{
  parts_->controller->activate();
}

auto TaskSpaceController::update_and_write_commands(
  const rclcpp::Time &, const rclcpp::Duration & period) -> return_type
{
  auto & controller = *parts_->controller;
  const double step = period.seconds();
  read_states();
  TaskRequest request = parts_->topics->sample(step);
  if (is_in_chained_mode())
  {
    const double * next = reference_interfaces_.data();
    each_entry(request, [&next](const auto &, double & number) { number = *next++; });
  }
  const JointReadings<Robot> & readings = parts_->readings;
  controller.update(parts_->table->settings(), readings.position, readings.velocity, request, step);
  write(controller.command().effort.data());
  if (parts_->state_topic)
  {
    parts_->state_topic->set({controller, unwritten()});
  }
  return controller.supervisor().failed() ? return_type::ERROR : return_type::OK;
}

void TaskSpaceController::part()
{
  auto & controller = *parts_->controller;
  const auto & given = parts_->table->parameters();
  const bool failed = controller.supervisor().failed();
  const Parting kind = parting(failed ? given.failure_effort : given.deactivation_effort);
  write(controller.end(parts_->table->settings(), kind).effort.data());
}

std::string TaskSpaceController::failure() const
{
  const auto & supervisor = parts_->controller->supervisor();
  return !supervisor.failed()                        ? ""
         : supervisor.condition() == Condition::lost ? "joint states are missing"
                                                     : "an effort is not finite";
}

void TaskSpaceController::forget_topics()
{
  if (parts_->topics)
  {
    parts_->topics->forget();
  }
}

}  // namespace robcogen_ros::ros2_control
