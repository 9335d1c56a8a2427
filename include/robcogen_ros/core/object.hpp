/// \file
/// The C interface of objects that keep something from call to call.
#ifndef ROBCOGEN_ROS__CORE__OBJECT_HPP_
#define ROBCOGEN_ROS__CORE__OBJECT_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "robcogen_ros/core/runtime_model.hpp"
#include "robcogen_ros/model.h"

namespace robcogen_ros::core
{

/// Takes over a setting or an input, where it is given.
template <typename Values>
void take(const double * given, Eigen::MatrixBase<Values> & values) noexcept
{
  if (given != nullptr)
  {
    std::copy_n(given, values.size(), values.derived().data());
  }
}

inline void take(const double * given, double & value) noexcept
{
  value = given != nullptr ? *given : value;
}

inline void take(const double * given, bool & value) noexcept
{
  value = given != nullptr ? *given != 0.0 : value;
}

/// A text among arguments; empty where it is left out.
inline std::string taken_text(const double * given)
{
  return given != nullptr ? std::string(reinterpret_cast<const char *>(given)) : std::string();
}

/// Hands out a text, as far as there is room for it.
inline void hand_text(std::string_view text, double * wanted) noexcept
{
  constexpr std::size_t room = ROBCOGEN_TEXT * sizeof(double) - 1;
  auto * const characters = reinterpret_cast<char *>(wanted);
  *std::copy_n(text.data(), std::min(text.size(), room), characters) = '\0';
}

/// The pointer to a setting of a table, among those that a caller gives; null if it is left out.
template <std::size_t count>
const double * setting(
  const robcogen_argument (&table)[count], const double * const * given, std::string_view name)
{
  const auto * const found = std::find_if(
    table, table + count, [name](const robcogen_argument & row) { return row.name == name; });
  return found != table + count
           ? given[found - table]
           : throw std::logic_error("there is no setting " + std::string(name));
}

/// Hands out a result.
template <typename Values>
void hand(const Eigen::MatrixBase<Values> & values, double * wanted) noexcept
{
  std::copy_n(values.derived().data(), values.size(), wanted);
}

/// An object as callers in C have it.
///
/// \tparam O the object: `name`; the tables `settings`, `methods` and `faults`; it is made of a
///   robot and the pointers to its settings
template <typename O>
struct Object
{
  static void * create(const robcogen_model * model, const double * const * settings) noexcept
  {
    try
    {
      return new O(model, settings);
    }
    catch (const std::exception &)
    {
      return nullptr;
    }
  }

  static void destroy(void * object) noexcept { delete static_cast<O *>(object); }

  /// A method of the object, its own or inherited, as a function of C.
  template <auto method>
  static int32_t call(
    void * object, const double * const * inputs, double * const * outputs) noexcept
  {
    return (static_cast<O *>(object)->*method)(inputs, outputs);
  }

  /// The table of the object.
  static const robcogen_object & table() noexcept
  {
    static const robcogen_object result = {
      sizeof(robcogen_object),
      ROBCOGEN_OBJECT_VERSION,
      O::name,
      std::size(O::settings),
      std::data(O::settings),
      create,
      destroy,
      std::size(O::methods),
      std::data(O::methods),
      std::size(O::faults),
      std::data(O::faults)};
    return result;
  }
};

/// A method in the tables of an object.
///
/// \tparam Inputs, Outputs containers of robcogen_argument that last
template <typename Inputs, typename Outputs>
constexpr robcogen_method method(
  const char * name, const Inputs & in, const Outputs & out,
  int32_t (*call)(void *, const double * const *, double * const *)) noexcept
{
  return {name, std::size(in), std::data(in), std::size(out), std::data(out), call};
}

/// One table after the other, of arguments or names.
template <typename Row, std::size_t n, std::size_t m>
constexpr std::array<Row, n + m> joined(const Row (&first)[n], const Row (&second)[m]) noexcept
{
  std::array<Row, n + m> result{};
  for (std::size_t i = 0; i < n + m; ++i)
  {
    result[i] = i < n ? first[i] : second[i - n];
  }
  return result;
}

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECT_HPP_
