// Opens the library of a robot and computes commands for the inputs that it reads as numbers, one
// after another. Writes of each its faults and the calls of the allocator.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

#include "robcogen_ros/model.h"
#include "robcogen_ros/realtime/allocations.hpp"

using robcogen_ros::realtime::allocations;

int main(int, char ** arguments)
{
  void * library = dlopen(arguments[1], RTLD_NOW);
  const auto table = reinterpret_cast<const robcogen_object * (*)()>(dlsym(library, arguments[2]));
  const robcogen_object & type = *table();
  const std::vector<const double *> settings(type.setting_count);
  void * controller = type.create(settings.data());
  const robcogen_method & compute = type.methods[0];
  const auto count = [](const robcogen_argument & a)
  { return a.rows * (a.columns != 0 ? a.columns : 1); };
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
