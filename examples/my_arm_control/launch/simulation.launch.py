"""The arm simulated, its transforms and its controller as nodes; no ros2_control needed."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

ARGUMENTS = {
    "rate": ("1000.0", "Joint states a second [Hz].", None),
    "mode": ("computed_torque", "Control law.", None),
    "namespace": ("", "Namespace of all nodes.", None),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description, _) in ARGUMENTS.items()
    ]
    values = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    values["model"] = "my_arm_control/arm"
    values["config"] = PathJoinSubstitution(
        [FindPackageShare("my_arm_control"), "config", "node.yaml"]
    )
    source = PathJoinSubstitution(
        [FindPackageShare("robcogen_ros"), "launch", "robcogen.launch.py"]
    )
    nodes = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(source), launch_arguments=values.items()
    )
    return LaunchDescription([*declared, nodes])
