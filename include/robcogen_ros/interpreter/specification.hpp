// A robot as a program file has it; `robcogen generate --target program` writes the file.
#ifndef ROBCOGEN_ROS__INTERPRETER__SPECIFICATION_HPP_
#define ROBCOGEN_ROS__INTERPRETER__SPECIFICATION_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "robcogen_ros/interpreter/interpreter.h"
#include "robcogen_ros/interpreter/reader.hpp"

namespace robcogen_ros::interpreter
{

/// An argument, or a result, of functions; of matrices columns come one after the other.
struct Argument
{
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> left_out;  ///< values where it is left out; none where it never is

  std::size_t size() const noexcept { return rows * columns; }
};

/// A contact, and how many rows it has.
struct Contact
{
  std::string name;
  std::size_t rows = 0;
};

/// A parameter of the robot; NaN where the model gives no value.
struct Parameter
{
  std::string name;
  double value = 0.0;
};

/// A result, and the nodes of its entries.
struct Result
{
  Argument argument;
  std::vector<std::uint32_t> nodes;
};

/// A function with, or without, its optional arguments.
struct Form
{
  std::vector<std::size_t> arguments;  ///< their numbers
  std::vector<Result> results;
};

/// A function.
struct Function
{
  std::string name;
  Form usual;    ///< without its optional arguments
  Form general;  ///< with all
};

/// A robot and its functions.
///
/// Solvers are made of it by a `Builder`. It may be shared by threads: nothing changes it.
class Specification
{
public:
  /// Read a program file.
  ///
  /// \throws std::runtime_error "file:line: what is wrong" if it cannot be read or is no right one
  static Specification read(const std::string & path)
  {
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
      throw std::runtime_error(path + ": cannot be opened");
    }
    std::string text(Reader::kind.size(), ' ');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text == Reader::kind)  // else the rest may have no end
    {
      text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (file.bad())
    {
      throw std::runtime_error(path + ": cannot be read");
    }
    return parse(text, path);
  }

  /// Reads the specification from the text of a file; `name` stands for it in what is thrown.
  static Specification parse(std::string_view text, const std::string & name = "<text>")
  {
    Reader reader(text, name);
    Specification found;
    found.head(reader);
    found.graph(reader);
    for (std::size_t left = reader.count("functions"); left > 0; --left)
    {
      found.function(reader);
    }
    reader.end();
    return found;
  }

  const std::string & robot() const noexcept { return robot_; }

  /// The file that the robot was described in.
  const std::string & model() const noexcept { return model_; }

  bool floating_base() const noexcept { return floating_base_; }

  /// Names of joints in the order of q.
  const std::vector<std::string> & joint_names() const noexcept { return joints_; }

  /// Names of links in the order of external forces, the base first.
  const std::vector<std::string> & link_names() const noexcept { return links_; }

  const std::vector<Contact> & contacts() const noexcept { return contacts_; }
  const std::vector<Parameter> & parameters() const noexcept { return parameters_; }
  const std::vector<Argument> & arguments() const noexcept { return arguments_; }
  const std::vector<Function> & functions() const noexcept { return functions_; }
  const std::vector<robcogen_node> & nodes() const noexcept { return nodes_; }
  const std::vector<double> & constants() const noexcept { return constants_; }

  /// A function by its name.
  ///
  /// \throws std::invalid_argument if there is none
  const Function & function(std::string_view name) const
  {
    for (const Function & each : functions_)
    {
      if (each.name == name)
      {
        return each;
      }
    }
    throw std::invalid_argument(
      "robot '" + robot_ + "' has no function '" + std::string(name) +
      "' in its program; name it with --function where that is generated");
  }

private:
  void head(Reader & reader)
  {
    reader.verify();
    robot_ = reader.named("robot");
    model_ = reader.named("model");
    const std::string base = reader.named("base");
    floating_base_ = base == "floating";
    if (!floating_base_ && base != "fixed")
    {
      reader.fail("expected 'fixed' or 'floating', found '" + base + "'");
    }
    names(reader, "joints", joints_);
    names(reader, "links", links_);
    for (std::size_t left = reader.count("contacts"); left > 0; --left)
    {
      Contact contact;
      contact.rows = reader.number();
      contact.name = reader.rest();
      contacts_.push_back(std::move(contact));
    }
    for (std::size_t left = reader.count("parameters"); left > 0; --left)
    {
      Parameter parameter;
      parameter.value = reader.optional_bits();
      parameter.name = reader.rest();
      parameters_.push_back(std::move(parameter));
    }
  }

  static void names(Reader & reader, const char * title, std::vector<std::string> & found)
  {
    for (std::size_t left = reader.count(title); left > 0; --left)
    {
      found.push_back(reader.rest());
    }
  }

  void graph(Reader & reader)
  {
    for (std::size_t left = reader.count("arguments"); left > 0; --left)
    {
      arguments_.push_back(argument(reader));
    }
    const auto is_parameters = [](const Argument & each) { return each.name == "parameters"; };
    if (!parameters_.empty() && std::none_of(arguments_.begin(), arguments_.end(), is_parameters))
    {
      reader.fail("expected an argument 'parameters'");
    }
    for (std::size_t left = reader.count("constants"); left > 0; --left)
    {
      constants_.push_back(reader.bits());
      reader.end_line();
    }
    for (std::size_t left = reader.count("nodes"); left > 0; --left)
    {
      nodes_.push_back(node(reader));
    }
  }

  Argument argument(Reader & reader) const
  {
    Argument found;
    std::tie(found.rows, found.columns) = reader.shape();
    const std::string_view values = reader.word();
    if (values == "zeros")
    {
      found.left_out.assign(found.size(), 0.0);
    }
    else if (values != "-")
    {
      found.left_out = reader.list_of_bits(values);
      if (found.left_out.size() != found.size())
      {
        reader.fail("expected a value for each of its entries");
      }
    }
    found.name = reader.rest();
    check_size(reader, found);
    return found;
  }

  /// Checks that what is set by name has a place in the argument of all.
  void check_size(const Reader & reader, const Argument & argument) const
  {
    std::size_t rows = 0;
    for (const Contact & each : contacts_)
    {
      rows += each.rows;
    }
    if (argument.name == "contact" && argument.size() != rows)
    {
      reader.fail("expected an entry for each row of the contacts");
    }
    if (argument.name == "parameters" && argument.size() != parameters_.size())
    {
      reader.fail("expected an entry for each parameter");
    }
  }

  robcogen_node node(Reader & reader) const
  {
    static constexpr std::pair<std::string_view, int> operations[] = {
      {"input", 2},  {"constant", 1}, {"add", 2}, {"subtract", 2}, {"multiply", 2}, {"divide", 2},
      {"negate", 1}, {"sin", 1},      {"cos", 1}, {"sqrt", 1},     {"atan2", 2},    {"select", 3}};
    const std::string_view name = reader.word();
    std::uint32_t operation = 0;
    while (operation < std::size(operations) && operations[operation].first != name)
    {
      ++operation;
    }
    if (operation == std::size(operations))
    {
      reader.fail("unknown operation '" + std::string(name) + "'");
    }
    robcogen_node node{operation, {0, 0, 0}};
    const bool leaf = operation <= ROBCOGEN_CONSTANT;
    for (int i = 0; i < operations[operation].second; ++i)
    {
      node.operands[i] = reader.below(leaf ? UINT32_MAX : nodes_.size());
    }
    if (operation == ROBCOGEN_INPUT)
    {
      const std::uint32_t of = node.operands[0];
      reader.expect(of < arguments_.size() && node.operands[1] < arguments_[of].size(), "input");
    }
    reader.expect(
      operation != ROBCOGEN_CONSTANT || node.operands[0] < constants_.size(), "constant");
    reader.end_line();
    return node;
  }

  void function(Reader & reader)
  {
    reader.keyword("function");
    const std::size_t forms = reader.number();
    reader.expect(forms == 1 || forms == 2, "count of forms");
    Function found;
    found.name = reader.rest();
    found.usual = form(reader);
    found.general = forms == 2 ? form(reader) : found.usual;
    functions_.push_back(std::move(found));
  }

  Form form(Reader & reader) const
  {
    reader.keyword("form");
    Form found;
    const std::size_t results = reader.number();
    for (std::size_t left = reader.number(); left > 0; --left)
    {
      found.arguments.push_back(reader.below(arguments_.size()));
    }
    reader.end_line();
    for (std::size_t i = 0; i < results; ++i)
    {
      reader.keyword("result");
      Result result;
      std::tie(result.argument.rows, result.argument.columns) = reader.shape();
      result.argument.name = reader.rest();
      for (std::size_t left = result.argument.size(); left > 0; --left)
      {
        result.nodes.push_back(reader.below(nodes_.size()));
      }
      reader.end_line();
      found.results.push_back(std::move(result));
    }
    return found;
  }

  std::string robot_;
  std::string model_;
  bool floating_base_ = false;
  std::vector<std::string> joints_;
  std::vector<std::string> links_;
  std::vector<Contact> contacts_;
  std::vector<Parameter> parameters_;
  std::vector<Argument> arguments_;
  std::vector<double> constants_;
  std::vector<robcogen_node> nodes_;
  std::vector<Function> functions_;
};

}  // namespace robcogen_ros::interpreter

#endif  // ROBCOGEN_ROS__INTERPRETER__SPECIFICATION_HPP_
