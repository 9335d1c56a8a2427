"""inverse_dynamics_controller: references and joint states in, efforts out."""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import LifecycleNode
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

MODES = ["gravity", "compensation", "pd_gravity", "computed_torque"]
CONFIG = PathJoinSubstitution(
    [FindPackageShare("robcogen_ros"), "config", "inverse_dynamics_controller.yaml"]
)
ARGUMENTS = {
    "model": ("", "Compiled robot, '<package>/<target>'."),
    "model_file": ("", "URDF, xacro or Kinematics-DSL file, instead of a compiled robot."),
    "config": (CONFIG, "YAML file with gains, timeouts and limits."),
    "autostart": ("true", "Whether the node configures and activates itself."),
    "namespace": ("", "Namespace of the node."),
    "use_sim_time": ("false", "Whether time comes from /clock."),
}


def generate_launch_description():
    kinds = {
        "model": str,
        "model_file": str,
        "autostart": bool,
        "mode": str,
        "use_sim_time": bool,
    }
    parameters = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, kind in kinds.items()
    }
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description) in ARGUMENTS.items()
    ]
    mode = DeclareLaunchArgument(
        "mode", default_value="computed_torque", description="Control law.", choices=MODES
    )
    node = LifecycleNode(
        package="robcogen_ros",
        executable="inverse_dynamics_controller",
        name="inverse_dynamics_controller",
        namespace=LaunchConfiguration("namespace"),
        parameters=[LaunchConfiguration("config"), parameters],
        output="both",
    )
    return LaunchDescription([*declared, mode, node])
