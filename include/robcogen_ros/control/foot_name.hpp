// Names of feet as parameters, interfaces and topics have them.
#ifndef ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_
#define ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_

#include <algorithm>
#include <cctype>
#include <string>

namespace robcogen_ros::control
{

/// Returns the name of a contact's frame: `left_sole` of the contact `left_sole:pose`.
inline std::string foot_name(const std::string & contact)
{
  return contact.substr(0, contact.rfind(':'));
}

/// Returns the name of a contact's frame in letters that topics have.
inline std::string foot_topic(const std::string & contact)
{
  std::string name = foot_name(contact);
  const auto may_not_be = [](unsigned char c) { return std::isalnum(c) == 0; };
  std::replace_if(name.begin(), name.end(), may_not_be, '_');
  return name;
}

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__FOOT_NAME_HPP_
