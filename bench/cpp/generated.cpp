// Measures a function of a generated library through its C interface:
// generated <library> <symbol> <function> <states> <results> <calls> <repeats>.
// A state is the inputs one after the other, those that may be left out left out.
#include <dlfcn.h>

#include <cstring>

#include "harness.hpp"
#include "robcogen_ros/model.h"

namespace {

const robcogen_function* find(const char* library, const char* symbol, const char* name) {
  void* handle = dlopen(library, RTLD_NOW);
  void* address = handle == nullptr ? nullptr : dlsym(handle, symbol);
  if (address == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  const robcogen_model* (*get)() = nullptr;
  std::memcpy(&get, &address, sizeof get);
  const robcogen_model* model = get();
  for (std::size_t i = 0; i < model->function_count; ++i) {
    if (std::strcmp(model->functions[i].name, name) == 0) {
      return &model->functions[i];
    }
  }
  std::fprintf(stderr, "no function %s\n", name);
  std::exit(1);
}

std::size_t size(const robcogen_argument& argument) { return argument.rows * argument.columns; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    return 2;
  }
  const robcogen_function& function = *find(argv[1], argv[2], argv[3]);
  std::vector<std::size_t> offsets;
  std::size_t width = 0;
  for (std::size_t i = 0; i < function.input_count; ++i) {
    offsets.push_back(width);
    width += function.inputs[i].optional != 0 ? 0 : size(function.inputs[i]);
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < function.output_count; ++i) {
    length += size(function.outputs[i]);
  }
  std::vector<double> result(length);
  std::vector<double*> outputs;
  for (std::size_t i = 0, start = 0; i < function.output_count; ++i) {
    outputs.push_back(result.data() + start);
    start += size(function.outputs[i]);
  }
  std::vector<const double*> inputs(function.input_count, nullptr);
  bench::measure(
      [&](const double* state) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          inputs[i] = function.inputs[i].optional != 0 ? nullptr : state + offsets[i];
        }
        function.call(nullptr, inputs.data(), outputs.data());
      },
      [&] { return result; }, bench::read_table(argv[4], width), argv[5], std::atol(argv[6]),
      std::atoi(argv[7]));
  return 0;
}
