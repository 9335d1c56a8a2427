"""The arm under ros2_control: arm_controller, and joint_trajectory_controller in front of it."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

ARGUMENTS = {
    "hardware": ("simulated", "What stands for the robot.", ["simulated", "mock", "mujoco"]),
    "mujoco_model": ("", "MJCF file of the arm, for MuJoCo.", None),
    "trajectory_controller": (
        "joint_trajectory_controller",
        "What gives arm_controller its references; none: its topic.",
        None,
    ),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    values = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    values["description"] = file("my_arm_control", "description", "my_arm.urdf.xacro")
    values["controllers"] = file("my_arm_control", "config", "controllers.yaml")
    values["controller"] = "arm_controller"
    control = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(file("robcogen_ros", "launch", "ros2_control.launch.py")),
        launch_arguments=values.items(),
    )
    return LaunchDescription([*declared, control])


def file(package, *path):
    return PathJoinSubstitution([FindPackageShare(package), *path])
