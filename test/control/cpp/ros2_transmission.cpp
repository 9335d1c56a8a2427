// robcogen_ros::ros2_control::Transmission behind handles of ros2_control, for tests.
#include "robcogen_ros/ros2_control/transmission.hpp"

#include <cstdio>

namespace
{

/// Numbers of both sides with the transmission between: positions, then velocities, then efforts.
struct Hardware
{
  Hardware(const robcogen_model * model, std::vector<double> gears) : between(model, gears) {}

  template <typename Handle>
  static std::vector<Handle> handles(
    const char * const * names, int count, std::vector<double> & numbers)
  {
    std::vector<Handle> found;
    numbers.assign(static_cast<std::size_t>(3 * count), 0.0);
    double * next = numbers.data();
    for (const char * const interface : {"position", "velocity", "effort"})
    {
      for (int i = 0; i < count; ++i)
      {
        found.emplace_back(names[i], interface, next++);
      }
    }
    return found;
  }

  std::vector<double> joints, actuators;
  robcogen_ros::ros2_control::Transmission between;
};

}  // namespace

extern "C"
{
void * hardware_make(
  const robcogen_model * model, int count, int joint_count, const char * const * motors,
  const char * const * names, const double * gears, char * error)
{
  auto made = std::make_unique<Hardware>(model, std::vector<double>(gears, gears + count));
  try
  {
    using namespace transmission_interface;
    transmission_interface::Transmission & used = made->between;
    used.configure(
      Hardware::handles<JointHandle>(names, joint_count, made->joints),
      Hardware::handles<ActuatorHandle>(motors, count, made->actuators));
    return made.release();
  }
  catch (const transmission_interface::Exception & problem)
  {
    std::snprintf(error, 500, "%s", problem.what());
    return nullptr;
  }
}

void hardware_end(void * object)
{
  delete static_cast<Hardware *>(object);
}

double * hardware_numbers(void * object, int motors)
{
  auto & own = *static_cast<Hardware *>(object);
  return motors != 0 ? own.actuators.data() : own.joints.data();
}

void hardware_move(void * object, int to_joints)
{
  transmission_interface::Transmission & used = static_cast<Hardware *>(object)->between;
  to_joints != 0 ? used.actuator_to_joint() : used.joint_to_actuator();
}
}
