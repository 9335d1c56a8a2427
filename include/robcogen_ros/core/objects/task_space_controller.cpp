// The controller of a tool, for all robots.
#include "robcogen_ros/core/objects/task_space_controller.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_task_space_controller(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::TaskSpaceController>::table();
}
