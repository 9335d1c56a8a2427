"""simulated_robot: forward dynamics behind joint states and effort commands."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription

ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'."),
    "model_file": ("", "URDF, xacro or Kinematics-DSL file, instead of a compiled robot."),
    "rate": ("1000.0", "Joint states a second [Hz]."),
    "namespace": ("", "Namespace of the node."),
}


def generate_launch_description():
    parameters = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, kind in (("model", str), ("model_file", str), ("rate", float))
    }
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description) in ARGUMENTS.items()
    ]
    node = Node(
        package="robcogen_ros",
        executable="simulated_robot",
        namespace=LaunchConfiguration("namespace"),
        parameters=[parameters],
        output="both",
    )
    return LaunchDescription([*declared, node])
