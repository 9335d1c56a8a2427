// Solvers of a robot, made at run time of its program file: nothing is generated or compiled.
#ifndef ROBCOGEN_ROS__INTERPRETER__SOLVER_HPP_
#define ROBCOGEN_ROS__INTERPRETER__SOLVER_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "robcogen_ros/interpreter/interpreter.h"
#include "robcogen_ros/interpreter/specification.hpp"

namespace robcogen_ros::interpreter
{

/// Numbers of an argument or of a result, columns one after the other.
template <typename Number>
struct Numbers
{
  Number * data;
  std::size_t rows;
  std::size_t columns;

  std::size_t size() const noexcept { return rows * columns; }
  Number * begin() const noexcept { return data; }
  Number * end() const noexcept { return data + size(); }
  Number & operator[](std::size_t i) const noexcept { return data[i]; }
  Number & operator()(std::size_t row, std::size_t column) const noexcept
  {
    return data[row + column * rows];
  }
};

/// Computes one or several functions of a robot, what these have in common once.
///
/// A `Builder` makes it. Only making and copying allocate. A copy has arguments and results of its
/// own and shares the code: give each thread a copy.
class Solver
{
public:
  Solver(const Solver & other)
  : code_(other.code_),
    arguments_(other.arguments_),
    results_(other.results_),
    contacts_(other.contacts_),
    parameters_(other.parameters_),
    numbers_(other.numbers_),
    workspace_(other.workspace_)
  {
    connect();
  }
  Solver & operator=(const Solver & other) { return *this = Solver(other); }
  Solver(Solver &&) = default;
  Solver & operator=(Solver &&) = default;
  ~Solver() = default;

  /// An argument, to be written to before `evaluate()`; it stays what it is until then.
  ///
  /// Arguments are 0 at first, those that may be left out what they are then.
  ///
  /// \throws std::invalid_argument if the functions have no such argument
  Numbers<double> input(std::string_view name)
  {
    for (Slot & each : arguments_)
    {
      if (each.argument.name == name && each.taken)
      {
        return {numbers_.data() + each.first, each.argument.rows, each.argument.columns};
      }
    }
    refuse("argument", name, arguments_);
  }

  /// A result of the last `evaluate()`.
  ///
  /// \param name name of the result, where several functions have one of it
  ///   "<function>.<result>"
  /// \throws std::invalid_argument if there is none, or more than one
  Numbers<const double> result(std::string_view name) const
  {
    const Slot * found = nullptr;
    for (const Slot & each : results_)
    {
      if (each.argument.name == name || each.argument.name.substr(each.prefix) == name)
      {
        found = found == nullptr ? &each : nullptr;
        if (found == nullptr || each.argument.name == name)
        {
          break;
        }
      }
    }
    if (found == nullptr)
    {
      refuse("single result", name, results_);
    }
    return {numbers_.data() + found->first, found->argument.rows, found->argument.columns};
  }

  /// Close contacts by their names, and open all others: argument `contact`.
  ///
  /// \param closed names in any sequence, such as {"LF_foot", "RH_foot"}
  /// \throws std::invalid_argument if one is unknown, or no function takes contacts
  template <typename Names = std::initializer_list<std::string_view>>
  void set_contacts(const Names & closed)
  {
    for (const std::string_view name : closed)
    {
      const auto is_named = [name](const Contact & each) { return each.name == name; };
      if (std::none_of(contacts_.begin(), contacts_.end(), is_named))
      {
        throw std::invalid_argument("unknown contact '" + std::string(name) + "'");
      }
    }
    double * rows = input("contact").begin();
    for (const Contact & each : contacts_)
    {
      const bool is_closed = std::find(closed.begin(), closed.end(), each.name) != closed.end();
      rows = std::fill_n(rows, each.rows, is_closed ? 1.0 : 0.0);
    }
  }

  /// \throws std::invalid_argument if there is no such parameter
  void set_parameter(std::string_view name, double value)
  {
    const auto found = std::find(parameters_.begin(), parameters_.end(), name);
    if (found == parameters_.end())
    {
      throw std::invalid_argument("unknown parameter '" + std::string(name) + "'");
    }
    input("parameters")[static_cast<std::size_t>(found - parameters_.begin())] = value;
  }

  /// Compute all results. Allocates nothing, and always does the same operations.
  void evaluate() noexcept
  {
    robcogen_interpreter_run(code_.get(), workspace_.data(), given_.data(), found_.data());
  }

private:
  friend class Builder;

  struct Slot
  {
    Argument argument;
    std::size_t first;   ///< where its numbers begin
    std::size_t prefix;  ///< length of "<function>." before the name of a result
    bool taken;
  };

  Solver() = default;

  void connect()
  {
    given_.clear();
    found_.clear();
    for (const Slot & each : arguments_)
    {
      given_.push_back(numbers_.data() + each.first);
    }
    for (const Slot & each : results_)
    {
      found_.push_back(numbers_.data() + each.first);
    }
  }

  [[noreturn]] static void refuse(
    const char * what, std::string_view name, const std::vector<Slot> & slots)
  {
    std::string listed;
    for (const Slot & each : slots)
    {
      listed += each.taken ? (listed.empty() ? "" : ", ") + each.argument.name : "";
    }
    throw std::invalid_argument(
      "there is no " + std::string(what) + " '" + std::string(name) + "'; there are " + listed);
  }

  std::shared_ptr<const robcogen_code> code_;
  std::vector<Slot> arguments_;
  std::vector<Slot> results_;
  std::vector<Contact> contacts_;
  std::vector<std::string> parameters_;
  std::vector<double> numbers_;
  std::vector<double> workspace_;
  std::vector<const double *> given_;
  std::vector<double *> found_;
};

/// Makes solvers of a robot.
class Builder
{
public:
  explicit Builder(Specification specification) : specification_(std::move(specification)) {}

  const Specification & specification() const noexcept { return specification_; }

  /// A solver of one function.
  ///
  /// \param function its name
  /// \param given names of the optional arguments that it takes
  /// \throws std::invalid_argument if a name is unknown
  /// \throws std::runtime_error if the interpreter cannot have it
  Solver create(std::string_view function, const std::vector<std::string_view> & given = {}) const
  {
    return create(std::vector<std::string_view>{function}, given);
  }

  /// A solver of one or several functions in braces, such as {"inverse_dynamics"}.
  Solver create(
    std::initializer_list<std::string_view> functions,
    const std::vector<std::string_view> & given = {}) const
  {
    return create(std::vector<std::string_view>(functions), given);
  }

  /// A solver of several functions of the same arguments.
  Solver create(
    const std::vector<std::string_view> & functions,
    const std::vector<std::string_view> & given = {}) const
  {
    std::vector<std::pair<const Function *, const Form *>> forms;
    for (const std::string_view name : functions)
    {
      const Function & function = specification_.function(name);
      const bool general = std::any_of(
        given.begin(), given.end(), [&](std::string_view each)
        { return takes(function.general, each) && !takes(function.usual, each); });
      forms.emplace_back(&function, general ? &function.general : &function.usual);
    }
    refuse_unknown(forms, given);
    return made(forms);
  }

private:
  using Forms = std::vector<std::pair<const Function *, const Form *>>;

  bool takes(const Form & form, std::string_view name) const
  {
    return std::any_of(
      form.arguments.begin(), form.arguments.end(),
      [&](std::size_t each) { return specification_.arguments()[each].name == name; });
  }

  void refuse_unknown(const Forms & forms, const std::vector<std::string_view> & given) const
  {
    for (const std::string_view name : given)
    {
      if (
        std::none_of(
          forms.begin(), forms.end(), [&](const auto & each) { return takes(*each.second, name); }))
      {
        throw std::invalid_argument("no function takes argument '" + std::string(name) + "'");
      }
    }
  }

  /// Refuses functions of which an argument of one name has several sizes.
  static void refuse_another_size(const Solver & solver, const Argument & argument, bool taken)
  {
    const auto & others = solver.arguments_;
    if (
      taken && std::any_of(
                 others.begin(), others.end(), [&](const auto & each)
                 { return each.taken && each.argument.name == argument.name; }))
    {
      throw std::invalid_argument(
        "argument '" + argument.name +
        "' of these functions has several sizes: create a solver for each of them");
    }
  }

  Solver made(const Forms & forms) const
  {
    Solver solver;
    std::vector<std::uint32_t> argument_sizes;
    std::vector<std::uint32_t> result_sizes;
    std::vector<robcogen_entry> entries;
    std::vector<bool> used(specification_.arguments().size());
    for (const auto & each : forms)
    {
      for (const std::size_t argument : each.second->arguments)
      {
        used[argument] = true;
      }
    }
    for (std::size_t i = 0; i < used.size(); ++i)
    {
      const Argument & each = specification_.arguments()[i];
      argument_sizes.push_back(static_cast<std::uint32_t>(each.size()));
      const bool taken = used[i] || each.name == "parameters";
      refuse_another_size(solver, each, taken);
      solver.arguments_.push_back({each, solver.numbers_.size(), 0, taken});
      append(solver.numbers_, each);
    }
    for (const auto & [function, form] : forms)
    {
      for (const Result & each : form->results)
      {
        const auto number = static_cast<std::uint32_t>(result_sizes.size());
        for (std::uint32_t place = 0; place < each.nodes.size(); ++place)
        {
          entries.push_back({number, place, each.nodes[place]});
        }
        result_sizes.push_back(static_cast<std::uint32_t>(each.nodes.size()));
        Argument named = each.argument;
        named.name = function->name + "." + named.name;
        const std::size_t prefix = function->name.size() + 1;
        solver.results_.push_back({named, solver.numbers_.size(), prefix, true});
        append(solver.numbers_, named);
      }
    }
    solver.code_ = code(argument_sizes, result_sizes, entries);
    finish(solver);
    return solver;
  }

  static void append(std::vector<double> & numbers, const Argument & argument)
  {
    numbers.resize(numbers.size() + argument.size(), 0.0);
    std::copy(
      argument.left_out.begin(), argument.left_out.end(), numbers.end() - argument.left_out.size());
  }

  std::shared_ptr<const robcogen_code> code(
    const std::vector<std::uint32_t> & argument_sizes,
    const std::vector<std::uint32_t> & result_sizes,
    const std::vector<robcogen_entry> & entries) const
  {
    const robcogen_graph graph{
      specification_.nodes().data(),
      specification_.nodes().size(),
      specification_.constants().data(),
      specification_.constants().size(),
      argument_sizes.data(),
      argument_sizes.size(),
      result_sizes.data(),
      result_sizes.size(),
      entries.data(),
      entries.size()};
    const char * reason = nullptr;
    robcogen_code * const made = robcogen_interpreter_make(&graph, &reason);
    if (made == nullptr)
    {
      throw std::runtime_error("the interpreter cannot have it: " + std::string(reason));
    }
    return {made, robcogen_interpreter_free};
  }

  void finish(Solver & solver) const
  {
    solver.contacts_ = specification_.contacts();
    for (const Parameter & each : specification_.parameters())
    {
      solver.parameters_.push_back(each.name);
      solver.set_parameter(each.name, each.value);
    }
    solver.workspace_.resize(robcogen_interpreter_workspace(solver.code_.get(), 0));
    robcogen_interpreter_begin(solver.code_.get(), 0, solver.workspace_.data());
    solver.connect();
  }

  Specification specification_;
};

}  // namespace robcogen_ros::interpreter

#endif  // ROBCOGEN_ROS__INTERPRETER__SOLVER_HPP_
