// A program that measures how punctually one robot is controlled on this computer.
#ifndef ROBCOGEN_ROS__REALTIME__SESSION_HPP_
#define ROBCOGEN_ROS__REALTIME__SESSION_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <exception>
#include <iostream>
#include <locale>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "robcogen_ros/control/controller.hpp"
#include "robcogen_ros/control/law.hpp"
#include "robcogen_ros/realtime/load.hpp"
#include "robcogen_ros/realtime/loop.hpp"
#include "robcogen_ros/realtime/request.hpp"
#include "robcogen_ros/realtime/simulated_robot.hpp"
#include "robcogen_ros/realtime/waves.hpp"

namespace robcogen_ros::realtime
{

/// Result of a session.
struct Outcome
{
  Record record;
  Grants grants;
  double error = 0.0;  ///< largest distance of a joint from its reference [rad or m]
  bool sound = true;   ///< whether controller and robot worked to the end
};

/// The outcome as JSON.
inline std::ostream & operator<<(std::ostream & out, const Outcome & outcome)
{
  out.imbue(std::locale::classic());
  const auto & [record, grants, error, sound] = outcome;
  const auto word = [](bool value) { return value ? "true" : "false"; };
  out << "{\"wake_up\": " << record.wake_up << ",\n\"execution\": " << record.execution
      << ",\n\"simulation\": " << record.simulation << ",\n\"missed\": " << record.missed
      << ", \"migrations\": " << record.migrations
      << ", \"page_faults\": " << record.usage.page_faults
      << ", \"preemptions\": " << record.usage.preemptions << ", \"allocations\": ";
  allocations_are_counted ? out << record.allocations : out << "null";
  out << ",\n\"fifo\": " << word(grants.fifo) << ", \"pinned\": " << word(grants.pinned)
      << ", \"locked\": " << word(grants.locked) << ", \"awake\": " << word(grants.awake)
      << ", \"tracking_error\": ";
  sound ? out << error : out << "null";
  out << ",\n\"notes\": [";
  for (std::size_t i = 0; i < grants.notes.size(); ++i)
  {
    out << (i == 0 ? "" : ", ") << '"' << grants.notes[i] << '"';
  }
  return out << "]}\n";
}

/// A controller and the robot that it moves.
template <typename Robot>
class Experiment
{
public:
  using JointVector = typename Robot::JointVector;

  Experiment(const Request & request, double step)
  : step_(step),
    waves_{vector(request, "center"), vector(request, "swing"), vector(request, "pace")},
    controller_(behaviour(), step)
  {
    const auto mode = control::find_mode(request.text("mode"));
    if (!mode)
    {
      throw std::invalid_argument("there is no mode " + request.text("mode"));
    }
    settings_.mode = *mode;
    settings_.kp = vector(request, "kp");
    settings_.kd = vector(request, "kd");
    settings_.compensate_friction = false;  // the simulated robot has none
    aim();
    robot_.q = wanted_.position;
    robot_.qd = wanted_.velocity;
    controller_.activate();
  }

  /// A cycle of the controller: what is measured is where the simulated robot is.
  void control() noexcept
  {
    aim();
    const double period = static_cast<double>(passed_ - told_) * step_;
    told_ = passed_;
    controller_.update(settings_, robot_.q, robot_.qd, wanted_, period);
  }

  /// Moves the robot on by some periods.
  void simulate(std::int64_t periods) noexcept
  {
    error_ = std::max(error_, (wanted_.position - robot_.q).cwiseAbs().maxCoeff());
    for (std::int64_t i = 0; i < periods; ++i)
    {
      robot_.advance(controller_.command().effort, step_);
    }
    passed_ += periods;
  }

  double error() const noexcept { return error_; }
  bool sound() const
  {
    return !controller_.supervisor().failed() && robot_.q.allFinite() && error_ < 1e6;
  }

private:
  static JointVector vector(const Request & request, const char * name)
  {
    return request.vector<JointVector>(name);
  }

  static parameters::InverseDynamicsController behaviour()
  {
    parameters::InverseDynamicsController result;
    result.activation_time = 0.0;
    return result;
  }

  /// Takes the reference of this moment.
  void aim() noexcept
  {
    const auto point = waves_.at(static_cast<double>(passed_) * step_);
    wanted_.position = point.position;
    wanted_.velocity = point.velocity;
    wanted_.acceleration = point.acceleration;
  }

  const double step_;
  const Waves<JointVector> waves_;
  control::Controller<Robot> controller_;
  control::Settings<Robot> settings_;
  control::MotionState<Robot> wanted_;
  SimulatedRobot<Robot> robot_;
  std::int64_t passed_ = 0;  // periods since the start
  std::int64_t told_ = -1;   // of these, when the controller was called last
  double error_ = 0.0;
};

/// Controls a simulated robot as a request says, in the calling thread.
template <typename Robot>
void experiment(const Request & request, Outcome & outcome)
{
  Schedule schedule;
  schedule.period = static_cast<std::int64_t>(1e9 / request.number("rate"));
  schedule.cycles = static_cast<std::uint64_t>(request.number("cycles"));
  const auto work =
    std::make_unique<Experiment<Robot>>(request, 1e-9 * static_cast<double>(schedule.period));
  const Wishes wishes{
    static_cast<int>(request.number("priority")), static_cast<int>(request.number("cpu"))};
  const Preparation preparation(wishes);
  run(
    schedule, [&] { work->control(); }, [&](std::int64_t periods) { work->simulate(periods); },
    outcome.record);
  outcome.grants = preparation.grants();
  outcome.error = work->error();
  outcome.sound = work->sound();
}

/// The whole program: a request on the standard input, an outcome on the standard output.
///
/// \tparam Robot the Traits of a generated robot on a fixed base
template <typename Robot>
int session()
{
  try
  {
    const Request request(std::cin);
    const auto outcome = std::make_unique<Outcome>();
    const Load load(static_cast<int>(request.number("stress")));
    std::exception_ptr problem;
    std::thread worker(
      [&]
      {
        try
        {
          experiment<Robot>(request, *outcome);
        }
        catch (...)
        {
          problem = std::current_exception();
        }
      });
    worker.join();
    if (problem)
    {
      std::rethrow_exception(problem);
    }
    std::cout << *outcome;
    return 0;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__SESSION_HPP_
