// Tables of numbers in files of comma-separated values.
#ifndef ROBCOGEN_ROS__CONTROL__NUMBER_TABLE_HPP_
#define ROBCOGEN_ROS__CONTROL__NUMBER_TABLE_HPP_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "robcogen_ros/number.hpp"

namespace robcogen_ros::control
{

/// A table of numbers with names of its columns, from a file of comma-separated values. Not for
/// real time.
class NumberTable
{
public:
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  /// \throws std::invalid_argument that tells file and line, and what is wrong there
  explicit NumberTable(const std::string & path) : path_(path)
  {
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.erase(text.find_last_not_of(" \t\r\n,") + 1);  // rows that spreadsheets leave empty
    if (text.empty())
    {
      fail(
        path.rfind('/', 0) == 0 ? "cannot be read, or is empty"
                                : "cannot be read from here, or is empty: give an absolute path");
    }
    if (text.rfind("PK", 0) == 0)
    {
      fail("expected text, found an archive, as .xlsx is: save it as comma-separated values");
    }
    if (text.find('\0') != std::string::npos)
    {
      fail("expected UTF-8, found other characters: UTF-16, as of \"Unicode text\"?");
    }
    if (text.find('\n') == std::string::npos)
    {
      std::replace(text.begin(), text.end(), '\r', '\n');
    }
    std::string_view rest = text;
    rest.remove_prefix(text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0);
    if (rest.rfind("sep=,", 0) == 0)  // as spreadsheets write it
    {
      fields(rest);
    }
    names = fields(rest);
    const auto have = [this](char sign)
    {
      return std::any_of(
        names.begin(), names.end(),
        [sign](const auto & name) { return name.find(sign) != std::string::npos; });
    };
    const bool tabs = have('\t'), semicolons = have(';');
    if (names.size() == 1 || tabs || semicolons)
    {
      const std::string found = tabs ? ", found tabs" : semicolons ? ", found semicolons" : "";
      fail("expected columns that are separated by commas" + found);
    }
    if (names[0].find_first_not_of("+-.0123456789eE") == std::string::npos)
    {
      fail("expected names of columns in the first line, found '" + names[0] + "'");
    }
    for (const std::string & name : names)
    {
      if (std::count(names.begin(), names.end(), name) > 1)
      {
        fail("there are two columns '" + name + "'");
      }
    }
    while (!rest.empty())
    {
      add(fields(rest));
    }
  }

  /// The place of a column.
  std::size_t column(const std::string & name) const
  {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
      fail("there is no column '" + name + "'; robcogen gait -o FILE.csv writes all that it needs");
    }
    return static_cast<std::size_t>(found - names.begin());
  }
  bool has(const std::string & name) const
  {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  [[noreturn]] void fail(const std::string & what, std::size_t row = 0) const
  {
    const std::string line = row > 0 ? ":" + std::to_string(row + 1) : "";
    throw std::invalid_argument("gait_file: " + path_ + line + ": " + what);
  }

private:
  void add(const std::vector<std::string> & words)
  {
    if (words.size() != names.size())
    {
      const auto counts = std::to_string(names.size()) + ", found " + std::to_string(words.size());
      fail("expected as many numbers as columns, " + counts, rows.size() + 1);
    }
    std::vector<double> values;
    for (const std::string & word : words)
    {
      double value = std::nan("");
      try
      {
        value = number(word);
      }
      catch (const std::invalid_argument &)
      {
      }
      if (!std::isfinite(value))
      {
        fail("expected a finite number, found '" + word + "'", rows.size() + 1);
      }
      values.push_back(value);
    }
    rows.push_back(std::move(values));
  }

  /// The fields of a line, which is taken off; they may be quoted, and have blanks about them.
  static std::vector<std::string> fields(std::string_view & text)
  {
    std::vector<std::string> result(1);
    bool quoted = false;
    std::size_t i = 0;
    for (; i < text.size() && (quoted || text[i] != '\n'); ++i)
    {
      const bool twice = quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (twice || (text[i] != '"' && (quoted || (text[i] != ',' && text[i] != '\r'))))
      {
        result.back() += text[i];
        i += twice ? 1 : 0;
      }
      else if (text[i] == '"')
      {
        quoted = !quoted;
      }
      else if (text[i] == ',')
      {
        result.emplace_back();
      }
    }
    text.remove_prefix(std::min(i + 1, text.size()));
    for (std::string & word : result)
    {
      word.erase(word.find_last_not_of(' ') + 1);
      word.erase(0, word.find_first_not_of(' '));
    }
    return result;
  }

  const std::string path_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__NUMBER_TABLE_HPP_
