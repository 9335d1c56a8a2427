// A reference motion: each joint on a sine of its own.
#ifndef ROBCOGEN_ROS__REALTIME__WAVES_HPP_
#define ROBCOGEN_ROS__REALTIME__WAVES_HPP_

#include <Eigen/Core>

namespace robcogen_ros::realtime
{

/// \tparam Vector a value of each joint, an Eigen vector of fixed size
template <typename Vector>
struct Waves
{
  Vector center = Vector::Zero();  ///< [rad or m]
  Vector swing = Vector::Zero();   ///< [rad or m]
  Vector pace = Vector::Zero();    ///< [rad/s]

  struct Point
  {
    Vector position;
    Vector velocity;
    Vector acceleration;
  };

  Point at(double time) const noexcept
  {
    const Vector sine = (time * pace).array().sin();
    const Vector cosine = (time * pace).array().cos();
    const Vector speed = swing.cwiseProduct(pace);
    return {
      center + swing.cwiseProduct(sine), speed.cwiseProduct(cosine),
      -speed.cwiseProduct(pace).cwiseProduct(sine)};
  }
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__WAVES_HPP_
