// The loop of whole-body control, for all robots.
#include "robcogen_ros/core/whole_body_loop.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_whole_body_loop(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::WholeBodyLoop>::table();
}
