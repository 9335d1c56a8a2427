"""Objects of a robot that keep something from call to call: the sources of their C interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.render import render
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library


@dataclass(frozen=True, slots=True)
class ObjectType:
    """What robots can have.

    Attributes:
        name: Its name, that of its header and of its source.
        type: The class of its interface.
        what: What an error calls it.
        needs: Functions that it calls.
    """

    name: str
    type: str
    what: str
    needs: tuple[str, ...]


GROUND = ObjectType(
    "ground",
    "Ground",
    "a robot on the ground",
    ("inertia_matrix", "forward_dynamics", "kinematics", "contact_jacobian", "contact_bias"),
)
WHOLE_BODY = ObjectType(
    "whole_body",
    "WholeBody",
    "a robot under whole-body control",
    (
        "kinematics",
        "gravity_torques",
        "inertia_matrix_inverse",
        "contact_jacobian",
        "contact_bias",
        "contact_inverse_dynamics",
    ),
)
OBJECTS = {each.name: each for each in (GROUND, WHOLE_BODY)}


def object_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Sources of the objects of a target.

    Raises:
        RobcogenError: If a robot cannot have one.
    """
    files = {}
    for name in target.objects:
        kind = OBJECTS[name]
        _check(library, kind)
        context = {"project": target.project, "target": target.name}
        text = render("cpp/object.cpp.jinja", {**context, "name": kind.name, "type": kind.type})
        files[PurePosixPath("src") / f"{name}.cpp"] = text
    return files


def _check(library: Library, kind: ObjectType) -> None:
    robot = library.robot
    if not robot.floating_base:
        raise RobcogenError(f"{kind.what} has a floating base: ask for one")
    if not robot.contacts:
        raise RobcogenError(f"{kind.what} needs contacts: name the frames of its feet")
    odd = [c.name for c in robot.contacts if c.rows not in ((3, 4, 5), (0, 1, 2, 3, 4, 5))]
    if odd:
        raise RobcogenError(
            f"{kind.what} has contacts that are points or poses; contact '{odd[0]}' is neither"
        )
    missing = [name for name in kind.needs if name not in library.names]
    if missing:
        raise RobcogenError(
            f"{kind.what} needs the functions {', '.join(kind.needs)}; "
            f"{', '.join(missing)} is not among those that are generated"
        )
