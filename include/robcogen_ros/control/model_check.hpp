// Whether a robot's description at run time is the one that its code was generated from.
#ifndef ROBCOGEN_ROS__CONTROL__MODEL_CHECK_HPP_
#define ROBCOGEN_ROS__CONTROL__MODEL_CHECK_HPP_

#include <algorithm>
#include <array>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "robcogen_ros/arithmetic.hpp"

namespace robcogen_ros::control
{

/// A link as a file gives it; zeros where it has no mass. Numbers that are left open are NaN, in
/// all records of a compiled model, and are not compared.
struct LinkRecord
{
  std::string_view name;
  double mass = 0.0;                ///< [kg]
  std::array<double, 3> com{};      ///< center of mass in link coordinates [m]
  std::array<double, 6> inertia{};  ///< xx, xy, xz, yy, yz, zz about it, along link axes [kg m^2]
};

/// A joint as a file gives it.
struct JointRecord
{
  std::string_view name;
  std::string_view kind;  ///< revolute, continuous, prismatic, fixed, floating, planar
  std::string_view parent;
  std::string_view child;
  std::array<double, 3> position{};  ///< of its frame in that of the parent link [m]
  std::array<double, 9> rotation{};  ///< the same, parent_R_joint by rows
  std::array<double, 3> axis{};      ///< of unit length, in its frame
  /// lower, upper, velocity, effort; zero: none, or none that can be reached
  std::array<double, 4> limits{};
  std::string_view leader{};  ///< the joint that it follows, if any
  double multiplier = 1.0;
  double offset = 0.0;
};

/// All links and joints of a robot.
struct ModelRecord
{
  std::vector<LinkRecord> links;
  std::vector<JointRecord> joints;
  /// True if these are all of the file's; if not, others are no difference.
  bool whole = true;
};

/// Compares two records of one robot, and says in sentences where they differ.
class ModelComparison
{
public:
  /// \param compiled what the code was generated from
  /// \param given what was found at run time
  /// \param tolerance of lengths [m], of entries of rotations and axes, of masses and inertias
  /// relative to the link's largest, of limits relative to them
  ModelComparison(const ModelRecord & compiled, const ModelRecord & given, double tolerance)
  : tolerance_(tolerance)
  {
    each(compiled.links, given.links, compiled.whole, "link");
    each(compiled.joints, given.joints, compiled.whole, "joint");
  }

  /// A sentence for each difference; empty if there is none.
  const std::vector<std::string> & differences() const { return differences_; }

private:
  template <typename Record>
  void each(
    const std::vector<Record> & compiled, const std::vector<Record> & given, bool whole,
    const char * kind)
  {
    for (const Record & record : compiled)
    {
      subject_ = std::string(kind) + " '" + std::string(record.name) + "'";
      const Record * other = find(given, record.name);
      other == nullptr ? say("is missing from the robot description") : compare(record, *other);
    }
    for (const Record & record : given)
    {
      if (whole && find(compiled, record.name) == nullptr)
      {
        subject_ = std::string(kind) + " '" + std::string(record.name) + "'";
        say("is unknown to the compiled model");
      }
    }
  }

  template <typename Record>
  static const Record * find(const std::vector<Record> & records, std::string_view name)
  {
    const auto found = std::find_if(
      records.begin(), records.end(),
      [name](const Record & record) { return record.name == name; });
    return found == records.end() ? nullptr : &*found;
  }

  void compare(const LinkRecord & compiled, const LinkRecord & given)
  {
    number("mass", "kg", compiled.mass, given.mass, std::abs(compiled.mass));
    if (compiled.mass != 0.0 || given.mass != 0.0)
    {
      numbers("center of mass", "m", compiled.com, given.com, 1.0);
    }
    numbers("inertia", "kg m^2", compiled.inertia, given.inertia, largest(compiled.inertia));
  }

  void compare(const JointRecord & compiled, const JointRecord & given)
  {
    word("type", compiled.kind, given.kind);
    word("parent", compiled.parent, given.parent);
    word("child", compiled.child, given.child);
    numbers("origin", "m", compiled.position, given.position, 1.0);
    numbers("orientation", "", compiled.rotation, given.rotation, 1.0);
    word("leader", compiled.leader, given.leader);
    number("multiplier", "", compiled.multiplier, given.multiplier, 1.0);
    number("offset", "", compiled.offset, given.offset, 1.0);
    if (compiled.kind == "fixed" || compiled.kind == "floating")
    {
      return;
    }
    numbers("axis", "", compiled.axis, given.axis, 1.0);
    const bool ends = compiled.kind != "continuous";
    for (std::size_t i = ends ? 0 : 2; i < compiled.limits.size(); ++i)
    {
      static constexpr std::array names{
        "lower limit", "upper limit", "velocity limit", "effort limit"};
      number(names[i], "", compiled.limits[i], given.limits[i], std::abs(compiled.limits[i]));
    }
  }

  void word(const char * what, std::string_view compiled, std::string_view given)
  {
    if (compiled != given)
    {
      std::ostringstream text;
      text << what << " '" << given << "', compiled is '" << compiled << "'";
      say(text.str());
    }
  }

  void number(const char * what, const char * unit, double compiled, double given, double size)
  {
    numbers(what, unit, std::array{compiled}, std::array{given}, size);
  }

  template <std::size_t count>
  void numbers(
    const char * what, const char * unit, const std::array<double, count> & compiled,
    const std::array<double, count> & given, double size)
  {
    double distance = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
      const double here = std::isnan(compiled[i]) ? 0.0 : std::abs(given[i] - compiled[i]);
      distance = here <= distance ? distance : here;  // keeps what is no number
    }
    if (!(distance <= tolerance_ * size))
    {
      std::ostringstream text;
      text.imbue(std::locale::classic());
      text.precision(9);
      text << what;
      list(text, given) << ' ' << unit << (*unit != '\0' ? ", " : "") << "compiled is";
      list(text, compiled);
      say(text.str());
    }
  }

  template <std::size_t count>
  static std::ostream & list(std::ostream & text, const std::array<double, count> & values)
  {
    for (const double value : values)
    {
      text << ' ' << value;
    }
    return text;
  }

  static double largest(const std::array<double, 6> & values)
  {
    double result = 0.0;
    for (const double value : values)
    {
      result = std::max(result, std::abs(value));
    }
    return result;
  }

  void say(const std::string & what) { differences_.push_back(subject_ + ": " + what); }

  double tolerance_;
  std::string subject_;
  std::vector<std::string> differences_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__MODEL_CHECK_HPP_
