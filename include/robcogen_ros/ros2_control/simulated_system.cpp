#include "robcogen_ros/ros2_control/simulated_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/robot_on_ground.hpp"
#include "robcogen_ros/control/simulated_joints.hpp"
#include "robcogen_ros/core/initial_motors.hpp"
#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/state.hpp"
#include "robcogen_ros/parameters/simulated_hardware.hpp"
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
  SimulatedBy(
    const hardware_interface::HardwareInfo & info, const Robot & robot,
    const robcogen_model & model, std::shared_ptr<const core::Motors> motors)
  : robot_(robot),
    motors_(std::move(motors)),
    simulation_(
      info.hardware_parameters,
      motors_ ? core::initial_positions(info, model, *motors_) : initial_positions(info, robot),
      robot)
  {
    if (motors_)
    {
      along_ = [this](const JointVector & q, const JointVector & given)
      { return motors_->joint_efforts(q, given); };
      effort_ = JointVector::Zero(motors_->size());
      read();
    }
  }

  void each_reading(const typename Base::Visit & visit) override
  {
    if (!motors_)
    {
      simulation_.each_reading(visit);
      return;
    }
    simulation_.each_reading(
      [&](const char * name, const std::string & interface, double & value)
      {
        if (!robot_.find_joint(name) || quantities.count(interface) == 0)
        {
          visit(name, interface, value);
        }
      });
    for (int i = 0; i < motors_->size(); ++i)
    {
      const char * const name = motors_->names()[static_cast<std::size_t>(i)].c_str();
      visit(name, "position", position_(i));
      visit(name, "velocity", velocity_(i));
      visit(name, "effort", effort_(i));
    }
  }
  void advance(const double * command, double time) noexcept override
  {
    if (!motors_)
    {
      simulation_.advance(JointVector(Robot::Vector(command, robot_.joint_count)), time);
      return;
    }
    effort_ = motors_->given(JointVector(Robot::Vector(command, motors_->size())));
    simulation_.drive(along_, effort_, time);
    read();
  }
  const char * problem() const noexcept override { return simulation_.problem(); }

private:
  inline static const std::set<std::string> quantities{"position", "velocity", "effort"};

  void read() noexcept
  {
    position_ = motors_->positions(simulation_.q());
    velocity_ = motors_->velocities(simulation_.q(), simulation_.qd());
  }

  const Robot robot_;
  const std::shared_ptr<const core::Motors> motors_;
  Simulation simulation_;
  typename Simulation::Drive along_;
  JointVector position_, velocity_, effort_;  ///< of motors
};

bool is_finite(double value)
{
  return std::isfinite(value);
}

}  // namespace

System::System(const CompiledRobot & robot) : robot_(robot) {}

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
    result.emplace_back(commanded_[i], "effort", &command_[i]);
  }
  ROBCOGEN_ROS_OLD_INTERFACES_END
  return result;
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
  if (!begun_ && std::any_of(command_.begin(), command_.end(), is_finite))
  {
    begun_ = true;
    std::replace_if(command_.begin(), command_.end(), std::not_fn(is_finite), 0.0);
  }
  written_ = command_;
  return return_type::OK;
}

auto System::set_up() -> CallbackReturn
{
  try
  {
    hardware_interface::HardwareInfo info = info_;
    const Motors motors =
      in_motors(info) ? std::make_shared<const core::Motors>(robot_.model) : nullptr;
    const char * const * const joints = robot_.model->joint_names;
    commanded_.assign(joints, joints + robot_.model->joint_count);
    commanded_ = motors ? motors->names() : commanded_;
    command_.assign(commanded_.size(), std::numeric_limits<double>::quiet_NaN());
    written_ = command_;
    simulated_ = simulated(info, motors);
  }
  catch (const std::invalid_argument & error)
  {
    RCLCPP_ERROR(rclcpp::get_logger(info_.name), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  begun_ = false;
  return goes_on() ? CallbackReturn::SUCCESS : CallbackReturn::ERROR;
}

bool System::in_motors(hardware_interface::HardwareInfo & info)
{
  const auto lookup = [&info](std::string_view name) -> std::optional<parameters::Value>
  {
    const auto found = info.hardware_parameters.find(std::string(name));
    return found == info.hardware_parameters.end()
             ? std::nullopt
             : std::make_optional<parameters::Value>(found->second);
  };
  const auto given = parameters::read<parameters::SimulatedHardware>(lookup);
  info.hardware_parameters.erase("space");
  return given.space == "motor";
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

auto SimulatedSystem::simulated(
  const hardware_interface::HardwareInfo & info, const Motors & motors) const
  -> std::unique_ptr<Simulated>
{
  const Robot model(robot().model, core::for_simulation);
  return std::make_unique<SimulatedBy<Simulated, SimulatedJoints<Robot>>>(
    info, model, *robot().model, motors);
}

auto GroundSystem::simulated(const hardware_interface::HardwareInfo & info, const Motors & motors)
  const -> std::unique_ptr<Simulated>
{
  const Robot model = core::on_legs(robot().model, core::for_ground, core::for_loops);
  return std::make_unique<SimulatedBy<Simulated, RobotOnGround<Robot>>>(
    info, model, *robot().model, motors);
}

}  // namespace robcogen_ros::ros2_control
