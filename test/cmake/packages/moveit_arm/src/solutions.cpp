// Asks the plugin of an arm for the positions that bring its tip to poses.
//
// solutions URDF BASE TIP WAY: of each line of positions it reads, it prints the pose that they
// lead to and the positions that are found, or the error code. WAY: nearest; refused, where the
// callback refuses all; third, where it takes the third.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <moveit/kinematics_base/kinematics_base.hpp>
#include <pluginlib/class_loader.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sstream>
#include <string>
#include <vector>

using Codes = moveit_msgs::msg::MoveItErrorCodes;
using Numbers = std::vector<double>;

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const std::string base = argv[2], tip = argv[3], way = argv[4];
  std::ostringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  rclcpp::NodeOptions options;
  options.automatically_declare_parameters_from_overrides(true);
  options.append_parameter_override("robot_description", text.str());
  const auto node = std::make_shared<rclcpp::Node>("solutions", options);
  pluginlib::ClassLoader<kinematics::KinematicsBase> loader(
    "moveit_core", "kinematics::KinematicsBase");
  const auto plugin = loader.createUniqueInstance("moveit_arm/ArmMoveItKinematics");
  alignas(64) char none[64];  // the plugin keeps where the robot's model is, and does not look
  const auto & model = reinterpret_cast<const moveit::core::RobotModel &>(none);
  if (!plugin->initialize(node, model, "arm", base, {tip}, 0.1))
  {
    return 1;
  }
  const std::size_t n = plugin->getJointNames().size();
  for (Numbers q(n);
       std::all_of(q.begin(), q.end(), [](double & x) { return bool(std::cin >> x); });)
  {
    std::vector<geometry_msgs::msg::Pose> poses;
    if (!plugin->getPositionFK({tip}, q, poses))
    {
      return 1;
    }
    int calls = 0;
    const auto decide = [&](const geometry_msgs::msg::Pose &, const Numbers &, Codes & code)
    { code.val = way == "third" && ++calls == 3 ? Codes::SUCCESS : Codes::GOAL_IN_COLLISION; };
    Numbers found;
    Codes code;
    const kinematics::KinematicsBase::IKCallbackFn none_or_third =
      way == "nearest" ? kinematics::KinematicsBase::IKCallbackFn() : decide;
    const bool ok = plugin->searchPositionIK(poses[0], q, 0.1, found, none_or_third, code);
    const auto & p = poses[0].position;
    const auto & o = poses[0].orientation;
    std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g", p.x, p.y, p.z, o.x, o.y, o.z, o.w);
    for (const double x : ok ? found : Numbers{static_cast<double>(code.val)})
    {
      std::printf(" %.17g", x);
    }
    std::printf("\n");
  }
  return 0;
}
