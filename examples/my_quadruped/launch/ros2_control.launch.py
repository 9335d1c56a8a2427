"""The quadruped under ros2_control: simulated ground and its whole-body controller as plugins."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

ARGUMENTS = {"publish_frequency": ("50.0", "Greatest rate of transforms [Hz]; 0: no limit.", None)}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    values = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    values |= {
        "description": file("my_quadruped", "description", "my_quadruped.ros2_control.xacro"),
        "controllers": file("my_quadruped", "config", "controllers.yaml"),
        "controller": "robot_controller",
    }
    control = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(file("robcogen_ros", "launch", "ros2_control.launch.py")),
        launch_arguments=values.items(),
    )
    return LaunchDescription([*declared, control])


def file(package, *path):
    return PathJoinSubstitution([FindPackageShare(package), *path])
