// Values of a table of parameters, by name.
#ifndef ROBCOGEN_ROS__CONTROL__PARAMETER_VALUES_HPP_
#define ROBCOGEN_ROS__CONTROL__PARAMETER_VALUES_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "robcogen_ros/control/parameters.hpp"
#include "robcogen_ros/control/parting.hpp"

namespace robcogen_ros::control
{

/// Where values of parameters come from.
using Lookup = std::function<Value(const ParameterEntry &)>;

/// The values, checked one by one. All members throw std::invalid_argument, which says which value
/// is wrong and what is expected.
///
/// \tparam Table rows of ParameterEntry
template <typename Table>
class ParameterValues
{
public:
  ParameterValues(const Table & table, const Lookup & lookup) : table_(table), lookup_(lookup) {}

  template <typename Held>
  void get(Held & to, std::string_view name) const
  {
    const ParameterEntry & entry = row(name);
    to = std::get<Held>(checked(entry, lookup_(entry)));
  }

  template <typename Held>
  Held value(std::string_view name) const
  {
    Held result{};
    get(result, name);
    return result;
  }

  int whole(std::string_view name) const { return static_cast<int>(value<std::int64_t>(name)); }
  std::string word(std::string_view name) const { return value<std::string>(name); }
  Numbers numbers(std::string_view name) const { return value<Numbers>(name); }

  /// One value for all joints, or one each; another where there are none and there may be none.
  template <typename JointVector>
  JointVector of_joints(const std::string & name, const JointVector & otherwise) const
  {
    constexpr auto n = static_cast<std::size_t>(JointVector::SizeAtCompileTime);
    const Numbers values = numbers(name);
    if (values.size() == 1)
    {
      return JointVector::Constant(values.front());
    }
    if (values.size() == n)
    {
      return Eigen::Map<const JointVector>(values.data());
    }
    if (values.empty() && row(name).fallback == "[]")
    {
      return otherwise;
    }
    throw std::invalid_argument(
      name + ": expected one value or " + std::to_string(n) + ", found " +
      std::to_string(values.size()));
  }

  /// The largest efforts, which may only lower the model's.
  template <typename JointVector>
  JointVector effort_limits(const JointVector & of_model) const
  {
    const JointVector asked =
      of_joints("effort_limits", JointVector(JointVector::Constant(endless)));
    if ((asked.array() == 0.0).any())
    {
      throw std::invalid_argument(
        "effort_limits: expected more than 0; .inf stands for the model's");
    }
    return asked.cwiseMin(of_model);
  }

  /// Which of its choices a word is.
  std::ptrdiff_t choice(std::string_view name) const
  {
    const Words choices = detail::split(row(name).choices);
    return std::find(choices.begin(), choices.end(), word(name)) - choices.begin();
  }

  Parting parting(std::string_view name) const { return static_cast<Parting>(choice(name)); }

private:
  const ParameterEntry & row(std::string_view name) const
  {
    for (const ParameterEntry & entry : table_)
    {
      if (entry.name == name)
      {
        return entry;
      }
    }
    throw std::logic_error("no such parameter");
  }

  const Table & table_;
  const Lookup & lookup_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__PARAMETER_VALUES_HPP_
