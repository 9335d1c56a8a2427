// The functions of a robot, whether it leaves parameters open or not.
#ifndef ROBCOGEN_ROS__CONSTANTS_HPP_
#define ROBCOGEN_ROS__CONSTANTS_HPP_

#include <type_traits>

namespace robcogen_ros
{

/// Stands for the parameters and constants of a robot that leaves nothing open.
struct NoConstants
{
};

/// The parameters that a robot leaves open, a payload's for instance.
template <typename Robot, typename = void>
struct ParametersOf
{
  using Type = NoConstants;
};
template <typename Robot>
struct ParametersOf<Robot, std::void_t<typename Robot::Parameters>>
{
  using Type = typename Robot::Parameters;
};

/// The constants made of them, which its functions take.
template <typename Robot, typename = void>
struct ConstantsOf
{
  using Type = NoConstants;
};
template <typename Robot>
struct ConstantsOf<Robot, std::void_t<typename Robot::Constants>>
{
  using Type = typename Robot::Constants;
};

/// True if a robot leaves parameters open until run time.
template <typename Robot>
constexpr bool has_parameters = !std::is_same_v<typename ConstantsOf<Robot>::Type, NoConstants>;

/// Calls a function of a robot, with its constants where it leaves parameters open.
template <typename Robot, typename Function, typename... Arguments>
auto with_constants(
  const typename ConstantsOf<Robot>::Type & constants, Function function,
  const Arguments &... arguments) noexcept
{
  if constexpr (has_parameters<Robot>)
  {
    return function(arguments..., constants);
  }
  else
  {
    return function(arguments...);
  }
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__CONSTANTS_HPP_
