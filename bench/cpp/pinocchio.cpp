// Measures Pinocchio's algorithms, header-only, in double:
// pinocchio <model> <function> <states> <results> <calls> <repeats>.
// A model is one line a joint: kind, parent's index, name, position and rotation (by rows) of its
// placement, axis, mass, centre of mass, tensor about it (xx xy yy xz yz zz); joint 0 is the world.
#include "session.hpp"

#include <map>

namespace {

template <int Rows, int Columns>
Eigen::Matrix<double, Rows, Columns> read(std::istream& file) {
  Eigen::Matrix<double, Rows, Columns> values;
  for (int row = 0; row < Rows; ++row) {
    for (int column = 0; column < Columns; ++column) {
      file >> values(row, column);
    }
  }
  return values;
}

pinocchio::JointModel joint_model(const std::string& kind, const Eigen::Vector3d& axis) {
  using pinocchio::JointModel;
  if (kind == "FreeFlyer") {
    return pinocchio::JointModelFreeFlyer();
  }
  const std::map<std::string, JointModel> aligned{
      {"RX", pinocchio::JointModelRX()}, {"RY", pinocchio::JointModelRY()},
      {"RZ", pinocchio::JointModelRZ()}, {"PX", pinocchio::JointModelPX()},
      {"PY", pinocchio::JointModelPY()}, {"PZ", pinocchio::JointModelPZ()}};
  if (const auto found = aligned.find(kind); found != aligned.end()) {
    return found->second;
  }
  return kind[0] == 'P' ? JointModel(pinocchio::JointModelPrismaticUnaligned(axis))
                        : JointModel(pinocchio::JointModelRevoluteUnaligned(axis));
}

pinocchio::Model load(const std::string& path) {
  std::ifstream file(path);
  pinocchio::Model model;
  std::string kind;
  std::string name;
  for (pinocchio::JointIndex parent = 0; file >> kind >> parent >> name;) {
    const Eigen::Vector3d translation = read<3, 1>(file);
    const Eigen::Matrix3d rotation = read<3, 3>(file);
    const Eigen::Vector3d axis = read<3, 1>(file);
    const double mass = read<1, 1>(file)(0);
    const Eigen::Vector3d center = read<3, 1>(file);
    const Eigen::Matrix<double, 6, 1> tensor = read<6, 1>(file);
    const auto joint = model.addJoint(parent, joint_model(kind, axis),
                                      pinocchio::SE3(rotation, translation), name);
    model.appendBodyToJoint(
        joint, pinocchio::Inertia(mass, center, pinocchio::Symmetric3(tensor)));
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::Session;
  const std::map<std::string, void (*)(Session&)> functions{
      {"inverse_dynamics", bench::inverse_dynamics},
      {"inertia_matrix_local", bench::inertia_matrix_local},
      {"inertia_matrix_world", bench::inertia_matrix_world},
      {"forward_dynamics_local", bench::forward_dynamics_local},
      {"forward_dynamics_world", bench::forward_dynamics_world}};
  if (argc != 7 || functions.count(argv[2]) == 0) {
    std::fputs("usage: pinocchio <model> <function> <states> <results> <calls> <repeats>\n",
               stderr);
    return 2;
  }
  const pinocchio::Model model = load(argv[1]);
  const auto width = static_cast<std::size_t>(model.nq + 2 * model.nv);
  Session session{model, pinocchio::Data(model), bench::read_table(argv[3], width), argv[4],
                  std::atol(argv[5]), std::atoi(argv[6])};
  functions.at(argv[2])(session);
  return 0;
}
