// Reads the models that bench/subject.py writes.
#pragma once

#include <pinocchio/fwd.hpp>

#include <pinocchio/multibody.hpp>

#include <fstream>
#include <map>
#include <string>

namespace bench
{

template <int Rows, int Columns>
Eigen::Matrix<double, Rows, Columns> read_matrix(std::istream & file)
{
  Eigen::Matrix<double, Rows, Columns> values;
  for (int row = 0; row < Rows; ++row)
  {
    for (int column = 0; column < Columns; ++column)
    {
      file >> values(row, column);
    }
  }
  return values;
}

inline pinocchio::JointModel joint_model(const std::string & kind, const Eigen::Vector3d & axis)
{
  using pinocchio::JointModel;
  if (kind == "FreeFlyer")
  {
    return pinocchio::JointModelFreeFlyer();
  }
  const std::map<std::string, JointModel> aligned{
    {"RX", pinocchio::JointModelRX()}, {"RY", pinocchio::JointModelRY()},
    {"RZ", pinocchio::JointModelRZ()}, {"PX", pinocchio::JointModelPX()},
    {"PY", pinocchio::JointModelPY()}, {"PZ", pinocchio::JointModelPZ()}};
  if (const auto found = aligned.find(kind); found != aligned.end())
  {
    return found->second;
  }
  return kind[0] == 'P' ? JointModel(pinocchio::JointModelPrismaticUnaligned(axis))
                        : JointModel(pinocchio::JointModelRevoluteUnaligned(axis));
}

/// Reads a model: one line a joint with kind, parent's index, name, position and rotation (by rows)
/// of its placement, axis, mass, centre of mass, tensor about it (xx xy yy xz yz zz); joint 0 is
/// the world.
inline pinocchio::Model load(const std::string & path)
{
  std::ifstream file(path);
  pinocchio::Model model;
  std::string kind;
  std::string name;
  for (pinocchio::JointIndex parent = 0; file >> kind >> parent >> name;)
  {
    const Eigen::Vector3d translation = read_matrix<3, 1>(file);
    const Eigen::Matrix3d rotation = read_matrix<3, 3>(file);
    const Eigen::Vector3d axis = read_matrix<3, 1>(file);
    const double mass = read_matrix<1, 1>(file)(0);
    const Eigen::Vector3d center = read_matrix<3, 1>(file);
    const Eigen::Matrix<double, 6, 1> tensor = read_matrix<6, 1>(file);
    const auto joint =
      model.addJoint(parent, joint_model(kind, axis), pinocchio::SE3(rotation, translation), name);
    model.appendBodyToJoint(joint, pinocchio::Inertia(mass, center, pinocchio::Symmetric3(tensor)));
  }
  return model;
}

}  // namespace bench
