// A check that values of parameters are those of a robot made of matter.
#ifndef ROBCOGEN_ROS__PARAMETER_CHECK_HPP_
#define ROBCOGEN_ROS__PARAMETER_CHECK_HPP_

#include <cmath>
#include <string>
#include <vector>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros
{

/// Returns true if a symmetric matrix, given by xx, xy, xz, yy, yz, zz, has no negative eigenvalue
/// (Sylvester).
inline bool is_positive(const double (&m)[6]) noexcept
{
  const double minor = m[0] * m[3] - m[1] * m[1];
  const double determinant = m[0] * (m[3] * m[5] - m[4] * m[4]) -
                             m[1] * (m[1] * m[5] - m[4] * m[2]) +
                             m[2] * (m[1] * m[4] - m[3] * m[2]);
  return m[0] > 0.0 && minor > 0.0 && determinant > 0.0;
}

/// Returns what is wrong with the inertia of a body, if anything: no body has a negative mass or
/// moment, or a principal moment greater than the sum of the other two.
///
/// \param inertia mass, then ixx, ixy, ixz, iyy, iyz, izz about the center of mass
/// \return the end of a sentence, empty if all is well
inline std::string inertia_problem(const double * inertia)
{
  if (inertia[0] < 0.0)
  {
    return "has a negative mass";
  }
  const double * tensor = inertia + 1;
  const double half_trace = (tensor[0] + tensor[3] + tensor[5]) / 2.0;
  double largest = 0.0;
  for (int i = 0; i < 6; ++i)
  {
    largest = std::fmax(largest, std::fabs(tensor[i]));
  }
  if (largest == 0.0)
  {
    return "";
  }
  const double slack = 1e-6 * largest;  // breaches below come from rounding
  if (!is_positive(
        {tensor[0] + slack, tensor[1], tensor[2], tensor[3] + slack, tensor[4], tensor[5] + slack}))
  {
    return "has a rotational inertia that is not positive";
  }
  const double s = half_trace + slack;  // of the second moments of mass, half the trace minus I
  if (!is_positive(
        {s - tensor[0], -tensor[1], -tensor[2], s - tensor[3], -tensor[4], s - tensor[5]}))
  {
    return "has a principal moment of inertia greater than the sum of the other two";
  }
  return "";
}

/// Returns what is wrong with values of parameters, a sentence each; empty if all is well.
///
/// \tparam Model the constants of a generated robot, with parameter_names and body_names
/// \param values of the parameters, in their order
/// \param inertias of the bodies that depend on parameters, seven values each, see
/// inertia_problem()
template <typename Model>
std::vector<std::string> parameter_problems(const double * values, const double * inertias)
{
  std::vector<std::string> problems;
  for (int i = 0; i < Model::parameter_count; ++i)
  {
    if (!std::isfinite(values[i]))
    {
      problems.push_back(std::string("parameter '") + Model::parameter_names[i] + "' is no number");
    }
  }
  if (!problems.empty())
  {
    return problems;
  }
  for (int i = 0; i < Model::body_count; ++i)
  {
    const std::string problem = inertia_problem(inertias + 7 * i);
    if (!problem.empty())
    {
      problems.push_back(std::string(Model::body_names[i]) + " " + problem);
    }
  }
  return problems;
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__PARAMETER_CHECK_HPP_
