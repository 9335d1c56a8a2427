// What an estimator of a base is told by an IMU, and what may be wrong with it.
#ifndef ROBCOGEN_ROS__ESTIMATOR__READING_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__READING_HPP_

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <string>

namespace robcogen_ros::estimator
{

/// Faults, several at once; docs/state_estimation.md tells what is done then.
enum class Fault : std::uint32_t
{
  imu_missing = 1u << 0,
  joints_missing = 1u << 1,
  time_not_forwards = 1u << 2,
  not_at_rest = 1u << 3,
  imu_misplaced = 1u << 4,
  no_feet = 1u << 5,
  foot_slips = 1u << 6,
};

/// Names of the faults, in the order of their bits.
constexpr const char * fault_names[] = {
  "imu_missing",   "joints_missing", "time_not_forwards", "not_at_rest",
  "imu_misplaced", "no_feet",        "foot_slips",
};

/// Tells an angle between what an IMU has upwards and something else, and what that is [rad].
inline std::string words_of(double imu_angle, const char * from)
{
  return "gravity as the IMU has it is " + std::to_string(imu_angle + 0.005).substr(0, 4) + from;
}

/// Returns why there is no estimate, for people.
///
/// \param had whether there was one: it then waits for rest only where it found the IMU elsewhere
inline std::string problem_of(std::uint32_t faults, double imu_angle, bool had)
{
  const auto has = [faults](Fault fault)
  { return (faults & static_cast<std::uint32_t>(fault)) != 0; };
  if (has(Fault::imu_misplaced) || (had && has(Fault::not_at_rest)))
  {
    return words_of(
      imu_angle,
      " rad from the normal of the feet: expected at most greatest_imu_angle; set imu_frame to the "
      "frame that it measures in, or mend joints whose signs or zeros are others than the model's");
  }
  return has(Fault::not_at_rest)
           ? "the robot is not at rest, or the IMU has other units than rad/s and m/s^2"
         : has(Fault::imu_missing) ? "no IMU, or its readings do not change while joints move"
         : has(Fault::joints_missing)
           ? "no joint states, or positions far beyond limits: are they in rad?"
         : has(Fault::time_not_forwards) ? "time does not go on, or is not in seconds"
         : has(Fault::no_feet)
           ? "no foot feels the ground: the robot hangs, or forces of feet are not measured in N"
           : "";
}

/// True if a joint is so far beyond its limits that its unit is another one.
///
/// \param q positions [rad or m]
template <typename Robot>
bool is_far_beyond_limits(const Robot & robot, const typename Robot::JointVector & q) noexcept
{
  constexpr double far = 1.0;
  bool result = false;
  for (int i = 0; i < robot.joint_count; ++i)
  {
    result = result || q(i) < robot.lower_limits[i] - far || q(i) > robot.upper_limits[i] + far;
  }
  return result;
}

/// Reading of an IMU, in the axes of its frame; NaN where there is nothing.
struct ImuReading
{
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Constant(unknown);  ///< [rad/s]
  /// Acceleration of its origin less that of free fall [m/s^2]: upwards of an IMU at rest.
  Eigen::Vector3d linear_acceleration = Eigen::Vector3d::Constant(unknown);

  /// Greatest numbers that IMUs have in their ranges [rad/s], [m/s^2].
  static constexpr double fastest = 70.0, hardest = 320.0;

  /// True if there is all of it, as an IMU can measure it.
  bool whole() const noexcept
  {
    return (angular_velocity.array().abs() <= fastest).all() &&
           (linear_acceleration.array().abs() <= hardest).all();
  }
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__READING_HPP_
