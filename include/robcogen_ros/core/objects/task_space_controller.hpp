/// \file
/// The C interface of the controller of a tool.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__TASK_SPACE_CONTROLLER_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__TASK_SPACE_CONTROLLER_HPP_

#include <Eigen/Core>
#include <stdexcept>
#include <vector>

#include "robcogen_ros/control/task_space_controller.hpp"
#include "robcogen_ros/core/objects/effort_controller.hpp"

namespace robcogen_ros::core
{

/// `control::TaskSpaceController` on pointers to numbers.
class TaskSpaceController : public EffortController<
                              TaskSpaceController, control::TaskSpaceController<RuntimeModel>,
                              control::TaskSettings<RuntimeModel>>
{
public:
  static constexpr const char * name = "task_space_controller";
  static constexpr robcogen_argument inputs[] = {
    {"position", ROBCOGEN_JOINTS, 0, 1},
    {"velocity", ROBCOGEN_JOINTS, 0, 1},
    {"pose", 7, 0, 1},
    {"twist", 6, 0, 1},
    {"wrench", 6, 0, 1},
    {"step", 1, 0, 0},
  };
  static constexpr robcogen_argument told[] = {
    {"pose", 7, 0, 0},   {"target", 7, 0, 0},        {"error", 6, 0, 0},
    {"wrench", 6, 0, 0}, {"apparent_mass", 1, 0, 0}, {"damped", 1, 0, 0},
  };
  static constexpr auto results = joined(common, told);
  /// Settings of all controllers, then the numbers of the frames `base` and `tool`.
  inline static const std::vector<robcogen_argument> settings = []
  {
    auto result = table_settings<parameters::TaskSpaceController>(of_controllers);
    result.push_back({"frames", 2, 0, 1});
    return result;
  }();

  TaskSpaceController(const robcogen_model * model, const double * const * pointers)
  : EffortController(model, for_tools), unknown_(robot_)
  {
    const auto [behaviour, more] = read_settings<Parameters>(pointers, model->joint_count);
    if (more[3] == nullptr)
    {
      throw std::invalid_argument("the frames are missing");
    }
    const control::Tool<Robot> tool(
      robot_, static_cast<int>(more[3][0]), static_cast<int>(more[3][1]));
    begin(behaviour, more[2], behaviour, tool, given(more[0]).value_or(0.0), given(more[1]));
  }

  void forget() noexcept {}

  /// A cycle; of what is left out nothing is known, as of numbers that are NaN.
  int32_t update(const double * const * in, double * const * out) noexcept
  {
    control::JointReadings<Robot> reading = unknown_;
    control::TaskRequest request;
    take(in[0], reading.position);
    take(in[1], reading.velocity);
    take(in[2], request.position);
    take(in[2] == nullptr ? nullptr : in[2] + 3, request.orientation);
    take(in[3], request.twist);
    take(in[4], request.wrench);
    return tell(
      controller_->update(*settings_, reading.position, reading.velocity, request, *in[5]), out);
  }

  int32_t tell(const control::Command<Robot> & command, double * const * out) const noexcept
  {
    const control::TaskReport & report = controller_->report();
    double * const * own = tell_common(command, out);
    hand_pose(controller_->motion().pose, *own++);
    hand_pose(controller_->reference().target(), *own++);
    hand(report.error, *own++);
    hand(report.wrench, *own++);
    **own++ = report.apparent_mass;
    **own = static_cast<double>(report.damped);
    return 0;
  }

  inline static const auto methods = controller_methods<TaskSpaceController>();

private:
  static void hand_pose(const control::Pose & pose, double * wanted) noexcept
  {
    hand(pose.position, wanted);
    hand(pose.orientation.coeffs(), wanted + 3);
  }

  const control::JointReadings<Robot> unknown_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__TASK_SPACE_CONTROLLER_HPP_
