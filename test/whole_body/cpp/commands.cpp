// Opens the libraries of a robot and of objects, and computes commands for the inputs that it reads as numbers, one
// after another. Writes of each its faults and the calls of the allocator.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

#include "robcogen_ros/core/core.h"
#include "robcogen_ros/realtime/allocations.hpp"

using robcogen_ros::realtime::allocations;

int main(int, char ** arguments)
{
  void * library = dlopen(arguments[1], RTLD_NOW);
  void * core = dlopen(arguments[3], RTLD_NOW);
  const auto robot = reinterpret_cast<const robcogen_model * (*)()>(dlsym(library, arguments[2]));
  const robcogen_model * model = robot();
  const auto whole_body =
    reinterpret_cast<decltype(&robcogen_core_whole_body)>(dlsym(core, "robcogen_core_whole_body"));
  const auto size =
    reinterpret_cast<decltype(&robcogen_core_size)>(dlsym(core, "robcogen_core_size"));
  const robcogen_object & type = *whole_body(model);
  const std::vector<const double *> settings(type.setting_count);
  void * controller = type.create(model, settings.data());
  const robcogen_method & compute = type.methods[0];
  const auto count = [model, size](const robcogen_argument & a)
  { return size(model, a.rows) * (a.columns != 0 ? size(model, a.columns) : 1); };
  std::vector<double> numbers, answers;
  std::vector<const double *> inputs;
  std::vector<double *> outputs;
  for (std::size_t i = 0; i < compute.input_count; ++i)
  {
    numbers.resize(numbers.size() + count(compute.inputs[i]));
  }
  for (std::size_t i = 0, place = 0; i < compute.input_count; place += count(compute.inputs[i++]))
  {
    inputs.push_back(numbers.data() + place);
  }
  for (std::size_t i = 0; i < compute.output_count; ++i)
  {
    answers.resize(answers.size() + count(compute.outputs[i]));
  }
  for (std::size_t i = 0, place = 0; i < compute.output_count; place += count(compute.outputs[i++]))
  {
    outputs.push_back(answers.data() + place);
  }
  while (std::fread(numbers.data(), sizeof(double), numbers.size(), stdin) == numbers.size())
  {
    allocations.calls = 0;
    allocations.counting = true;
    compute.call(controller, inputs.data(), outputs.data());
    allocations.counting = false;
    const double told[] = {*outputs[3], static_cast<double>(allocations.calls)};
    std::fwrite(told, sizeof(double), 2, stdout);
  }
  type.destroy(controller);
  return 0;
}
