// Observers of external forces, for all robots.
#include "robcogen_ros/core/momentum_observer.hpp"

#include "robcogen_ros/core/core.h"

const robcogen_object * robcogen_core_momentum_observer(const robcogen_model * model)
{
  using robcogen_ros::core::MomentumObserver, robcogen_ros::core::Object;
  return model->floating_base != 0 ? &Object<MomentumObserver<true>>::table()
                                   : &Object<MomentumObserver<false>>::table();
}
