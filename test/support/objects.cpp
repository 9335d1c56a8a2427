// Opens the libraries of a robot and of an object, and calls methods of the object one after
// another, again and again, with inputs that it reads as numbers. Writes of each round the calls of
// the allocator, and what the last returned.
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

#include "robcogen_ros/core/core.h"
#include "robcogen_ros/realtime/allocations.hpp"

using robcogen_ros::realtime::allocations;

struct Arguments
{
  std::vector<std::vector<double>> numbers;
  std::vector<double *> pointers;

  Arguments(
    const robcogen_model * model, decltype(&robcogen_core_size) size, std::size_t count,
    const robcogen_argument * arguments)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      const robcogen_argument & a = arguments[i];
      numbers.emplace_back(
        size(model, a.rows) * (a.columns != 0 ? size(model, a.columns) : 1), 0.0);
      pointers.push_back(numbers.back().data());
    }
  }
};

struct Method
{
  const robcogen_method * own;
  Arguments inputs, outputs;
};

int main(int count, char ** arguments)
{
  void * library = dlopen(arguments[1], RTLD_NOW);
  void * core = dlopen(arguments[3], RTLD_NOW);
  const auto robot = reinterpret_cast<const robcogen_model * (*)()>(dlsym(library, arguments[2]));
  const auto size =
    reinterpret_cast<decltype(&robcogen_core_size)>(dlsym(core, "robcogen_core_size"));
  const auto object = reinterpret_cast<decltype(&robcogen_core_ground)>(
    dlsym(core, (std::string("robcogen_core_") + arguments[4]).c_str()));
  const robcogen_model * model = robot();
  const robcogen_object & type = *object(model);
  std::vector<const double *> settings(type.setting_count);
  const std::vector<double> zeros(1000);
  for (std::size_t i = 0; i < settings.size(); ++i)
  {
    const bool text = type.settings[i].rows == ROBCOGEN_TEXT;
    const double * const needed = text ? reinterpret_cast<double *>(arguments[5]) : zeros.data();
    settings[i] = type.settings[i].optional != 0 ? nullptr : needed;
  }
  void * made = type.create(model, settings.data());
  std::vector<Method> methods;
  for (int k = 6; k < count; ++k)
  {
    for (std::size_t i = 0; i < type.method_count; ++i)
    {
      const robcogen_method & m = type.methods[i];
      if (std::string(m.name) == arguments[k])
      {
        methods.push_back(
          {&m, {model, size, m.input_count, m.inputs}, {model, size, m.output_count, m.outputs}});
      }
    }
  }
  while (true)
  {
    std::int32_t fault = 0;
    for (Method & method : methods)
    {
      for (std::vector<double> & input : method.inputs.numbers)
      {
        if (std::fread(input.data(), sizeof(double), input.size(), stdin) != input.size())
        {
          type.destroy(made);
          return 0;
        }
      }
      allocations.calls = 0;
      allocations.counting = true;
      fault = method.own->call(made, method.inputs.pointers.data(), method.outputs.pointers.data());
      allocations.counting = false;
      const double told[] = {static_cast<double>(allocations.calls), static_cast<double>(fault)};
      std::fwrite(told, sizeof(double), 2, stdout);
    }
    for (const std::vector<double> & output : methods.back().outputs.numbers)
    {
      std::fwrite(output.data(), sizeof(double), output.size(), stdout);
    }
  }
}
