// What a robot on legs is to do, from requests with holes.
#ifndef ROBCOGEN_ROS__CONTROL__WHOLE_BODY_REFERENCE_HPP_
#define ROBCOGEN_ROS__CONTROL__WHOLE_BODY_REFERENCE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "robcogen_ros/whole_body/reference.hpp"

namespace robcogen_ros::control
{

/// A motion of which nothing is said: NaN throughout.
inline whole_body::Motion no_motion() noexcept
{
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  whole_body::Motion motion;
  motion.position.setConstant(unknown);
  motion.orientation.coeffs().setConstant(unknown);
  motion.angular_velocity = motion.linear_velocity = motion.position;
  motion.angular_acceleration = motion.linear_acceleration = motion.position;
  return motion;
}

/// A request in which nothing is said of the trunk, and all feet stand.
template <typename Robot>
whole_body::Reference<Robot> no_request(const Robot & robot = Robot()) noexcept
{
  whole_body::Reference<Robot> request(robot);
  request.trunk = no_motion();
  request.posture.setConstant(std::numeric_limits<double>::quiet_NaN());
  return request;
}

/// Returns the motion after a while; it stands once `patience` is over.
inline whole_body::Motion carried_on(
  whole_body::Motion motion, double age, double patience) noexcept
{
  const double time = std::clamp(age, 0.0, patience);
  const auto or_zero = [](const Eigen::Vector3d & values)
  { return values.allFinite() ? values : Eigen::Vector3d(Eigen::Vector3d::Zero()); };
  const Eigen::Vector3d a = or_zero(motion.linear_acceleration);
  const Eigen::Vector3d alpha = or_zero(motion.angular_acceleration);
  motion.position += time * or_zero(motion.linear_velocity) + 0.5 * time * time * a;
  const Eigen::Vector3d turn = time * or_zero(motion.angular_velocity) + 0.5 * time * time * alpha;
  if (turn.norm() > 0.0)
  {
    motion.orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * motion.orientation;
  }
  motion.linear_velocity += time * a;
  motion.angular_velocity += time * alpha;
  return age > patience ? motion.at_rest() : motion;
}

/// Returns the request some time after it came; all feet stand once `patience` is over.
template <typename Robot>
whole_body::Reference<Robot> carried_on(
  whole_body::Reference<Robot> request, double age, double patience) noexcept
{
  request.trunk = carried_on(request.trunk, age, patience);
  for (whole_body::FootReference & foot : request.feet)
  {
    foot.motion = carried_on(foot.motion, age, patience);
    foot.stance = foot.stance || age > patience;
    foot.wrench *= age > patience ? 0.0 : 1.0;
  }
  return request;
}

/// The reference of a robot on legs, cycle by cycle.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class WholeBodyReference
{
public:
  using Reference = whole_body::Reference<Robot>;
  using JointVector = typename Robot::JointVector;

  explicit WholeBodyReference(const Robot & robot = Robot()) noexcept
  : now_(robot), found_(now_.posture)
  {
  }

  /// Stands where it was found.
  void begin(
    const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation,
    const JointVector & q) noexcept
  {
    now_.trunk = {position, orientation};
    now_.feet = {};
    now_.posture = found_ = q;
  }

  /// Takes over a request. A pose with a hole leaves the last one, at rest; a velocity or an
  /// acceleration with a hole is zero. A foot swings only with a place to go to. A wrench with a
  /// hole is none.
  ///
  /// \param posture that is preferred, NaN where it is the one that was found
  /// \param moves whether its motions count; otherwise all stands
  void take(const Reference & request, const JointVector & posture, bool moves) noexcept
  {
    now_.waits = request.waits;
    take(moves ? request.trunk : no_motion(), now_.trunk);
    for (std::size_t i = 0; i < now_.feet.size(); ++i)
    {
      const whole_body::FootReference & foot = request.feet[i];
      now_.feet[i].stance = !moves || foot.stance || !foot.motion.position.allFinite();
      now_.feet[i].wrench.setZero();
      if (foot.wrench.allFinite())
      {
        now_.feet[i].wrench = foot.wrench;
      }
      if (!now_.feet[i].stance)
      {
        take(foot.motion, now_.feet[i].motion);
      }
    }
    now_.posture = request.posture.array().isFinite().select(request.posture, preferred(posture));
  }

  /// Goes on in a world that has moved.
  void move(const Eigen::Vector3d & offset, const Eigen::Quaterniond & turn) noexcept
  {
    now_.trunk = now_.trunk.moved(offset, turn);
    for (whole_body::FootReference & foot : now_.feet)
    {
      foot.motion = foot.motion.moved(offset, turn);
    }
  }

  /// A posture, where it is NaN the one that was found.
  JointVector preferred(const JointVector & posture) const noexcept
  {
    return posture.array().isFinite().select(posture, found_);
  }

  const Reference & now() const noexcept { return now_; }
  Reference & now() noexcept { return now_; }

private:
  static void take(const whole_body::Motion & request, whole_body::Motion & to) noexcept
  {
    const bool turned = is_unit(request.orientation.coeffs());
    if (!request.position.allFinite())
    {
      to = to.at_rest();
      return;
    }
    const auto or_zero = [](const Eigen::Vector3d & values)
    { return values.allFinite() ? values : Eigen::Vector3d(Eigen::Vector3d::Zero()); };
    to.position = request.position;
    to.linear_velocity = or_zero(request.linear_velocity);
    to.linear_acceleration = or_zero(request.linear_acceleration);
    to.angular_velocity =
      turned ? or_zero(request.angular_velocity) : Eigen::Vector3d::Zero().eval();
    to.angular_acceleration =
      turned ? or_zero(request.angular_acceleration) : Eigen::Vector3d::Zero().eval();
    if (turned)
    {
      to.orientation = request.orientation.normalized();
    }
  }

  Reference now_;
  JointVector found_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__WHOLE_BODY_REFERENCE_HPP_
