// Messages of a broadcaster of external forces.
#ifndef ROBCOGEN_ROS__OBSERVER__BROADCAST_HPP_
#define ROBCOGEN_ROS__OBSERVER__BROADCAST_HPP_

#include <Eigen/Core>
#include <array>

#include "robcogen_ros/constants.hpp"
#include "robcogen_ros/observer/contacts.hpp"
#include "robcogen_ros/observer/momentum_observer.hpp"

namespace robcogen_ros::observer
{

/// External forces in the frames in which messages have them. Wrenches are [moment; force] on the
/// robot.
///
/// \tparam Robot the Traits of a generated robot; needs `generalized_momentum`, and `kinematics`
///     and `contact_jacobian` if it has contacts
template <typename Robot>
class Broadcast
{
public:
  using JointVector = typename Robot::JointVector;
  using Vector6 = typename Robot::Vector6;

  explicit Broadcast(const Settings<Robot> & settings = Settings<Robot>()) noexcept
  : observer_(settings)
  {
  }

  const MomentumObserver<Robot> & observer() const noexcept { return observer_; }

  /// Forgets everything.
  void reset() noexcept { *this = Broadcast(observer_.settings()); }

  /// Takes a measurement, as the observer does.
  bool update(const Measurement<Robot> & now, double step) noexcept
  {
    if (!observer_.update(now, step))
    {
      return false;
    }
    if constexpr (SizesOf<Robot>::most_contacts > 0)
    {
      turn_to_frames(now.q);
    }
    return true;
  }

  /// Wrench of what touches a contact, about its frame and in the axes of it [N m, N].
  const Vector6 & contact_wrench(int contact) const noexcept { return wrenches_[contact]; }

  /// Returns true if a contact bears a force.
  bool closed(int contact) const noexcept { return observer_.estimate().closed[contact]; }

  /// Wrench of what pushes a floating base, about its origin in its axes [N m, N]; zero of a fixed
  /// one.
  Vector6 base_wrench() const noexcept
  {
    return robot().floating_base ? Vector6(observer_.estimate().remainder.template head<6>())
                                 : Vector6(Vector6::Zero());
  }

  bool pushed() const noexcept { return observer_.estimate().pushed; }

  /// Efforts from outside on the joints that no contact explains [N m or N].
  JointVector joint_efforts() const noexcept
  {
    return observer_.estimate().remainder.tail(robot().joint_count);
  }

  bool disturbed(int joint) const noexcept { return observer_.estimate().disturbed[joint]; }

private:
  const Robot & robot() const noexcept { return observer_.settings().robot; }

  using Wrenches = std::array<Vector6, SizesOf<Robot>::most_contacts>;

  static Wrenches none() noexcept
  {
    Wrenches wrenches;
    wrenches.fill(Vector6::Zero());
    return wrenches;
  }

  void turn_to_frames(const JointVector & q) noexcept
  {
    const auto function = [this](const auto &... all) { return robot().kinematics(all...); };
    const auto kinematics = with_constants<Robot>(observer_.settings().constants, function, q);
    for (int i = 0; i < robot().contact_count; ++i)
    {
      const Contact & contact = robot().contacts[i];
      const auto frame = static_cast<typename Robot::Frame>(contact.frame);
      const Eigen::Matrix3d rotation = kinematics.pose(frame).rotation();
      const Vector6 in_base =
        observer::contact_wrench(contact, observer_.estimate().contact_forces);
      wrenches_[i] << rotation.transpose() * in_base.template head<3>(),
        rotation.transpose() * in_base.template tail<3>();
    }
  }

  MomentumObserver<Robot> observer_;
  Wrenches wrenches_ = none();
};

}  // namespace robcogen_ros::observer

#endif  // ROBCOGEN_ROS__OBSERVER__BROADCAST_HPP_
