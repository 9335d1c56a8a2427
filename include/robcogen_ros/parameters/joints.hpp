// What lists of parameters mean for the joints of a robot.
#ifndef ROBCOGEN_ROS__PARAMETERS__JOINTS_HPP_
#define ROBCOGEN_ROS__PARAMETERS__JOINTS_HPP_

#include <Eigen/Core>
#include <stdexcept>
#include <string>

#include "robcogen_ros/parameters/table.hpp"

namespace robcogen_ros::parameters
{

/// One value for all joints, or one each.
///
/// \throws std::invalid_argument if there are others
template <typename JointVector>
JointVector per_joint(
  const std::string & name, const Numbers & values,
  Eigen::Index joints = JointVector::SizeAtCompileTime)
{
  const auto n = static_cast<std::size_t>(joints);
  if (values.size() != 1 && values.size() != n)
  {
    detail::refuse(
      name + ": expected one value or " + std::to_string(n) + ", found " +
      std::to_string(values.size()));
  }
  return values.size() == 1 ? JointVector(JointVector::Constant(joints, values.front()))
                            : JointVector(Eigen::Map<const JointVector>(values.data(), joints));
}

/// Numbers for the joints as above, but others where there are none.
template <typename JointVector>
JointVector per_joint(
  const std::string & name, const Numbers & values, const JointVector & otherwise)
{
  return values.empty() ? otherwise : per_joint<JointVector>(name, values, otherwise.size());
}

}  // namespace robcogen_ros::parameters

#endif  // ROBCOGEN_ROS__PARAMETERS__JOINTS_HPP_
