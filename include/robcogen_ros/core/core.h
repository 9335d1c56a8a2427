/* robcogen_ros: what the core library exports. Its objects serve all robots: a robot is handed over
 * as its `robcogen_model`, where they are created.
 */
#ifndef ROBCOGEN_ROS__CORE__CORE_H_
#define ROBCOGEN_ROS__CORE__CORE_H_

#include "robcogen_ros/model.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define ROBCOGEN_EXPORTED __attribute__((visibility("default")))

/* Objects of a robot; they need functions of it, without which none can be created. */
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_ground(const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_simulation(const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_whole_body(const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_whole_body_loop(
  const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_gait(const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_playback(const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_base_estimator(
  const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_momentum_observer(
  const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_inverse_kinematics(
  const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_inverse_dynamics_controller(
  const robcogen_model * model);
ROBCOGEN_EXPORTED const robcogen_object * robcogen_core_task_space_controller(
  const robcogen_model * model);

/* How many rows or columns an argument of an object has for a robot. */
ROBCOGEN_EXPORTED size_t robcogen_core_size(const robcogen_model * model, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* ROBCOGEN_ROS__CORE__CORE_H_ */
