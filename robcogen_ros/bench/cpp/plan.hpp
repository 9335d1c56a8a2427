// What to measure: a file of lines `library robot function states results`.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "robcogen_ros/model.h"
#include "subject.hpp"

namespace bench
{

/// A function with the states to run it on, which it takes in turn.
class Runner
{
public:
  Runner(const Subject & subject, std::vector<double> states)
  : subject_(subject), states_(std::move(states)), count_(states_.size() / subject.width)
  {
  }

  void operator()()
  {
    subject_.call(subject_.self, states_.data() + state_ * subject_.width);
    state_ = state_ + 1 == count_ ? 0 : state_ + 1;
  }

  /// Calls it for each state and writes the results to a file.
  void write_results(const std::string & path)
  {
    std::ofstream file(path, std::ios::binary);
    for (state_ = 0; state_ < count_; ++state_)
    {
      subject_.call(subject_.self, states_.data() + state_ * subject_.width);
      file.write(
        reinterpret_cast<const char *>(subject_.result),
        static_cast<std::streamsize>(subject_.size * sizeof(double)));
    }
    state_ = 0;
  }

private:
  Subject subject_;
  std::vector<double> states_;
  std::size_t count_;
  std::size_t state_ = 0;
};

[[noreturn]] inline void fail(const std::string & why)
{
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

/// A symbol of a library, null where it has none.
template <typename Function>
Function * symbol(void * library, const std::string & name)
{
  void * address = dlsym(library, name.c_str());
  Function * function = nullptr;
  std::memcpy(&function, &address, sizeof function);
  return function;
}

/// A function of a generated library, called through its C interface.
struct Generated
{
  const robcogen_function * function;
  std::vector<const double *> inputs;
  std::vector<double *> outputs;
  std::vector<double> result;

  static std::size_t size(const robcogen_argument & a) { return a.rows * a.columns; }

  /// Optional inputs are left out of a state.
  static void call(void * self, const double * state)
  {
    auto & it = *static_cast<Generated *>(self);
    for (std::size_t i = 0; i < it.inputs.size(); ++i)
    {
      const robcogen_argument & input = it.function->inputs[i];
      it.inputs[i] = input.optional != 0 ? nullptr : state;
      state += input.optional != 0 ? 0 : size(input);
    }
    it.function->call(nullptr, it.inputs.data(), it.outputs.data());
  }

  static Subject of(const robcogen_function & function)
  {
    auto * it = new Generated{&function, {}, {}, {}};  // it lives as long as the program
    std::size_t width = 0;
    std::size_t length = 0;
    it->inputs.resize(function.input_count);
    for (std::size_t i = 0; i < function.input_count; ++i)
    {
      width += function.inputs[i].optional != 0 ? 0 : size(function.inputs[i]);
    }
    for (std::size_t i = 0; i < function.output_count; ++i)
    {
      length += size(function.outputs[i]);
    }
    it->result.resize(length);
    for (std::size_t i = 0, at = 0; i < function.output_count; at += size(function.outputs[i++]))
    {
      it->outputs.push_back(it->result.data() + at);
    }
    return {call, it, width, it->result.data(), length};
  }
};

/// A function of a library: of a side, or of a generated one, where `robot` is its symbol.
inline Subject open(const std::string & path, const std::string & robot, const std::string & name)
{
  void * library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
  {
    fail(dlerror());
  }
  Subject subject{};
  if (Open * side = symbol<Open>(library, open_name))
  {
    if (!side(robot.c_str(), name.c_str(), &subject))
    {
      fail(path + " has no " + name);
    }
    return subject;
  }
  const auto * model = symbol<const robcogen_model *()>(library, robot)();
  for (std::size_t i = 0; i < model->function_count; ++i)
  {
    if (name == model->functions[i].name)
    {
      return Generated::of(model->functions[i]);
    }
  }
  fail(path + " has no " + name);
}

/// The numbers in a file.
inline std::vector<double> numbers(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  std::vector<double> values;
  for (double value = 0.0; file.read(reinterpret_cast<char *>(&value), sizeof value);)
  {
    values.push_back(value);
  }
  return values;
}

/// What a plan names, its results written.
inline std::vector<Runner> read_plan(const char * path)
{
  std::ifstream file(path);
  std::vector<Runner> runners;
  for (std::string library, robot, function, states, results;
       file >> library >> robot >> function >> states >> results;)
  {
    runners.emplace_back(open(library, robot, function), numbers(states));
    runners.back().write_results(results);
  }
  return runners;
}

}  // namespace bench
