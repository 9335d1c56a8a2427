#include "robcogen_ros/ros2_control/simulated_system.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/robot_on_ground.hpp"
#include "robcogen_ros/control/simulated_joints.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/ros2_control/robot.hpp"

namespace robcogen_ros::ros2_control
{

namespace
{

/// \tparam Base of System
/// \tparam Simulation made of the parameters of `<hardware>`, positions of joints and the robot
template <typename Base, typename Simulation>
class SimulatedBy : public Base
{
public:
  SimulatedBy(const hardware_interface::HardwareInfo & info, const Robot & robot)
  : joint_count_(robot.joint_count),
    simulation_(info.hardware_parameters, initial_positions(info, robot), robot)
  {
  }

  bool waits() const override { return Simulation::waits; }
  void each_reading(const typename Base::Visit & visit) override
  {
    simulation_.each_reading(visit);
  }
  void advance(const double * command, double time) noexcept override
  {
    simulation_.advance(JointVector(Robot::Vector(command, joint_count_)), time);
  }
  const char * problem() const noexcept override { return simulation_.problem(); }

private:
  const int joint_count_;
  Simulation simulation_;
};

}  // namespace

System::System(const CompiledRobot & robot)
: robot_(robot), command_(robot.model->joint_count), written_(command_)
{
}

System::~System() = default;

std::vector<hardware_interface::StateInterface> System::export_state_interfaces()
{
  std::vector<hardware_interface::StateInterface> result;
  ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
  simulated_->each_reading(
    [&result](const char * name, const std::string & interface, double & value)
    { result.emplace_back(name, interface, &value); });
  ROBCOGEN_ROS_OLD_INTERFACES_END
  return result;
}

std::vector<hardware_interface::CommandInterface> System::export_command_interfaces()
{
  std::vector<hardware_interface::CommandInterface> result;
  ROBCOGEN_ROS_OLD_INTERFACES_BEGIN
  for (std::size_t i = 0; i < command_.size(); ++i)
  {
    result.emplace_back(robot_.model->joint_names[i], "effort", &command_[i]);
  }
  ROBCOGEN_ROS_OLD_INTERFACES_END
  return result;
}

auto System::perform_command_mode_switch(
  const std::vector<std::string> & claimed, const std::vector<std::string> &) -> return_type
{
  const char * const * const names = robot_.model->joint_names;
  for (const std::string_view name : claimed)
  {
    const std::string_view joint = name.substr(0, name.find('/'));
    begun_ = begun_ || std::find(names, names + command_.size(), joint) != names + command_.size();
  }
  return return_type::OK;
}

auto System::read(const rclcpp::Time &, const rclcpp::Duration & period) -> return_type
{
  if (begun_)
  {
    simulated_->advance(written_.data(), period.seconds());
  }
  return goes_on() ? return_type::OK : return_type::ERROR;
}

auto System::write(const rclcpp::Time &, const rclcpp::Duration &) -> return_type
{
  written_ = command_;
  return return_type::OK;
}

auto System::set_up() -> CallbackReturn
{
  try
  {
    simulated_ = simulated(info_);
  }
  catch (const std::invalid_argument & error)
  {
    RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  begun_ = !simulated_->waits();
  return goes_on() ? CallbackReturn::SUCCESS : CallbackReturn::ERROR;
}

bool System::goes_on() const
{
  const char * const problem = simulated_->problem();
  if (problem != nullptr)
  {
    RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", problem);
  }
  return problem == nullptr;
}

auto SimulatedSystem::simulated(const hardware_interface::HardwareInfo & info) const
  -> std::unique_ptr<Simulated>
{
  const Robot model(robot().model, core::for_simulation);
  return std::make_unique<SimulatedBy<Simulated, SimulatedJoints<Robot>>>(info, model);
}

auto GroundSystem::simulated(const hardware_interface::HardwareInfo & info) const
  -> std::unique_ptr<Simulated>
{
  const Robot model = core::on_legs(robot().model, core::for_ground);
  return std::make_unique<SimulatedBy<Simulated, RobotOnGround<Robot>>>(info, model);
}

}  // namespace robcogen_ros::ros2_control
