// The record of a robot from its URDF at run time.
#ifndef ROBCOGEN_ROS__CONTROL__URDF_RECORD_HPP_
#define ROBCOGEN_ROS__CONTROL__URDF_RECORD_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#if __has_include(<urdf/model.hpp>)
#include <urdf/model.hpp>
#else
#include <urdf/model.h>
#endif

#include "robcogen_ros/control/model_check.hpp"

namespace robcogen_ros::control
{

/// The record of a URDF; its names lie in the model, which must outlive it.
class UrdfRecord
{
public:
  explicit UrdfRecord(const urdf::Model & model)
  {
    for (const auto & [name, link] : model.links_)
    {
      record_.links.push_back(of_link(*link));
    }
    for (const auto & [name, joint] : model.joints_)
    {
      record_.joints.push_back(of_joint(*joint));
    }
  }

  const ModelRecord & record() const { return record_; }

private:
  static Eigen::Vector3d vector(const urdf::Vector3 & v) { return {v.x, v.y, v.z}; }

  static Eigen::Matrix3d rotation(const urdf::Rotation & r)
  {
    return Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix();
  }

  static LinkRecord of_link(const urdf::Link & link)
  {
    LinkRecord record{link.name};
    if (!link.inertial)
    {
      return record;
    }
    const urdf::Inertial & inertial = *link.inertial;
    record.mass = inertial.mass;
    record.com = array<3>(vector(inertial.origin.position));
    Eigen::Matrix3d tensor;
    tensor << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz,
      inertial.ixz, inertial.iyz, inertial.izz;
    const Eigen::Matrix3d turn = rotation(inertial.origin.rotation);
    const Eigen::Matrix3d turned = turn * tensor * turn.transpose();
    record.inertia = {turned(0, 0), turned(0, 1), turned(0, 2),
                      turned(1, 1), turned(1, 2), turned(2, 2)};
    return record;
  }

  static JointRecord of_joint(const urdf::Joint & joint)
  {
    const urdf::Pose & pose = joint.parent_to_joint_origin_transform;
    JointRecord record{joint.name, kind(joint.type), joint.parent_link_name, joint.child_link_name};
    record.position = array<3>(vector(pose.position));
    const Eigen::Matrix3d by_columns = rotation(pose.rotation).transpose();
    record.rotation = array<9>(by_columns.reshaped());
    const Eigen::Vector3d axis = vector(joint.axis);
    record.axis = array<3>(axis.norm() > 0.0 ? axis.normalized() : axis);
    if (joint.limits)
    {
      constexpr double unlimited = 1e16;  // what stands in a URDF for none
      record.limits = {
        joint.limits->lower, joint.limits->upper, joint.limits->velocity, joint.limits->effort};
      for (double & limit : record.limits)
      {
        limit = std::abs(limit) < unlimited ? limit : 0.0;
      }
    }
    if (joint.mimic)
    {
      record.leader = joint.mimic->joint_name;
      record.multiplier = joint.mimic->multiplier;
      record.offset = joint.mimic->offset;
    }
    return record;
  }

  static std::string_view kind(int type)
  {
    switch (type)
    {
      case urdf::Joint::REVOLUTE:
        return "revolute";
      case urdf::Joint::CONTINUOUS:
        return "continuous";
      case urdf::Joint::PRISMATIC:
        return "prismatic";
      case urdf::Joint::FLOATING:
        return "floating";
      case urdf::Joint::PLANAR:
        return "planar";
      case urdf::Joint::FIXED:
        return "fixed";
      default:
        return "unknown";
    }
  }

  template <std::size_t count, typename Values>
  static std::array<double, count> array(const Values & values)
  {
    std::array<double, count> result;
    for (std::size_t i = 0; i < count; ++i)
    {
      result[i] = values(static_cast<Eigen::Index>(i));
    }
    return result;
  }

  ModelRecord record_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__URDF_RECORD_HPP_
