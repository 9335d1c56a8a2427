"""Sources of plugins: a robot as interfaces of other packages know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.controller import class_name, needs, plugin_context, record_files
from robcogen_ros.backends.cpp.text import quoted
from robcogen_ros.backends.render import render
from robcogen_ros.model.description import Description
from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.program.library import Library


@dataclass(frozen=True)
class Interface:
    """Plugin of another package that a robot can be.

    Attributes:
        name: Name of the source without its suffix.
        title: What it is called in messages.
        suffix: End of the class's name.
        base: The class of the other package.
        adapter: Our class template that implements it.
        header: Where that is.
        functions: What it calls.
    """

    name: str
    title: str
    suffix: str
    base: str
    adapter: str
    header: str
    functions: tuple[str, ...]


INVERSE_DYNAMICS_SOLVER = Interface(
    "inverse_dynamics_solver",
    "an inverse dynamics solver",
    "InverseDynamicsSolver",
    "inverse_dynamics_solver::InverseDynamicsSolver",
    "robcogen_ros::plugins::InverseDynamicsSolver",
    "robcogen_ros/plugins/inverse_dynamics_solver.hpp",
    ("inverse_dynamics", "gravity_torques", "coriolis_torques", "inertia_matrix"),
)
KINEMATICS = Interface(
    "kinematics_plugin",
    "a kinematics plugin",
    "Kinematics",
    "kinematics_interface::KinematicsInterface",
    "robcogen_ros::plugins::KinematicsInterface",
    "robcogen_ros/plugins/kinematics_interface.hpp",
    ("kinematics",),
)
MOVEIT = Interface(
    "moveit_plugin",
    "a plugin of MoveIt",
    "MoveItKinematics",
    "kinematics::KinematicsBase",
    "robcogen_ros::plugins::MoveItKinematics",
    "robcogen_ros/plugins/moveit_kinematics.hpp",
    ("kinematics",),
)
INTERFACES = (INVERSE_DYNAMICS_SOLVER, KINEMATICS, MOVEIT)


def interface_plugin_files(
    interface: Interface,
    description: Description,
    library: Library,
    target: Target,
    root: str,
    tips: Sequence[str],
) -> dict[PurePosixPath, str]:
    """The source of a plugin, and the record of the robot's file that it compares with.

    Args:
        interface: What the robot is for others.
        description: What its file alone says, as the robot description at run time does.
        library: Its functions.
        target: Names under which code is generated.
        root: The link that it was made to start from; empty: the file's.
        tips: The links that it was made to end at.

    Raises:
        RobcogenError: If the robot cannot be that.
    """
    needs(library, interface.title, interface.functions)
    context = {
        **plugin_context(library.robot, target),
        "class_name": class_name(target.name) + interface.suffix,
        "base": interface.base,
        "adapter": interface.adapter,
        "header": interface.header,
        "root": quoted(root),
        "tip": quoted(tips[0] if len(tips) == 1 else ""),
        "usual_gravity": str(library.robot.gravity == STANDARD_GRAVITY).lower(),
    }
    text = render("ros/interface_plugin.cpp.jinja", context)
    record = record_files(description, library.robot, target, whole=not (root or tips))
    return {**record, PurePosixPath("src") / f"{interface.name}.cpp": text}
