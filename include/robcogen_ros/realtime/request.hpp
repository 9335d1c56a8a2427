// A task of a program: words and numbers on its standard input.
#ifndef ROBCOGEN_ROS__REALTIME__REQUEST_HPP_
#define ROBCOGEN_ROS__REALTIME__REQUEST_HPP_

#include <Eigen/Core>
#include <istream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/number.hpp"

namespace robcogen_ros::realtime
{

/// Lines of a name and its values.
class Request
{
public:
  explicit Request(std::istream & lines)
  {
    for (std::string line; std::getline(lines, line);)
    {
      std::istringstream words(line);
      std::string name;
      words >> name;
      for (std::string word; words >> word;)
      {
        values_[name].push_back(word);
      }
    }
  }

  const std::string & text(const std::string & name) const { return entry(name, 1).front(); }

  double number(const std::string & name) const { return robcogen_ros::number(text(name)); }

  /// A value of each joint.
  template <typename Vector>
  Vector vector(const std::string & name) const
  {
    Vector result;
    const auto & words = entry(name, static_cast<std::size_t>(result.size()));
    for (Eigen::Index i = 0; i < result.size(); ++i)
    {
      result(i) = robcogen_ros::number(words[static_cast<std::size_t>(i)]);
    }
    return result;
  }

private:
  const std::vector<std::string> & entry(const std::string & name, std::size_t size) const
  {
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.size() != size)
    {
      throw std::invalid_argument("expected " + std::to_string(size) + " values of " + name);
    }
    return found->second;
  }

  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__REQUEST_HPP_
