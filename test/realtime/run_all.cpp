// Calls every function of a generated library with an allocator that aborts, from several threads
// at once: run_all <library> <symbol>. Exit 0 if all results are finite and the same in each
// thread; prints the number of functions called.
#include <dlfcn.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "robcogen_ros/model.h"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

thread_local bool forbidden = false;

void check() {
  if (forbidden) {
    forbidden = false;
    std::fputs("a generated function allocates or frees memory\n", stderr);
    std::abort();
  }
}

}  // namespace

// The program's own allocator stands in front of the C library's for every library it loads.
extern "C" {
void* malloc(size_t size) {
  check();
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  check();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  check();
  return __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  check();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  check();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  check();
  *memory = __libc_memalign(alignment, size);
  return 0;
}
void free(void* memory) {
  check();
  __libc_free(memory);
}
}

namespace {

constexpr std::size_t kStates = 3;

using Values = std::vector<std::vector<double>>;

/// Room for an argument list, filled with numbers between 0.1 and 0.9.
Values values_of(const robcogen_argument* arguments, std::size_t count) {
  Values values;
  unsigned state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> entries(kStates * arguments[i].rows * arguments[i].columns);
    for (double& entry : entries) {
      state = state * 1664525U + 1013904223U;
      entry = 0.1 + 0.8 * static_cast<double>(state >> 8) / static_cast<double>(1U << 24);
    }
    values.push_back(entries);
  }
  return values;
}

bool finite(const Values& values, std::size_t states) {
  for (const auto& entries : values) {
    for (std::size_t i = 0; i < entries.size() * states / kStates; ++i) {
      if (!std::isfinite(entries[i])) {
        return false;
      }
    }
  }
  return true;
}

/// Calls a function once and for several states, and gives the results of both.
Values call(const robcogen_function& function, const double* constants, bool with_optional) {
  const Values inputs = values_of(function.inputs, function.input_count);
  Values once = values_of(function.outputs, function.output_count);
  Values many = once;
  std::vector<const double*> in;
  std::vector<double*> out;
  std::vector<double*> out_many;
  for (std::size_t i = 0; i < function.input_count; ++i) {
    const bool leave_out = function.inputs[i].optional != 0 && !with_optional;
    in.push_back(leave_out ? nullptr : inputs[i].data());
  }
  for (std::size_t i = 0; i < function.output_count; ++i) {
    out.push_back(once[i].data());
    out_many.push_back(many[i].data());
  }
  forbidden = true;
  function.call(constants, in.data(), out.data());
  function.call_many(kStates, constants, in.data(), out_many.data());
  forbidden = false;
  if (!finite(once, 1) || !finite(many, kStates)) {
    std::fprintf(stderr, "%s: a result is not finite\n", function.name);
    std::exit(1);
  }
  once.insert(once.end(), many.begin(), many.end());
  return once;
}

Values call_all(const robcogen_model& model) {
  // Parameters without a default get some value.
  std::vector<double> parameters(model.parameter_defaults,
                                 model.parameter_defaults + model.parameter_count);
  for (double& parameter : parameters) {
    parameter = std::isnan(parameter) ? 0.5 : parameter;
  }
  std::vector<double> constants(model.constant_count + 1);
  forbidden = true;
  model.update_parameters(parameters.data(), constants.data());
  forbidden = false;
  Values results;
  for (std::size_t i = 0; i < model.function_count; ++i) {
    for (const bool with_optional : {false, true}) {
      const Values found = call(model.functions[i], constants.data(), with_optional);
      results.insert(results.end(), found.begin(), found.end());
    }
  }
  return results;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : dlsym(library, argv[2]);
  if (symbol == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const robcogen_model* (*get)() = nullptr;
  std::memcpy(&get, &symbol, sizeof get);
  const robcogen_model& model = *get();

  const Values expected = call_all(model);
  std::atomic<int> differing{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        differing += call_all(model) != expected;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::printf("%zu\n", model.function_count);
  return differing == 0 ? 0 : 1;
}
