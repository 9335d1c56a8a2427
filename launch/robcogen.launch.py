"""A simulated robot, its transforms and its controller, all together."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

FILES = {
    "simulated_robot": ("rate",),
    "transform_publisher": ("frame_prefix", "publish_frequency"),
    "inverse_dynamics_controller": ("mode",),
}
SHARED = ("model", "model_file", "namespace")
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'."),
    "model_file": ("", "URDF, xacro or Kinematics-DSL file, instead of a compiled robot."),
    "rate": ("1000.0", "Joint states a second [Hz]."),
    "frame_prefix": ("", "Put before the name of each frame."),
    "publish_frequency": ("50.0", "Greatest rate of transforms [Hz]; 0: no limit."),
    "mode": ("computed_torque", "Control law."),
    "namespace": ("", "Namespace of all nodes."),
}


def included(name, arguments):
    path = PathJoinSubstitution([FindPackageShare("robcogen_ros"), "launch", f"{name}.launch.py"])
    values = {argument: LaunchConfiguration(argument) for argument in (*SHARED, *arguments)}
    source = PythonLaunchDescriptionSource(path)
    return IncludeLaunchDescription(source, launch_arguments=values.items())


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description) in ARGUMENTS.items()
    ]
    return LaunchDescription([*declared, *(included(*file) for file in FILES.items())])
