// Calls functions of a program file: `interpreter FILE FUNCTION,... [ARGUMENT,...]`.
//
// Lines of the input are "NAME NUMBER ...", "contacts NAME ..." or "parameter NAME NUMBER"; each
// result is a line. Numbers are hexadecimal. A second call allocates nothing.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "robcogen_ros/interpreter/solver.hpp"

namespace
{

int allocations = 0;

std::vector<std::string> divided(const char * text, char divider)
{
  std::vector<std::string> found;
  std::istringstream stream(text);
  for (std::string each; std::getline(stream, each, divider);)
  {
    found.push_back(each);
  }
  return found;
}

void read(robcogen_ros::interpreter::Solver & solver, const std::string & line)
{
  const std::vector<std::string> words = divided(line.c_str(), ' ');
  if (words[0] == "contacts")
  {
    solver.set_contacts(std::vector<std::string_view>(words.begin() + 1, words.end()));
  }
  else if (words[0] == "parameter")
  {
    solver.set_parameter(words[1], std::strtod(words[2].c_str(), nullptr));
  }
  else
  {
    const auto into = solver.input(words[0]);
    for (std::size_t i = 0; i < into.size(); ++i)
    {
      into[i] = std::strtod(words.at(i + 1).c_str(), nullptr);
    }
  }
}

void call(int count, char ** words)
{
  using namespace robcogen_ros::interpreter;
  const Builder builder(Specification::read(words[1]));
  const std::vector<std::string> functions = divided(words[2], ',');
  const std::vector<std::string> given = divided(count > 3 ? words[3] : "", ',');
  const Solver first =
    builder.create({functions.begin(), functions.end()}, {given.begin(), given.end()});
  Solver solver = first;
  for (std::string line; std::getline(std::cin, line);)
  {
    read(solver, line);
  }
  const int before = allocations;
  solver.evaluate();
  if (allocations != before)
  {
    throw std::logic_error("a call allocates");
  }
  for (const std::string & function : functions)
  {
    for (const Result & each : builder.specification().function(function).usual.results)
    {
      std::printf("%s", each.argument.name.c_str());
      for (const double x : solver.result(function + "." + each.argument.name))
      {
        std::printf(" %a", x);
      }
      std::printf("\n");
    }
  }
}

}  // namespace

void * operator new(std::size_t size)
{
  ++allocations;
  if (void * const found = std::malloc(size))
  {
    return found;
  }
  throw std::bad_alloc();
}

void operator delete(void * memory) noexcept
{
  std::free(memory);
}
void operator delete(void * memory, std::size_t) noexcept
{
  std::free(memory);
}

int main(int count, char ** words)
{
  try
  {
    call(count, words);
    return 0;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
