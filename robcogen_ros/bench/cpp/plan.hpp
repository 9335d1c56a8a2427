// What to measure: a file of lines `library robot function states results`.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "subject.hpp"

namespace bench
{

/// Numbers that are together in a cache.
struct alignas(64) Line
{
  double numbers[8];
};

/// The numbers in a file; the first begins a line of a cache.
class Numbers
{
public:
  explicit Numbers(const std::string & path)
  {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff bytes = file.tellg();
    size_ = static_cast<std::size_t>(bytes) / sizeof(double);
    lines_.resize(size_ / 8 + 1);
    file.seekg(0).read(reinterpret_cast<char *>(lines_.data()), bytes);
  }

  std::size_t size() const { return size_; }

  const double * data() const { return lines_.data()->numbers; }

private:
  std::vector<Line> lines_;
  std::size_t size_;
};

/// A function with the states to run it on, which it takes in turn.
class Runner
{
public:
  Runner(const Subject & subject, Numbers states)
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
  Numbers states_;
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

/// A function of a robot, as a library gives it.
inline Subject open(const std::string & path, const std::string & robot, const std::string & name)
{
  void * library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
  {
    fail(dlerror());
  }
  Subject subject{};
  if (
    Open * side = symbol<Open>(library, open_name);
    side == nullptr || !side(robot.c_str(), name.c_str(), &subject))
  {
    fail("it has no " + name + " of this robot");
  }
  return subject;
}

/// What a plan names, its results written.
inline std::vector<Runner> read_plan(const char * path)
{
  std::ifstream file(path);
  std::vector<Runner> runners;
  for (std::string library, robot, function, states, results;
       file >> library >> robot >> function >> states >> results;)
  {
    runners.emplace_back(open(library, robot, function), Numbers(states));
    runners.back().write_results(results);
  }
  return runners;
}

}  // namespace bench
