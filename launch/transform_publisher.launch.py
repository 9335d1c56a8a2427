"""transform_publisher: joint states in, /tf and /tf_static out."""

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
    "robot_description": ("", "URDF text, instead of a file or a compiled robot.", None),
    "frame_prefix": ("", "Put before the name of each frame.", None),
    "publish_frequency": ("20.0", "Greatest rate of transforms [Hz]; 0: no limit.", None),
    "ignore_timestamp": ("false", "Whether to publish for joint states of any time.", BOOLEAN),
    "use_robot_description_topic": (
        "false",
        "Whether to wait for the description on the topic robot_description.",
        BOOLEAN,
    ),
    "default_positions": (
        "",
        "Positions [rad or m] of joints that no joint state names: joint:=position ... *:=0.0.",
        None,
    ),
    "namespace": ("", "Namespace of the node.", None),
    "use_sim_time": ("false", "Whether time comes from /clock.", BOOLEAN),
}
PARAMETERS = {
    "model": str,
    "model_file": str,
    "xacro_args": str,
    "loops": str,
    "robot_description": str,
    "frame_prefix": str,
    "publish_frequency": float,
    "ignore_timestamp": bool,
    "use_robot_description_topic": bool,
    "default_positions": str,
    "use_sim_time": bool,
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
        executable="transform_publisher",
        namespace=LaunchConfiguration("namespace"),
        parameters=[parameters],
        output="both",
    )
    return LaunchDescription([*declared, node])
