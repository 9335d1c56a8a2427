// The code that CppADCodeGen generates for Pinocchio's algorithms: codegen ROBOT FUNCTION FILE.
// Writes it in C, and prints its multiplications and divisions, additions and subtractions.

// Pinocchio looks for joints that follow others, which are not among ours.
#define BOOST_VARIANT_USE_RELAXED_GET_BY_DEFAULT

#include <pinocchio/codegen/cppadcg.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <sstream>

#include "pinocchio/model.hpp"

namespace
{

using Code = CppAD::cg::CG<double>;
using Scalar = CppAD::AD<Code>;
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// The joints that there are in robots to compare. Code for all that Pinocchio knows would take
/// several times as long to compile, and generate the same.
template <typename Number, int options>
struct Joints
{
  using Scalar = Number;
  static constexpr int Options = options;
  using JointModelVariant = boost::variant<
    pinocchio::JointModelRevoluteTpl<Number, options, 0>,
    pinocchio::JointModelRevoluteTpl<Number, options, 1>,
    pinocchio::JointModelRevoluteTpl<Number, options, 2>,
    pinocchio::JointModelPrismaticTpl<Number, options, 0>,
    pinocchio::JointModelPrismaticTpl<Number, options, 1>,
    pinocchio::JointModelPrismaticTpl<Number, options, 2>,
    pinocchio::JointModelFreeFlyerTpl<Number, options>>;
  using JointDataVariant = boost::variant<
    pinocchio::JointDataRevoluteTpl<Number, options, 0>,
    pinocchio::JointDataRevoluteTpl<Number, options, 1>,
    pinocchio::JointDataRevoluteTpl<Number, options, 2>,
    pinocchio::JointDataPrismaticTpl<Number, options, 0>,
    pinocchio::JointDataPrismaticTpl<Number, options, 1>,
    pinocchio::JointDataPrismaticTpl<Number, options, 2>,
    pinocchio::JointDataFreeFlyerTpl<Number, options>>;
};

template <typename Number>
using ModelOf = pinocchio::ModelTpl<Number, 0, Joints>;

using Model = ModelOf<Scalar>;
using Data = pinocchio::DataTpl<Scalar, 0, Joints>;
using pinocchio::Convention;

/// A robot, its state, and room for results.
struct Recording
{
  const Model & model;
  Data data;
  Vector q, v, last;
};

Vector flat(const Matrix & matrix)
{
  return Eigen::Map<const Vector>(matrix.data(), matrix.size());
}

/// Pinocchio computes the upper triangle alone; the rest stays zero.
template <Convention convention>
Vector inertia_matrix(Recording & r)
{
  r.data.M.setZero();
  pinocchio::crba(r.model, r.data, r.q, convention);
  return flat(r.data.M.triangularView<Eigen::Upper>());
}

template <Convention convention>
Vector forward_dynamics(Recording & r)
{
  return pinocchio::aba(r.model, r.data, r.q, r.v, r.last, convention);
}

Vector inverse_dynamics(Recording & r)
{
  return pinocchio::rnea(r.model, r.data, r.q, r.v, r.last);
}

Vector inverse_dynamics_derivatives(Recording & r)
{
  const auto n = r.model.nv;
  Matrix by_q = Matrix::Zero(n, n);
  Matrix by_qd = Matrix::Zero(n, n);
  Matrix by_qdd = Matrix::Zero(n, n);
  pinocchio::computeRNEADerivatives(r.model, r.data, r.q, r.v, r.last, by_q, by_qd, by_qdd);
  Vector all(3 * n * n);
  all << flat(by_q), flat(by_qd), flat(by_qdd.triangularView<Eigen::Upper>());
  return all;
}

long occurrences(const std::string & text, const std::string & what)
{
  long count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
  {
    ++count;
  }
  return count;
}

/// The body of the function of some inputs that the tape recorded, in C; how many variables it has.
std::string generated(CppAD::ADFun<Code> & tape, std::size_t & variables)
{
  tape.optimize("no_compare_op");
  CppAD::cg::CodeHandler<double> handler;
  CppAD::vector<Code> inputs(tape.Domain());
  handler.makeVariables(inputs);
  CppAD::vector<Code> outputs = tape.Forward(0, inputs);
  CppAD::cg::LanguageC<double> language("double");
  CppAD::cg::LangCDefaultVariableNameGenerator<double> names;
  std::ostringstream text;
  handler.generateCode(text, language, outputs, names);
  variables = handler.getTemporaryVariableCount();
  return text.str();
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::map<std::string, std::function<Vector(Recording &)>> functions{
    {"inverse_dynamics", inverse_dynamics},
    {"inertia_matrix_local", inertia_matrix<Convention::LOCAL>},
    {"inertia_matrix_world", inertia_matrix<Convention::WORLD>},
    {"forward_dynamics_local", forward_dynamics<Convention::LOCAL>},
    {"forward_dynamics_world", forward_dynamics<Convention::WORLD>},
    {"inverse_dynamics_derivatives", inverse_dynamics_derivatives}};
  if (argc != 4 || functions.count(argv[2]) == 0)
  {
    std::fputs("usage: codegen ROBOT FUNCTION FILE\n", stderr);
    return 2;
  }
  const Model model = bench::pinocchio_model<ModelOf<double>>(argv[1]).cast<Scalar>();
  Vector x = Vector::Constant(model.nq + 2 * model.nv, Scalar(0.5));
  CppAD::Independent(x);
  Recording recording{
    model, Data(model), x.head(model.nq), x.segment(model.nq, model.nv), x.tail(model.nv)};
  const Vector result = functions.at(argv[2])(recording);
  CppAD::ADFun<Code> tape;
  tape.Dependent(x, result);
  std::size_t variables = 0;
  const std::string text = generated(tape, variables);
  std::ofstream(argv[3])
    << "#include <math.h>\n#include <stddef.h>\n"
    << "typedef struct { void (*call)(void *, const double *); void * self; size_t width; "
    << "const double * result; size_t size; } Subject;\n"
    << "static double y[" << result.size() << "];\n"
    << "static void call(void * self, const double * restrict x)\n{\n  (void)self;\n"
    << "  double v[" << std::max<std::size_t>(variables, 1) << "];\n"
    << text << "}\n"
    << "_Bool robcogen_bench_open(const char * robot, const char * function, Subject * s)\n"
    << "{\n  (void)robot, (void)function;\n"
    << "  *s = (Subject){call, 0, " << x.size() << ", y, " << result.size() << "};\n"
    << "  return 1;\n}\n";
  std::printf(
    "%ld %ld\n", occurrences(text, " * ") + occurrences(text, " / "),
    occurrences(text, " + ") + occurrences(text, " - "));
  return 0;
}
