// A robot as Pinocchio's model.
#pragma once

#include <pinocchio/fwd.hpp>

#include <pinocchio/multibody.hpp>

#include "../robot_file.hpp"

namespace bench
{

template <typename Model>
typename Model::JointModel pinocchio_joint(char kind, int axis)
{
  using namespace pinocchio;
  if (kind == 'F')
  {
    return JointModelFreeFlyer();
  }
  using Joint = typename Model::JointModel;
  const Joint sliding[] = {JointModelPX(), JointModelPY(), JointModelPZ()};
  const Joint turning[] = {JointModelRX(), JointModelRY(), JointModelRZ()};
  return kind == 'P' ? sliding[axis] : turning[axis];
}

/// What does not move with a joint is left out: no result that is compared depends on it.
template <typename Model>
Model pinocchio_model(const char * path)
{
  using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Model model;
  std::vector<pinocchio::JointIndex> joints;
  const Robot robot = read_robot(path);
  model.gravity.linear() << robot.gravity[0], robot.gravity[1], robot.gravity[2];
  for (const Body & body : robot.bodies)
  {
    if (body.kind == 'B')
    {
      joints.push_back(0);
      continue;
    }
    const Eigen::Matrix3d rotation = Eigen::Map<const Matrix>(body.rotation.data());
    const Eigen::Vector3d position(body.position.data());
    const auto parent = joints.empty() ? 0 : joints[static_cast<std::size_t>(body.parent)];
    const auto joint = model.addJoint(
      parent, pinocchio_joint<Model>(body.kind, body.axis), pinocchio::SE3(rotation, position),
      "joint" + std::to_string(joints.size()));
    const Eigen::Vector3d center(body.center.data());
    const Eigen::Matrix<double, 6, 1> tensor(body.tensor.data());
    model.appendBodyToJoint(
      joint, pinocchio::Inertia(body.mass, center, pinocchio::Symmetric3(tensor)));
    joints.push_back(joint);
  }
  return model;
}

}  // namespace bench
