"""inverse_dynamics_controller: references and joint states in, efforts out."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import LifecycleNode
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

BOOLEAN = ["true", "false"]
MODES = ["gravity", "compensation", "pd_gravity", "computed_torque", "feed_forward"]
CONFIG = PathJoinSubstitution(
    [FindPackageShare("robcogen_ros"), "config", "inverse_dynamics_controller.yaml"]
)
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'.", None),
    "model_file": ("", "URDF, xacro, MJCF or Kinematics-DSL file, not a compiled robot.", None),
    "xacro_args": ("", "Arguments of a xacro file: name:=value ...", None),
    "loops": ("", "File that says what closes loops of the robot.", None),
    "mode": ("computed_torque", "Control law.", MODES),
    "config": (CONFIG, "YAML file with gains, timeouts and limits.", None),
    "autostart": ("true", "Whether the node configures and activates itself.", BOOLEAN),
    "namespace": ("", "Namespace of the node.", None),
    "use_sim_time": ("false", "Whether time comes from /clock.", BOOLEAN),
}
PARAMETERS = {
    "model": str,
    "model_file": str,
    "xacro_args": str,
    "loops": str,
    "mode": str,
    "autostart": bool,
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
    node = LifecycleNode(
        package="robcogen_ros",
        executable="inverse_dynamics_controller",
        name="inverse_dynamics_controller",
        namespace=LaunchConfiguration("namespace"),
        parameters=[LaunchConfiguration("config"), parameters],
        output="both",
    )
    return LaunchDescription([*declared, node])
