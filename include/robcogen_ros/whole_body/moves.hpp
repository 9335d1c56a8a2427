// How the trunk or the center of mass accelerates.
#ifndef ROBCOGEN_ROS__WHOLE_BODY__MOVES_HPP_
#define ROBCOGEN_ROS__WHOLE_BODY__MOVES_HPP_

#include <Eigen/Core>

#include "robcogen_ros/ground/state.hpp"
#include "robcogen_ros/whole_body/response.hpp"
#include "robcogen_ros/whole_body/settings.hpp"

namespace robcogen_ros::whole_body
{

/// The linear acceleration of the base's origin as a function of the variables, `of x + free` in
/// axes of the base [m/s^2]; across gravity that of the center of mass where that is asked for.
template <typename Robot>
struct Moves
{
  using Matrix = typename Matrices<Robot>::Matrix;

  Matrix of;
  Eigen::Vector3d free = Eigen::Vector3d::Zero();

  /// \param weight of the robot [N]
  void find(
    const Response<Robot> & response, const ground::State<Robot> & state, bool centered,
    double weight, const Settings<Robot> & settings) noexcept
  {
    // The spatial acceleration is that of the origin less w x v.
    const Eigen::Vector3d w = state.rates.template head<3>(),
                          v = state.rates.template segment<3>(3);
    of = response.accelerations_of.middleRows(3, 3);
    free = response.accelerations.template segment<3>(3) + w.cross(v);
    if (centered)
    {
      find_center(response, weight, settings);
    }
  }

private:
  /// The center of mass accelerates by all forces of the ground by the mass, and gravity.
  void find_center(
    const Response<Robot> & response, double weight, const Settings<Robot> & settings) noexcept
  {
    const Eigen::Vector3d up = -(response.base_axes * settings.gravity).normalized();
    const Eigen::Matrix3d upwards = up * up.transpose();
    const Eigen::Matrix3d across =
      settings.gravity.norm() / weight * (Eigen::Matrix3d::Identity() - upwards);
    of = product<Matrix>(upwards, of);
    free = upwards * free;
    for (const Contact & contact : settings.robot.contacts)
    {
      const int first = contact.first_row + contact.rows() - 3;
      of += product<Matrix>(across, response.forces_of.middleRows(first, 3));
      free += across * response.forces.template segment<3>(first);
    }
  }
};

}  // namespace robcogen_ros::whole_body

#endif  // ROBCOGEN_ROS__WHOLE_BODY__MOVES_HPP_
