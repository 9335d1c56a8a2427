// Counts the operations of the code that CppADCodeGen generates for Pinocchio's algorithms:
// codegen_counts <model>. One line a function: name, multiplications and divisions, additions and
// subtractions.
#include <pinocchio/codegen/cppadcg.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstdio>
#include <memory>
#include <sstream>

#include "model.hpp"

namespace
{

using Code = CppAD::cg::CG<double>;
using Scalar = CppAD::AD<Code>;
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using Model = pinocchio::ModelTpl<Scalar>;
using Data = pinocchio::DataTpl<Scalar>;

/// The body of the function of some inputs that the tape recorded, in C.
std::string generated(CppAD::ADFun<Code> & tape)
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
  return text.str();
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

/// Records `algorithm(model, data, q, v, last)`, a function that returns its result, and prints
/// the counts of its code.
template <typename Algorithm>
void count(const char * name, const Model & model, Algorithm && algorithm)
{
  Data data(model);
  Vector x = Vector::Constant(model.nq + 2 * model.nv, Scalar(0.5));
  CppAD::Independent(x);
  const Vector q = x.head(model.nq);
  const Vector v = x.segment(model.nq, model.nv);
  const Vector last = x.tail(model.nv);
  const Vector result = algorithm(data, q, v, last);
  CppAD::ADFun<Code> tape;
  tape.Dependent(x, result);
  const std::string text = generated(tape);
  std::printf(
    "%s %ld %ld\n", name, occurrences(text, " * ") + occurrences(text, " / "),
    occurrences(text, " + ") + occurrences(text, " - "));
  std::fflush(stdout);
}

/// The upper triangle, which is all of the symmetric matrix that Pinocchio computes.
Vector upper_triangle(const Data::MatrixXs & matrix)
{
  Vector entries(matrix.rows() * (matrix.rows() + 1) / 2);
  Eigen::Index next = 0;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
  {
    for (Eigen::Index column = row; column < matrix.cols(); ++column)
    {
      entries(next++) = matrix(row, column);
    }
  }
  return entries;
}

}  // namespace

int main(int argc, char ** argv)
{
  using pinocchio::Convention;
  if (argc != 2)
  {
    std::fputs("usage: codegen_counts <model>\n", stderr);
    return 2;
  }
  const Model model = bench::load(argv[1]).cast<Scalar>();
  count(
    "inverse_dynamics", model, [&](Data & data, const auto & q, const auto & v, const auto & a)
    { return Vector(pinocchio::rnea(model, data, q, v, a)); });
  for (const auto convention : {Convention::LOCAL, Convention::WORLD})
  {
    count(
      "inertia_matrix", model,
      [&](Data & data, const auto & q, const auto &, const auto &)
      {
        pinocchio::crba(model, data, q, convention);
        return upper_triangle(data.M);
      });
    count(
      "forward_dynamics", model, [&](Data & data, const auto & q, const auto & v, const auto & t)
      { return Vector(pinocchio::aba(model, data, q, v, t, convention)); });
  }
  return 0;
}
