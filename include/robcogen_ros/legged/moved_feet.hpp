// The feet of a robot as a found gait moves them.
#ifndef ROBCOGEN_ROS__LEGGED__MOVED_FEET_HPP_
#define ROBCOGEN_ROS__LEGGED__MOVED_FEET_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/legged/found_gait.hpp"
#include "robcogen_ros/products.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::legged
{

/// Places of feet, and their motions in moments of a gait.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs
///   `kinematics`, `contact_jacobian` and `contact_bias`
template <typename Robot>
class MovedFeet
{
public:
  static constexpr int feet = SizesOf<Robot>::most_contacts;
  using Places = std::array<Eigen::Vector3d, feet>;
  using Motions = std::array<whole_body::Motion, feet>;
  using Constants = typename ConstantsOf<Robot>::Type;

  explicit MovedFeet(const Robot & robot = Robot(), const Constants & constants = {})
  : robot_(robot), constants_(constants)
  {
  }

  /// Places of the feet, of a base that is somewhere [m].
  Places places(
    const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation,
    const typename Robot::JointVector & q) const noexcept
  {
    const auto found = call([this](const auto &... x) { return robot_.kinematics(x...); }, q);
    Places result;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      result[i] = position + orientation * pose(found, i).translation();
    }
    return result;
  }

  /// Motions of the feet in the gait, in its world.
  Motions motions(const Moment<Robot> & now) const noexcept
  {
    using Rows = ContactVector<Robot>;
    FreedomVector<Robot> v(6 + now.q.size()), a(6 + now.q.size());
    v << now.base_velocity(), now.qd;
    a << now.base_acceleration(), now.qdd;
    const ContactJacobian<Robot> rows =
      call([this](const auto &... x) { return robot_.contact_jacobian(x...); }, now.q);
    const Rows velocities = product<Rows>(rows, v), pushed = product<Rows>(rows, a);
    const Rows bias = call(
      [this](const auto &... x) { return robot_.contact_bias(x...); }, now.q, now.qd,
      now.base_velocity());
    const Rows accelerations = pushed + bias;
    const auto found = call([this](const auto &... x) { return robot_.kinematics(x...); }, now.q);
    const Eigen::Quaterniond & turn = now.trunk.orientation;
    Motions result;
    for (int i = 0; i < robot_.contact_count; ++i)
    {
      const auto & contact = robot_.contacts[i];
      const auto frame = pose(found, i);
      const int linear = contact.first_row + contact.rows() - 3;
      whole_body::Motion & motion = result[i];
      motion.position = now.trunk.position + turn * frame.translation();
      motion.orientation = turn * Eigen::Quaterniond(Eigen::Matrix3d(frame.rotation()));
      motion.linear_velocity = turn * velocities.template segment<3>(linear);
      motion.linear_acceleration = turn * accelerations.template segment<3>(linear);
      if (contact.rows() == 6)
      {
        motion.angular_velocity = turn * velocities.template segment<3>(contact.first_row);
        motion.angular_acceleration = turn * accelerations.template segment<3>(contact.first_row);
      }
    }
    return result;
  }

private:
  auto pose(const typename Robot::Kinematics & kinematics, int foot) const noexcept
  {
    return kinematics.pose(static_cast<typename Robot::Frame>(robot_.contacts[foot].frame));
  }

  template <typename Function, typename... Arguments>
  auto call(const Function & function, const Arguments &... arguments) const noexcept
  {
    return with_constants<Robot>(constants_, function, arguments...);
  }

  Robot robot_;
  Constants constants_;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__MOVED_FEET_HPP_
