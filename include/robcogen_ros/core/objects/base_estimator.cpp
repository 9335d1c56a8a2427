// Estimators of the base of robots on legs, for all robots.
#include "robcogen_ros/core/objects/base_estimator.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_base_estimator(const robcogen_model *)
{
  return &robcogen_ros::core::Object<robcogen_ros::core::BaseEstimator>::table();
}
