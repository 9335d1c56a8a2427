"""The quadruped under ros2_control: simulated ground and its whole-body controller as plugins."""

from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription


def generate_launch_description():
    values = {
        "description": file("my_quadruped", "description", "my_quadruped.ros2_control.xacro"),
        "controllers": file("my_quadruped", "config", "controllers.yaml"),
        "controller": "robot_controller",
    }
    control = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(file("robcogen_ros", "launch", "ros2_control.launch.py")),
        launch_arguments=values.items(),
    )
    return LaunchDescription([control])


def file(package, *path):
    return PathJoinSubstitution([FindPackageShare(package), *path])
