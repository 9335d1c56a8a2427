// robcogen_ros::core::Transmission as C functions, for tests.
#include "robcogen_ros/core/transmission.hpp"

#include <cstdio>

using robcogen_ros::core::Transmission;
using Map = Eigen::Map<Eigen::VectorXd>;
using In = Eigen::Map<const Eigen::VectorXd>;

extern "C"
{
void * transmission_make(
  const robcogen_model * model, int count, int joint_count, const char * const * motors,
  const char * const * joints, const double * gears, char * error)
{
  try
  {
    return new Transmission(
      model, {motors, motors + count}, {joints, joints + joint_count}, {gears, gears + count});
  }
  catch (const std::exception & problem)
  {
    std::snprintf(error, 500, "%s", problem.what());
    return nullptr;
  }
}

void transmission_end(void * object)
{
  delete static_cast<Transmission *>(object);
}

int transmission_at(void * object, int motors, const double * positions)
{
  auto & own = *static_cast<Transmission *>(object);
  const Transmission::Vector given = In(positions, own.size());
  return motors != 0 ? own.at_motors(given) : own.at_joints(given);
}

void transmission_ask(
  const void * object, int what, const double * given, const double * limits, double * found)
{
  const auto & own = *static_cast<const Transmission *>(object);
  const int n = own.size();
  const Transmission::Vector in = In(given, n), bounds = In(limits, n);
  switch (what)
  {
    case 0:
      Map(found, n) = own.motor_positions();
      break;
    case 1:
      Map(found, n) = own.joint_positions();
      break;
    case 2:
      Map(found, n) = own.motor_velocities(in);
      break;
    case 3:
      Map(found, n) = own.joint_velocities(in);
      break;
    case 4:
      Map(found, n) = own.motor_efforts(in);
      break;
    case 5:
      Map(found, n) = own.joint_efforts(in);
      break;
    case 6:
      Map(found, n) = own.limited_motor_efforts(in, bounds);
      break;
    case 7:
      Map(found, n) = own.joint_effort_limits(bounds);
      break;
    case 8:
      Map(found, n) = own.joint_velocity_limits(bounds);
      break;
    default:
      Eigen::Map<Eigen::MatrixXd>(found, n, n) = own.reflected_inertia(in);
      break;
  }
}
}
