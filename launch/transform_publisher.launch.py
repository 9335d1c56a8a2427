"""transform_publisher: joint states in, /tf and /tf_static out."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription

ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'."),
    "model_file": ("", "URDF, xacro or Kinematics-DSL file, instead of a compiled robot."),
    "frame_prefix": ("", "Put before the name of each frame."),
    "publish_frequency": ("20.0", "Greatest rate of transforms [Hz]; 0: no limit."),
    "namespace": ("", "Namespace of the node."),
    "use_sim_time": ("false", "Whether time comes from /clock."),
}


def generate_launch_description():
    texts = ("model", "model_file", "frame_prefix")
    parameters = {name: ParameterValue(LaunchConfiguration(name), value_type=str) for name in texts}
    parameters["publish_frequency"] = ParameterValue(
        LaunchConfiguration("publish_frequency"), value_type=float
    )
    parameters["use_sim_time"] = ParameterValue(
        LaunchConfiguration("use_sim_time"), value_type=bool
    )
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description) in ARGUMENTS.items()
    ]
    node = Node(
        package="robcogen_ros",
        executable="transform_publisher",
        namespace=LaunchConfiguration("namespace"),
        parameters=[parameters],
        output="both",
    )
    return LaunchDescription([*declared, node])
