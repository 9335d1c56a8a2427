"""simulated_robot: forward dynamics behind joint states and effort commands."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription

BOOLEAN = ["true", "false"]
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'.", None),
    "model_file": ("", "URDF, xacro, MJCF or Kinematics-DSL file, not a compiled robot.", None),
    "xacro_args": ("", "Arguments of a xacro file: name:=value ...", None),
    "loops": ("", "File that says what closes loops of the robot.", None),
    "floating_base": ("false", "Whether the base of a model_file moves freely.", BOOLEAN),
    "rate": ("1000.0", "Joint states a simulated second [Hz].", None),
    "real_time_factor": (
        "1.0",
        "Simulated seconds a second; 0: as many as can be. Other than 1 needs publish_clock.",
        None,
    ),
    "publish_clock": ("false", "Whether simulated time goes out on /clock.", BOOLEAN),
    "stops": ("true", "Whether joints stop at their position limits.", BOOLEAN),
    "hold_until_commanded": (
        "true",
        "Whether brakes hold the robot until the first command.",
        BOOLEAN,
    ),
    "command_timeout": ("0.2", "Motors go off after so long without commands [s]; 0: never.", None),
    "namespace": ("", "Namespace of the node.", None),
}
PARAMETERS = {
    "model": str,
    "model_file": str,
    "xacro_args": str,
    "loops": str,
    "floating_base": bool,
    "rate": float,
    "real_time_factor": float,
    "publish_clock": bool,
    "stops": bool,
    "hold_until_commanded": bool,
    "command_timeout": float,
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    parameters = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, kind in PARAMETERS.items()
    }
    node = Node(
        package="robcogen_ros",
        executable="simulated_robot",
        namespace=LaunchConfiguration("namespace"),
        parameters=[parameters],
        output="both",
    )
    return LaunchDescription([*declared, node])
