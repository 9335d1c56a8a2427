// Parameters of a table, with values as texts.
#include <optional>
#include <string>

#include "robcogen_ros/number.hpp"
#include "robcogen_ros/parameters/table.hpp"

/// A value of the type of a default, from a text as YAML has it.
inline robcogen_ros::parameters::Value value_of(const std::string & text, std::size_t type)
{
  namespace parameters = robcogen_ros::parameters;
  const parameters::Words words = parameters::words_of(text);
  parameters::Numbers numbers;
  switch (type)
  {
    case 0:
      return text == "true";
    case 1:
      return std::int64_t{std::stoll(text)};
    case 2:
      return robcogen_ros::number(text);
    case 3:
      return text;
    case 5:
      return words;
    default:
      break;
  }
  for (const std::string & word : words)
  {
    numbers.push_back(robcogen_ros::number(word));
  }
  return numbers;
}

/// Parameters as the table has them, but for those of a text "name=value;...".
template <typename Parameters>
Parameters parameters_of(const std::string & text)
{
  namespace parameters = robcogen_ros::parameters;
  const std::string given = ";" + text;
  Parameters result;
  result.each(
    [&given](auto & value, const parameters::Entry & entry)
    {
      const std::string key = ";" + std::string(entry.name) + "=";
      if (const auto found = given.find(key); found != std::string::npos)
      {
        const auto begin = found + key.size();
        const std::string word = given.substr(begin, given.find(';', begin) - begin);
        parameters::take_over(entry, value_of(word, parameters::Value(value).index()), value);
      }
    });
  return result;
}
