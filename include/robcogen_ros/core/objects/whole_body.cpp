// Whole-body control, the loop around it, and gaits, for all robots.
#include "robcogen_ros/core/objects/whole_body.hpp"

#include "robcogen_ros/core/core.h"
#include "robcogen_ros/core/objects/gait.hpp"
#include "robcogen_ros/core/objects/playback.hpp"
#include "robcogen_ros/core/objects/whole_body_loop.hpp"

using robcogen_ros::core::Object;

const robcogen_object * robcogen_core_whole_body(const robcogen_model *)
{
  return &Object<robcogen_ros::core::WholeBody>::table();
}

const robcogen_object * robcogen_core_whole_body_loop(const robcogen_model *)
{
  return &Object<robcogen_ros::core::WholeBodyLoop>::table();
}

const robcogen_object * robcogen_core_gait(const robcogen_model *)
{
  return &Object<robcogen_ros::core::Gait>::table();
}

const robcogen_object * robcogen_core_playback(const robcogen_model *)
{
  return &Object<robcogen_ros::core::Playback>::table();
}
