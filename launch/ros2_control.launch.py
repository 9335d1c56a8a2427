"""ros2_control: a controller manager with simulated hardware, and a robot's controller on it.

The description is a xacro that takes `hardware` and `mujoco_model`, as the one of
examples/my_arm_control does. Hardware is simulated by the robot's generated dynamics or by MuJoCo,
or a mock that gives back commands and does not move.
"""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import Command, LaunchConfiguration, PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription

BOOLEAN = ["true", "false"]
ARGUMENTS = {
    "description": (None, "xacro file of the robot, with its ros2_control tag.", None),
    "controllers": (None, "YAML file of the controller manager and its controllers.", None),
    "controller": (None, "Name of the robot's controller in that file.", None),
    "trajectory_controller": (
        "none",
        "Name of a trajectory controller in front of it, or none.",
        None,
    ),
    "hardware": ("simulated", "What stands for the robot.", ["simulated", "mock", "mujoco"]),
    "mujoco_model": ("", "MJCF file of the robot, for MuJoCo.", None),
    "loops": ("", "File that closes loops of the robot, for transforms of all links.", None),
    "publish_frequency": ("50.0", "Greatest rate of transforms [Hz]; 0: no limit.", None),
    "use_sim_time": ("false", "Whether time comes from /clock; true for MuJoCo.", BOOLEAN),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description, choices=choices)
        for name, (default, description, choices) in ARGUMENTS.items()
    ]
    value = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    chained = ["'", value["trajectory_controller"], "' != 'none'"]
    manager = ["'", value["hardware"], "' == 'mujoco' and 'mujoco_ros2_control'"]
    nodes = [
        Node(
            package="robcogen_ros",
            executable="transform_publisher",
            parameters=[
                {
                    "robot_description": description(value),
                    "loops": ParameterValue(value["loops"], value_type=str),
                    "publish_frequency": number(value["publish_frequency"]),
                    "use_sim_time": truth(value["use_sim_time"]),
                }
            ],
            output="both",
        ),
        Node(
            package=PythonExpression([*manager, " or 'controller_manager'"]),
            executable="ros2_control_node",
            parameters=[value["controllers"], {"use_sim_time": truth(value["use_sim_time"])}],
            remappings=[("~/robot_description", "robot_description")],
            output="both",
        ),
        spawner(value, "joint_state_broadcaster"),
        spawner(
            value,
            value["trajectory_controller"],
            value["controller"],
            "--activate-as-group",
            condition=IfCondition(PythonExpression(chained)),
        ),
        spawner(
            value,
            value["controller"],
            condition=IfCondition(PythonExpression(["not ", *chained])),
        ),
    ]
    return LaunchDescription([*declared, *nodes])


def description(value):
    command = ["xacro ", value["description"], " hardware:=", value["hardware"]]
    command += [" mujoco_model:=", value["mujoco_model"]]
    return ParameterValue(Command(command), value_type=str)


def spawner(value, *arguments, condition=None):
    return Node(
        package="controller_manager",
        executable="spawner",
        arguments=[*arguments, "--param-file", value["controllers"]],
        condition=condition,
        output="both",
    )


def number(substitution):
    return ParameterValue(substitution, value_type=float)


def truth(substitution):
    return ParameterValue(substitution, value_type=bool)
