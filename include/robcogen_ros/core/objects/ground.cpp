// A robot on the ground, for all robots.
#include "robcogen_ros/core/objects/ground.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_ground(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::Ground>::table();
}
