"""The quadruped on simulated ground, its transforms and its whole-body controller, as nodes."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

ARGUMENTS = {
    "rate": ("500.0", "Joint states a second [Hz].", None),
    "start": ("standing", "Standing on the ground, or placed above it.", ["standing", "placed"]),
    "namespace": ("", "Namespace of all nodes.", None),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    values = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    values["model"] = "my_quadruped/robot"
    values["config"] = PathJoinSubstitution(
        [FindPackageShare("my_quadruped"), "config", "legged.yaml"]
    )
    source = PathJoinSubstitution([FindPackageShare("robcogen_ros"), "launch", "legged.launch.py"])
    nodes = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(source), launch_arguments=values.items()
    )
    return LaunchDescription([*declared, nodes])
