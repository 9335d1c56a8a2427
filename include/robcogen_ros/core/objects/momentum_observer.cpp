// Observers of external forces, for all robots.
#include "robcogen_ros/core/objects/momentum_observer.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_momentum_observer(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::MomentumObserver>::table();
}
