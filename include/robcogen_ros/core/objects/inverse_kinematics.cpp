// Inverse kinematics, for all robots.
#include "robcogen_ros/core/objects/inverse_kinematics.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_inverse_kinematics(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::InverseKinematics>::table();
}
