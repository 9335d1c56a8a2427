"""The demo: a simulated robot moves with and without generated feed-forward; a report, a plot.

It starts its nodes itself, in a domain of their own on this machine, and ends them.
"""

from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import Node

from launch import LaunchDescription

ARGUMENTS = {
    "model": ("arm_example/arm", "Compiled robot, '<package>/<target>'.", None),
    "model_file": ("", "URDF, xacro, MJCF or Kinematics-DSL file, not a compiled robot.", None),
    "xacro_args": ("", "Arguments of a xacro file: name:=value ...", None),
    "out": ("demo", "Directory of the results.", None),
    "duration": ("0.0", "Length of the motion [s]; 0: 10, of a robot on legs 20.", None),
    "rate": ("1000.0", "Cycles a second [Hz].", None),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    file = LaunchConfiguration("model_file")
    robot = ["'--robot=", file, "' if '", file, "' else '--model=", LaunchConfiguration("model")]
    demo = Node(
        package="robcogen_ros",
        executable="demo",
        arguments=[
            PythonExpression([*robot, "'"]),
            ["--xacro-args=", LaunchConfiguration("xacro_args")],
            *("--out", LaunchConfiguration("out")),
            *("--duration", LaunchConfiguration("duration")),
            *("--rate", LaunchConfiguration("rate")),
        ],
        output="screen",
        emulate_tty=True,
    )
    return LaunchDescription([*declared, demo])
