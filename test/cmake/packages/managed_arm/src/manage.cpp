// A controller in the controller manager, cycle by cycle as standard input says.
//
//     manage DESCRIPTION --ros-args --params-file FILE
//
// Each line is a command; each answer is what was logged, a line each, then a line with "=" and the
// result.
#include <chrono>
#include <controller_manager/controller_manager.hpp>
#include <cstdarg>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <rclcpp/executors/single_threaded_executor.hpp>
#include <sstream>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "told_system.hpp"

namespace
{

constexpr const char * name = "arm_controller";
using Result = controller_interface::return_type;

std::mutex logged_mutex;
std::string logged;

void log(
  const rcutils_log_location_t *, int, const char *, rcutils_time_point_value_t,
  const char * format, va_list * arguments)
{
  char text[1024];
  std::vsnprintf(text, sizeof text, format, *arguments);
  const std::lock_guard<std::mutex> lock(logged_mutex);
  logged += std::string(text) + "\n";
}

std::vector<double> numbers(std::istream & words)
{
  std::vector<double> result;
  for (std::string word; words >> word && word != "|";)
  {
    result.push_back(std::stod(word));
  }
  return result;
}

class Managed
{
public:
  explicit Managed(const std::string & description)
  : executor_(std::make_shared<rclcpp::executors::SingleThreadedExecutor>()),
    manager_(
      std::make_shared<controller_manager::ControllerManager>(
        executor_, description, true, "controller_manager", "",
        controller_manager::get_cm_node_options())),
    controller_(manager_->load_controller(name)),
    asker_(std::make_shared<rclcpp::Node>("asker")),
    references_(asker_->create_publisher<trajectory_msgs::msg::JointTrajectory>(
      std::string("/") + name + "/reference", 1))
  {
  }

  // Its commands are: configure | activate | deactivate | cycle PERIOD | tell INTERFACE VALUE ...
  // | set NAME number|numbers|text VALUE ... | reference JOINT ... | POSITION ... | VELOCITY ...
  std::string answer(std::istream & words)
  {
    std::string command;
    words >> command;
    if (command == "configure")
    {
      return said(manager_->configure_controller(name));
    }
    if (command == "activate" || command == "deactivate")
    {
      return said(command == "activate" ? switched({name}, {}) : switched({}, {name}));
    }
    if (command == "cycle")
    {
      cycle(numbers(words).at(0));
      return controller_->get_lifecycle_state().label();
    }
    if (command == "tell")
    {
      for (std::string interface; words >> interface;)
      {
        std::string value;
        words >> value;
        managed_arm::told().at(interface) = std::stod(value);
      }
      return "told";
    }
    return command == "set" ? set(words) : ask(words);
  }

private:
  static std::string said(Result result) { return result == Result::OK ? "ok" : "failed"; }

  void cycle(double period)
  {
    const auto duration = rclcpp::Duration::from_seconds(period);
    time_ = time_ + duration;
    for (const auto & clock : {manager_->get_clock(), controller_->get_node()->get_clock()})
    {
      if (rcl_set_ros_time_override(clock->get_clock_handle(), time_.nanoseconds()) != RCL_RET_OK)
      {
        throw std::runtime_error("the clock is not set by hand: use_sim_time is needed");
      }
    }
    manager_->read(time_, duration);
    manager_->update(time_, duration);
    manager_->write(time_, duration);
  }

  Result switched(const std::vector<std::string> & on, const std::vector<std::string> & off)
  {
    using controller_manager_msgs::srv::SwitchController;
    const auto work = [&]
    {
      return manager_->switch_controller(
        on, off, SwitchController::Request::STRICT, true, rclcpp::Duration::from_seconds(5.0));
    };
    auto result = std::async(std::launch::async, work);
    while (result.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    {
      cycle(0.001);
    }
    return result.get();
  }

  std::string set(std::istream & words)
  {
    std::string parameter, kind, text;
    words >> parameter >> kind;
    rclcpp::ParameterValue value;
    if (kind == "text")
    {
      words >> text;
      value = rclcpp::ParameterValue(text);
    }
    else
    {
      const std::vector<double> given = numbers(words);
      value =
        kind == "number" ? rclcpp::ParameterValue(given.at(0)) : rclcpp::ParameterValue(given);
    }
    const auto result = controller_->get_node()->set_parameter({parameter, value});
    return result.successful ? "set" : result.reason;
  }

  std::string ask(std::istream & words)
  {
    trajectory_msgs::msg::JointTrajectory message;
    for (std::string word; words >> word && word != "|";)
    {
      message.joint_names.push_back(word);
    }
    auto & point = message.points.emplace_back();
    point.positions = numbers(words);
    point.velocities = numbers(words);
    while (references_->get_subscription_count() == 0)
    {
      rclcpp::sleep_for(std::chrono::milliseconds(1));
    }
    references_->publish(message);
    references_->wait_for_all_acked();
    executor_->spin_all(std::chrono::milliseconds(20));
    return "asked";
  }

  std::shared_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::shared_ptr<controller_manager::ControllerManager> manager_;
  controller_interface::ControllerInterfaceBaseSharedPtr controller_;
  rclcpp::Node::SharedPtr asker_;
  rclcpp::Publisher<trajectory_msgs::msg::JointTrajectory>::SharedPtr references_;
  rclcpp::Time time_{100, 0, RCL_ROS_TIME};
};

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  rcutils_logging_set_output_handler(log);
  std::ifstream file(argv[1]);
  const std::string description{std::istreambuf_iterator<char>(file), {}};
  Managed managed(description);
  std::cout.precision(17);
  for (std::string line; std::getline(std::cin, line);)
  {
    std::istringstream words(line);
    const std::string answer = managed.answer(words);
    const std::lock_guard<std::mutex> lock(logged_mutex);
    std::cout << logged << "= " << answer;
    for (const auto & [interface, value] : managed_arm::told())
    {
      std::cout << "\t" << interface << "=" << value;
    }
    std::cout << std::endl;
    logged.clear();
  }
  rclcpp::shutdown();
}
