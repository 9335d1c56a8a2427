// Measures Pinocchio's algorithms, header-only, in double:
// pinocchio <model> <function> <states> <results> <calls> <repeats>.
#include "session.hpp"

#include <map>

#include "model.hpp"

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
  const pinocchio::Model model = bench::load(argv[1]);
  const auto width = static_cast<std::size_t>(model.nq + 2 * model.nv);
  Session session{model, pinocchio::Data(model), bench::read_table(argv[3], width), argv[4],
                  std::atol(argv[5]), std::atoi(argv[6])};
  functions.at(argv[2])(session);
  return 0;
}
