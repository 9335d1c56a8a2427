"""A simulated robot on legs, its transforms and its whole-body controller, all together."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

CONFIG = PathJoinSubstitution([FindPackageShare("robcogen_ros"), "config", "legged.yaml"])
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'.", None),
    "model_file": ("", "URDF, xacro, MJCF or Kinematics-DSL file, not a compiled robot.", None),
    "xacro_args": ("", "Arguments of a xacro file: name:=value ...", None),
    "loops": ("", "File that says what closes loops of the robot.", None),
    "contacts": ("", "Feet of a model_file: FRAME, or FRAME:pose, ...; empty: found.", None),
    "space": (
        "joint",
        "What is measured and commanded: joints that are coordinates, or motors.",
        ["joint", "motor"],
    ),
    "start": (
        "standing",
        "Where the robot starts: standing on the ground, or placed above it.",
        ["standing", "placed"],
    ),
    "rate": ("500.0", "Joint states a second [Hz].", None),
    "lockstep": (
        "false",
        "Whether simulated time, on /clock, waits for the controller: for slow machines.",
        ["true", "false"],
    ),
    "plane_friction": ("0.6", "Coefficient of friction of the ground.", None),
    "friction": ("0.5", "Coefficient of friction that the controller reckons with.", None),
    "gait": (
        "stand",
        "What the robot does with velocities on cmd_vel: stand, trot or walk.",
        ["stand", "trot", "walk"],
    ),
    "publish_frequency": ("50.0", "Greatest rate of transforms [Hz]; 0: no limit.", None),
    "config": (CONFIG, "YAML file with more parameters of the nodes.", None),
    "namespace": ("", "Namespace of all nodes.", None),
}
SHARED = {"model": str, "model_file": str, "xacro_args": str, "loops": str}
NODES = {
    "simulated_robot": {
        **{"contacts": str, "space": str, "start": str},
        **{"rate": float, "plane_friction": float},
    },
    "transform_publisher": {"publish_frequency": float},
    "whole_body_controller": {"contacts": str, "space": str, "friction": float, "gait": str},
}
CLOCKS = {"simulated_robot": ("lockstep", "publish_clock")}
FIXED = {"simulated_robot": {"floating_base": True}}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    return LaunchDescription([*declared, *(node(*each) for each in NODES.items())])


def node(name, parameters):
    values = {
        parameter: ParameterValue(LaunchConfiguration(parameter), value_type=kind)
        for parameter, kind in {**SHARED, **parameters}.items()
    }
    for parameter in CLOCKS.get(name, ("use_sim_time",)):
        values[parameter] = ParameterValue(LaunchConfiguration("lockstep"), value_type=bool)
    return Node(
        package="robcogen_ros",
        executable=name,
        namespace=LaunchConfiguration("namespace"),
        parameters=[LaunchConfiguration("config"), {**values, **FIXED.get(name, {})}],
        output="both",
    )
