// Numbers of interfaces of all types that ros2_control has, which stand-ins keep as it does.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/state_sources.hpp"

namespace
{

// Names and behaviour of hardware_interface 4.46 and later: a value of another type is not cast.
class Type
{
public:
  enum Value
  {
    DOUBLE,
    FLOAT32,
    UINT8
  };

  Type(Value value) : value_(value) {}
  bool operator==(Value other) const { return value_ == other; }
  std::string to_string() const { return value_ == UINT8 ? "uint8" : "other"; }

private:
  Value value_;
};

class Typed
{
public:
  Typed(std::string name, Type::Value type, std::variant<double, float, std::uint8_t> value)
  : name_(std::move(name)), type_(type), value_(value)
  {
  }

  const std::string & get_name() const { return name_; }
  Type get_data_type() const { return type_; }

  template <typename T = double>
  std::optional<T> get_optional() const
  {
    if (!std::holds_alternative<T>(value_))
    {
      throw std::runtime_error("will not be cast");
    }
    return std::get<T>(value_);
  }

  template <typename T>
  bool set_value(const T & value)
  {
    if (!std::holds_alternative<T>(value_))
    {
      throw std::runtime_error("will not be cast");
    }
    value_ = value;
    return true;
  }

private:
  std::string name_;
  Type type_;
  std::variant<double, float, std::uint8_t> value_;
};

// As in Humble.
struct Plain
{
  std::string name;
  double value;

  const std::string & get_name() const { return name; }
  double get_value() const { return value; }
  void set_value(double other) { value = other; }
};

template <typename Interfaces>
void show(Interfaces interfaces)
{
  robcogen_ros::control::StateSources sources;
  double a = 0.0, b = 0.0;
  sources.bind(interfaces, "a", a);
  sources.bind(interfaces, "b", b);
  const std::string problem = sources.problem();
  if (problem.rfind("there is no", 0) != 0)
  {
    sources.read(interfaces);
    const bool written = robcogen_ros::control::write_number(interfaces[1], 2.5);
    const double after = robcogen_ros::control::read_number(interfaces[1]);
    std::printf("%g %g %d %g ", a, b, written, after);
  }
  std::printf("%s\n", problem.c_str());
}

}  // namespace

int main()
{
  const Typed a("a", Type::DOUBLE, 0.5);
  show(std::vector{a, Typed("b", Type::DOUBLE, 1.5)});
  show(std::vector{a, Typed("b", Type::FLOAT32, 1.5F)});
  show(std::vector{a, Typed("b", Type::UINT8, std::uint8_t{1})});
  show(std::vector{a});
  show(std::vector{Plain{"a", 0.5}, Plain{"b", 1.5}});
  for (const char * contact : {"left_foot", "left-sole:pose", "a::b:position", "1_foot", "\u00e9\u5de6"})
  {
    using robcogen_ros::control::foot_name, robcogen_ros::control::foot_topic;
    std::printf("%s %s\n", foot_name(contact).c_str(), foot_topic(contact).c_str());
  }
}
