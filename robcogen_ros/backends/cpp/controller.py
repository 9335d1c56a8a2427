"""The ros2_control plugins of a robot, and the record of its file that they compare with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.objects import (
    GROUND,
    MOST_CONTACTS,
    MOST_JOINTS,
    NEEDS,
    SIMULATION,
    TASK_SPACE_CONTROLLER,
    WHOLE_BODY_LOOP,
    callable_functions,
    check_feet,
    check_functions,
)
from robcogen_ros.backends.cpp.text import comment, double, quoted
from robcogen_ros.backends.render import render
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.description import Description, JointDescription, LinkDescription
from robcogen_ros.model.motors import motor_names
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Vector
from robcogen_ros.program.library import Library


@dataclass(frozen=True, slots=True)
class PluginClass:
    """A class that pluginlib finds.

    Attributes:
        suffix: End of its name.
        parent: The class that it is for a robot.
        header: Where that is.
        base: The class of ros2_control that it implements.
    """

    suffix: str
    parent: str
    header: str
    base: str


@dataclass(frozen=True, slots=True)
class ControlPlugins:
    """Plugins of ros2_control that a robot can have, in one library.

    Attributes:
        name: Name of their source.
        what: What an error calls the robot that has them.
        page: The page that documents them.
        floating_base: Whether they are for robots with a floating base; None: for any.
        functions: What they call, functions of contacts where there are any.
        plugins: The classes.
        useful: Functions that they call where a robot has them.
    """

    name: str
    what: str
    page: str
    floating_base: bool | None
    functions: tuple[str, ...]
    plugins: tuple[PluginClass, ...]
    useful: tuple[str, ...] = ()


CHAINABLE = "controller_interface::ChainableControllerInterface"
SYSTEM = "hardware_interface::SystemInterface"
CONTROLLER = ControlPlugins(
    "controller",
    "a controller",
    "controller",
    False,
    (*NEEDS["arms"], *SIMULATION.needs),
    (
        PluginClass(
            "Controller", "InverseDynamicsController", "inverse_dynamics_controller", CHAINABLE
        ),
        PluginClass("System", "SimulatedSystem", "simulated_system", SYSTEM),
    ),
    NEEDS["observer"],
)
TOOL_CONTROLLER = ControlPlugins(
    "task_space_controller",
    "a controller of a tool",
    "task_space_controller",
    False,
    TASK_SPACE_CONTROLLER.needs,
    (
        PluginClass(
            "TaskSpaceController", "TaskSpaceController", "task_space_controller", CHAINABLE
        ),
    ),
    NEEDS["observer"],
)
WHOLE_BODY_CONTROLLER = ControlPlugins(
    "whole_body_controller",
    "a whole-body controller",
    "legged_controller",
    True,
    (*GROUND.needs, *WHOLE_BODY_LOOP.needs),
    (
        PluginClass(
            "WholeBodyController", "WholeBodyController", "whole_body_controller", CHAINABLE
        ),
        PluginClass("System", "GroundSystem", "simulated_system", SYSTEM),
    ),
)
EXTERNAL_FORCE_BROADCASTER = ControlPlugins(
    "external_force_broadcaster",
    "a broadcaster of external forces",
    "external_forces",
    None,
    NEEDS["broadcaster_of_contacts"],
    (
        PluginClass(
            "ExternalForceBroadcaster",
            "ExternalForceBroadcaster",
            "external_force_broadcaster",
            "controller_interface::ControllerInterface",
        ),
    ),
)
CONTROL_PLUGINS = (
    *(CONTROLLER, TOOL_CONTROLLER),
    *(WHOLE_BODY_CONTROLLER, EXTERNAL_FORCE_BROADCASTER),
)


def control_plugin_files(
    kind: ControlPlugins, description: Description, library: Library, target: Target, whole: bool
) -> dict[PurePosixPath, str]:
    """The record of the robot's file, and the source of its plugins.

    Args:
        kind: Which plugins.
        description: What its file alone says, as the robot description at run time does.
        library: Its functions.
        target: Names under which code is generated.
        whole: Whether the robot is all of what the file describes.

    Raises:
        RobcogenError: If the robot cannot be controlled.
    """
    robot = library.robot
    if kind.floating_base:
        check_feet(robot, kind.what)
    if robot.n > MOST_JOINTS or len(robot.contacts) > MOST_CONTACTS:
        raise RobcogenError(
            f"{kind.what} has room for {MOST_JOINTS} joints and {MOST_CONTACTS} contacts, the "
            f"robot has {robot.n} and {len(robot.contacts)}: choose a part of it, or lock joints"
        )
    needs(library, kind.what, plugin_functions(kind, robot), kind.floating_base)
    context = {
        **plugin_context(robot, target),
        "class_name": class_name(target.name),
        "page": kind.page,
        "plugins": kind.plugins,
    }
    source = PurePosixPath("src") / f"{kind.name}.cpp"
    text = render("ros/control_plugins.cpp.jinja", context)
    return {**record_files(description, robot, target, whole), source: text}


def plugin_functions(kind: ControlPlugins, robot: Robot) -> tuple[str, ...]:
    """Functions that plugins call."""
    of_loops = NEEDS["loops"] * (kind is WHOLE_BODY_CONTROLLER and robot.has_loops)
    return callable_functions((*kind.functions, *of_loops), robot.contacts)


def motor_functions(robot: Robot) -> tuple[str, ...]:
    """Returns functions by which plugins go between motors and coordinates that follow them."""
    follow = not set(motor_names(robot)) <= set(robot.joint_names)
    return ("joint_positions", "coordinate_jacobian") if follow else ()


def record_files(
    description: Description, robot: Robot, target: Target, whole: bool
) -> dict[PurePosixPath, str]:
    """The record of the robot's file; arguments as in `control_plugin_files`."""
    record = {
        **plugin_context(robot, target),
        **_record(description, robot),
        "whole": str(whole).lower(),
    }
    folder = PurePosixPath("include") / target.project / target.name
    return {folder / "model_record.hpp": render("ros/model_record.hpp.jinja", record)}


def plugin_context(robot: Robot, target: Target) -> dict[str, Any]:
    """Returns the variables of the templates of plugins."""
    return {
        "project": target.project,
        "target": target.name,
        "model": comment(target.model),
        "robot_name": comment(robot.name),
        "has_parameters": bool(robot.parameters),
    }


def needs(
    library: Library, what: str, functions: Sequence[str], floating_base: bool | None = False
) -> None:
    """Say why a robot cannot be `what`, if so.

    Raises:
        RobcogenError: If its base is not as `floating_base` has it, or it lacks one of the
            functions.
    """
    if library.robot.floating_base and floating_base is False:
        raise RobcogenError(f"{what} is for a robot on a fixed base: leave out the free base")
    check_functions(library, what, functions)


def class_name(target: str) -> str:
    """Returns the beginning of the names of a target's plugins: `left_arm` gives `LeftArm`."""
    return "".join(part[:1].upper() + part[1:] for part in target.split("_"))


def _record(description: Description, robot: Robot) -> dict[str, Any]:
    """Returns links of the file that belong to the robot, and joints between these."""
    names = {a.child for a in robot.attachments} | {a.parent for a in robot.attachments}
    return {
        "links": [_link(x) for x in description.links if x.name in names],
        "joints": [_joint(x) for x in description.joints if {x.parent, x.child} <= names],
    }


def _link(link: LinkDescription) -> str:
    """The initialiser of a link's record."""
    inertial = link.inertial
    if inertial is None:
        return f"{{{quoted(link.name)}}}"
    turn = inertial.pose.rotation
    tensor = turn @ inertial.central_tensor().matrix() @ turn.transposed()
    upper = (entry for i, row in enumerate(tensor) for entry in list(row)[i:])
    center = inertial.pose.point(inertial.center)
    return f"{{{quoted(link.name)}, {_number(inertial.mass)}, {_row(center)}, {_row(upper)}}}"


def _joint(joint: JointDescription) -> str:
    """The initialiser of a joint's record."""
    limits = joint.limits
    ends = (limits.lower, limits.upper, limits.velocity, limits.effort)
    words = [
        *map(quoted, (joint.name, joint.kind, joint.parent, joint.child)),
        _row(joint.pose.translation),
        _row(entry for row in joint.pose.rotation for entry in row),
        _row(_unit(joint.axis)),
        _row(end or 0.0 for end in ends),
    ]
    if joint.mimic is not None:
        mimic = joint.mimic
        words += [quoted(mimic.leader), _number(mimic.multiplier), _number(mimic.offset)]
    return f"{{{', '.join(words)}}}"


def _unit(axis: Vector) -> Vector:
    """The axis with length one; zero as it is."""
    values = [float(x) for x in axis]
    length = math.hypot(*values)
    return Vector(*(value / length if length else 0.0 for value in values))


def _row(values: Iterable[Scalar]) -> str:
    return f"{{{', '.join(map(_number, values))}}}"


def _number(value: Scalar) -> str:
    """A number; NaN, which is not compared, where a parameter leaves it open."""
    try:
        return double(float(value))
    except ValueError:
        return double(None)
