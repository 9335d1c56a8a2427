// A robot that steps, for all robots.
#include "robcogen_ros/core/gait.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_gait(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::Gait>::table();
}
