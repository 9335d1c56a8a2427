// The controller manager as ros2_control_node runs it, with the time and the allocations of its
// cycles, while a client asks for its list of controllers again and again.
//
//     timed DESCRIPTION PARAMETERS SECONDS CONTROLLER...
//
// Of PARAMETERS, a YAML, are those of the manager and of the controllers, which are activated
// together.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <controller_manager/controller_manager.hpp>
#include <controller_manager_msgs/srv/list_controllers.hpp>
#include <cstdio>
#include <fstream>
#include <rclcpp/executors/multi_threaded_executor.hpp>
#include <string>
#include <thread>
#include <vector>

#include "robcogen_ros/realtime/allocations.hpp"

namespace
{

using controller_manager::ControllerManager;
using Clock = std::chrono::steady_clock;
using List = controller_manager_msgs::srv::ListControllers;
using robcogen_ros::realtime::allocations;

/// What a part of the cycles took.
struct Part
{
  std::vector<double> times;  ///< [us]
  std::uint64_t calls = 0;    ///< of the allocator

  template <typename Work>
  void run(const Work & work)
  {
    allocations = {true, 0};
    const Clock::time_point begin = Clock::now();
    work();
    const Clock::duration taken = Clock::now() - begin;
    allocations.counting = false;
    calls += allocations.calls;
    if (times.size() < times.capacity())
    {
      times.push_back(std::chrono::duration<double, std::micro>(taken).count());
    }
  }

  void tell(const char * name)
  {
    std::sort(times.begin(), times.end());
    const auto at = [this](double share)
    { return times.at(static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))); };
    std::printf(
      "%-8s median %7.2f us, 99 %% %7.2f us, 99.9 %% %7.2f us, most %8.2f us, %llu allocations\n",
      name, at(0.5), at(0.99), at(0.999), at(1.0), static_cast<unsigned long long>(calls));
  }
};

class Timed
{
public:
  Timed(std::shared_ptr<ControllerManager> manager, double seconds)
  : manager_(std::move(manager)), period_(1'000'000'000 / manager_->get_update_rate())
  {
    const auto cycles = static_cast<std::size_t>(seconds * manager_->get_update_rate());
    for (Part * const part : {&read_, &update_, &write_})
    {
      part->times.reserve(cycles);
    }
  }

  /// Cycles until it is told to end; they are measured from when it is told to.
  void cycle()
  {
    auto next = Clock::now();
    auto before = manager_->get_trigger_clock()->now();
    while (!ends)
    {
      const auto now = manager_->get_trigger_clock()->now();
      const rclcpp::Duration period = now - before;
      before = now;
      const auto read = [&] { manager_->read(now, period); };
      const auto update = [&] { manager_->update(now, period); };
      const auto write = [&] { manager_->write(now, period); };
      if (measures)
      {
        read_.run(read);
        update_.run(update);
        write_.run(write);
      }
      else
      {
        read();
        update();
        write();
      }
      next += period_;
      late_ += measures && Clock::now() > next ? 1 : 0;
      next = std::max(next, Clock::now() - period_);
      std::this_thread::sleep_until(next);
    }
  }

  void tell()
  {
    std::printf("%zu cycles, %llu late\n", update_.times.size(), late_);
    read_.tell("read");
    update_.tell("update");
    write_.tell("write");
    for (const auto & each : manager_->get_loaded_controllers())
    {
      const auto & found = each.execution_time_statistics->get_statistics();
      std::printf(
        "%s, %s: its update %.2f us on average, %.2f us at most\n", each.info.name.c_str(),
        each.c->get_lifecycle_state().label().c_str(), found.average, found.max);
    }
  }

  std::atomic<bool> ends{false}, measures{false};

private:
  std::shared_ptr<ControllerManager> manager_;
  std::chrono::nanoseconds period_;
  Part read_, update_, write_;
  unsigned long long late_ = 0;
};

/// Asks for the list of controllers until it is told to end; returns how often it was answered.
int ask(const std::atomic<bool> & ends)
{
  const auto node = std::make_shared<rclcpp::Node>("asker");
  const auto client = node->create_client<List>("/controller_manager/list_controllers");
  int answers = 0;
  while (!ends && client->wait_for_service(std::chrono::seconds(1)))
  {
    const auto answer = client->async_send_request(std::make_shared<List::Request>());
    answers += rclcpp::spin_until_future_complete(node, answer, std::chrono::seconds(1)) ==
                   rclcpp::FutureReturnCode::SUCCESS
                 ? 1
                 : 0;
  }
  return answers;
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() < 5)
  {
    std::fprintf(stderr, "expected: timed DESCRIPTION PARAMETERS SECONDS CONTROLLER...\n");
    return 2;
  }
  std::ifstream file(words[1]);
  const std::string description{std::istreambuf_iterator<char>(file), {}};
  const double seconds = std::stod(words[3]);
  const std::vector<std::string> names(words.begin() + 4, words.end());
  const char * const arguments[] = {argv[0], "--ros-args", "--params-file", argv[2]};
  rclcpp::init(4, arguments);
  const auto executor = std::make_shared<rclcpp::executors::MultiThreadedExecutor>();
  const auto manager = std::make_shared<ControllerManager>(
    executor, description, true, "controller_manager", "",
    controller_manager::get_cm_node_options());
  executor->add_node(manager);
  std::thread spinning([&executor] { executor->spin(); });
  Timed timed(manager, seconds);
  std::thread loop([&timed] { timed.cycle(); });

  using controller_interface::return_type;
  bool well = true;
  for (const std::string & name : names)
  {
    manager->set_parameter({name + ".params_file", words[2]});
    well = well && manager->load_controller(name) != nullptr &&
           manager->configure_controller(name) == return_type::OK;
  }
  using controller_manager_msgs::srv::SwitchController;
  well = well && manager->switch_controller(
                   names, {}, SwitchController::Request::STRICT, true,
                   rclcpp::Duration::from_seconds(5.0)) == return_type::OK;
  int answers = 0;
  std::thread asking([&] { answers = ask(timed.ends); });
  if (well)
  {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    timed.measures = true;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  timed.ends = true;
  loop.join();
  asking.join();
  if (well)
  {
    timed.tell();
    std::printf("list_controllers was answered %d times\n", answers);
  }
  executor->cancel();
  spinning.join();
  rclcpp::shutdown();
  return well ? 0 : 1;
}
