// The controller of an arm, for all robots.
#include "robcogen_ros/core/objects/inverse_dynamics_controller.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_inverse_dynamics_controller(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::InverseDynamicsController>::table();
}
