// Names of the functions of a robot that objects call.
#ifndef ROBCOGEN_ROS__CORE__NEEDED_HPP_
#define ROBCOGEN_ROS__CORE__NEEDED_HPP_

#include <initializer_list>
#include <string_view>

namespace robcogen_ros::core
{

using Names = std::initializer_list<std::string_view>;

inline const Names for_simulation{"inertia_matrix", "forward_dynamics"};
inline const Names for_inverse_kinematics{"kinematics"};
inline const Names for_arms{"inverse_dynamics"};
inline const Names for_tools{"inverse_dynamics", "inertia_matrix_inverse", "kinematics"};
inline const Names for_ground{
  "inertia_matrix", "forward_dynamics", "kinematics", "contact_jacobian", "contact_bias"};
inline const Names for_loops{"coordinate_jacobian"};
inline const Names for_whole_body{
  "kinematics",       "gravity_torques", "inertia_matrix_inverse",
  "contact_jacobian", "contact_bias",    "contact_inverse_dynamics"};
inline const Names for_gaits{
  "kinematics", "contact_jacobian", "center_of_mass", "center_of_mass_jacobian", "gravity_torques"};
inline const Names for_playback{"kinematics", "contact_jacobian", "contact_bias"};
inline const Names for_whole_body_loop{
  "kinematics",   "gravity_torques",          "inertia_matrix_inverse", "contact_jacobian",
  "contact_bias", "contact_inverse_dynamics", "center_of_mass",         "center_of_mass_jacobian",
  "total_mass",   "generalized_momentum"};
inline const Names for_estimator{"kinematics", "contact_jacobian"};
inline const Names for_observer{"generalized_momentum"};
inline const Names for_observer_of_contacts{"generalized_momentum", "contact_jacobian"};
inline const Names for_broadcaster_of_contacts{
  "generalized_momentum", "contact_jacobian", "kinematics"};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__NEEDED_HPP_
