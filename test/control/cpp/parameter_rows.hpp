// The rows of a table of parameters, as a page shows them.
#include <array>
#include <sstream>
#include <string>

#include "robcogen_ros/control/parameters.hpp"

template <typename Table>
std::string rows_of(const Table & table)
{
  static const std::array changes{"any time", "while inactive", "before configuring"};
  std::ostringstream rows;
  for (const auto & entry : table)
  {
    std::string choices(entry.choices);
    for (std::size_t at = 0; (at = choices.find(' ', at)) != std::string::npos; at += 2)
    {
      choices.replace(at, 1, ", ");
    }
    rows << "| `" << entry.name << "` | `" << entry.fallback << "` | " << entry.meaning
         << (choices.empty() ? "" : " Choices: " + choices + ".") << " | "
         << changes[static_cast<std::size_t>(entry.change)] << " |\n";
  }
  return rows.str();
}
