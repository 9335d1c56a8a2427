// A robot that moves by its forward dynamics, for all robots.
#include "robcogen_ros/core/objects/simulation.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_simulation(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::Simulation>::table();
}
