// Sizes of arguments that depend on the robot.
#include "robcogen_ros/core/core.h"
#include "robcogen_ros/core/motor_tables.hpp"

size_t robcogen_core_size(const robcogen_model * model, size_t size)
{
  size_t rows = 0, cones = 0;
  for (size_t i = 0; i < model->contact_count; ++i)
  {
    size_t own = 0;
    for (size_t k = 0; k < 6; ++k)
    {
      own += model->contact_rows[6 * i + k] != 0 ? 1 : 0;
    }
    rows += own;
    cones += own == 6 ? 17 : 5;
  }
  switch (size)
  {
    case ROBCOGEN_JOINTS:
      return model->joint_count;
    case ROBCOGEN_LINKS:
      return model->link_count;
    case ROBCOGEN_CONTACTS:
      return model->contact_count;
    case ROBCOGEN_CONTACT_ROWS:
      return rows;
    case ROBCOGEN_FREEDOMS:
      return model->joint_count + (model->floating_base != 0 ? 6 : 0);
    case ROBCOGEN_PARAMETERS:
      return model->parameter_count;
    case ROBCOGEN_EFFORTS_AND_ROWS:
      return model->joint_count + rows;
    case ROBCOGEN_CONE_ROWS:
      return cones;
    case ROBCOGEN_MOTORS:
      return robcogen_ros::core::has_motors(*model) ? model->motor_count : model->joint_count;
    default:
      return size;
  }
}
