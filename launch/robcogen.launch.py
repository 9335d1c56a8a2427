"""A simulated robot, its transforms and its controller, all together."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

MODES = ["gravity", "compensation", "pd_gravity", "computed_torque", "feed_forward"]
CONFIG = PathJoinSubstitution(
    [FindPackageShare("robcogen_ros"), "config", "inverse_dynamics_controller.yaml"]
)
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'.", None),
    "model_file": ("", "URDF, xacro, MJCF or Kinematics-DSL file, not a compiled robot.", None),
    "xacro_args": ("", "Arguments of a xacro file: name:=value ...", None),
    "loops": ("", "File that says what closes loops of the robot.", None),
    "rate": ("1000.0", "Joint states a second [Hz].", None),
    "frame_prefix": ("", "Put before the name of each frame.", None),
    "publish_frequency": ("50.0", "Greatest rate of transforms [Hz]; 0: no limit.", None),
    "mode": ("computed_torque", "Control law.", MODES),
    "config": (CONFIG, "YAML file with gains, timeouts and limits of the controller.", None),
    "namespace": ("", "Namespace of all nodes.", None),
}
SHARED = ("model", "model_file", "xacro_args", "loops", "namespace")
FILES = {
    "simulated_robot": ("rate",),
    "transform_publisher": ("frame_prefix", "publish_frequency"),
    "inverse_dynamics_controller": ("mode", "config"),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    return LaunchDescription([*declared, *(included(*file) for file in FILES.items())])


def included(name, arguments):
    path = PathJoinSubstitution([FindPackageShare("robcogen_ros"), "launch", f"{name}.launch.py"])
    values = {argument: LaunchConfiguration(argument) for argument in (*SHARED, *arguments)}
    source = PythonLaunchDescriptionSource(path)
    return IncludeLaunchDescription(source, launch_arguments=values.items())
