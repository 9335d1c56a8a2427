// Names of feet as parameters, interfaces and topics have them.
#ifndef ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_
#define ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_

#include <cctype>
#include <string>

namespace robcogen_ros::control
{

/// Returns the name of a contact's frame: `left_sole` of the contact `left_sole:pose`.
inline std::string foot_name(const std::string & contact)
{
  return contact.substr(0, contact.rfind(':'));
}

/// Returns the name of a contact's frame in letters that topics have: bytes of other letters as
/// numbers to the base of 16, other marks as `_`, and `foot_` before a digit.
inline std::string foot_topic(const std::string & contact)
{
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (const char letter : foot_name(contact))
  {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte > 127)
    {
      result += {digits[byte / 16], digits[byte % 16]};
    }
    else
    {
      result += std::isalnum(byte) == 0 ? '_' : letter;
    }
  }
  const bool may_begin = result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) == 0;
  return may_begin ? result : "foot_" + result;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_
