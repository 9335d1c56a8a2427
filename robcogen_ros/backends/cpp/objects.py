"""Objects of the core library that keep something from call to call: what they ask of a robot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.backends.render import include_directory
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library


@dataclass(frozen=True, slots=True)
class ObjectType:
    """Object with a state that robots can have.

    Attributes:
        name: Its name, that of its header.
        what: What an error calls it.
        needs: Functions that it calls, those of contacts where there are any.
        library: The library of the core that it is in; of robots on legs and observers also the
            option that asks for it.
        stands: Whether it is for robots with a floating base that stand on points or poses.
    """

    name: str
    what: str
    needs: tuple[str, ...]
    library: str
    stands: bool = False


def _text(header: str) -> str:
    return (include_directory() / "robcogen_ros" / "core" / header).read_text()


def _needs() -> dict[str, tuple[str, ...]]:
    """Returns the names of functions that each kind of object calls, as the core lists them."""
    lists = re.findall(r"Names for_(\w+)\{(.*?)\};", _text("needed.hpp"), re.DOTALL)
    return {name: tuple(re.findall(r'"(\w+)"', listed)) for name, listed in lists}


def _room(what: str) -> int:
    (number,) = re.findall(rf"#define ROBCOGEN_MOST_{what} (\d+)", _text("runtime_model.hpp"))
    return int(number)


MOST_JOINTS, MOST_CONTACTS = _room("JOINTS"), _room("CONTACTS")
"""Most joints and contacts that objects have room for as they are compiled with robcogen_ros."""
NEEDS = _needs()

GROUND = ObjectType("ground", "a robot on the ground", NEEDS["ground"], "ground", stands=True)
WHOLE_BODY = ObjectType(
    "whole_body",
    "a robot under whole-body control",
    NEEDS["whole_body"],
    "whole_body",
    stands=True,
)
MOMENTUM_OBSERVER = ObjectType(
    "momentum_observer",
    "an observer of external forces",
    NEEDS["observer_of_contacts"],
    "momentum_observer",
)
BASE_ESTIMATOR = ObjectType(
    "base_estimator",
    "an estimator of the base",
    NEEDS["estimator"],
    "base_estimator",
    stands=True,
)
GAIT = ObjectType("gait", "a robot that steps", NEEDS["gaits"], "whole_body", stands=True)
PLAYBACK = ObjectType(
    "playback", "a robot that plays gaits", NEEDS["playback"], "whole_body", stands=True
)
WHOLE_BODY_LOOP = ObjectType(
    "whole_body_loop",
    "a robot on legs under control",
    NEEDS["whole_body_loop"],
    "whole_body",
    stands=True,
)
INVERSE_DYNAMICS_CONTROLLER = ObjectType(
    "inverse_dynamics_controller",
    "the controller of an arm",
    NEEDS["arms"],
    "inverse_dynamics_controller",
)
TASK_SPACE_CONTROLLER = ObjectType(
    "task_space_controller",
    "the controller of a tool",
    NEEDS["tools"],
    "task_space_controller",
)
INVERSE_KINEMATICS = ObjectType(
    "inverse_kinematics",
    "inverse kinematics",
    NEEDS["inverse_kinematics"],
    "inverse_kinematics",
)
SIMULATION = ObjectType(
    "simulation",
    "a robot that moves by its forward dynamics",
    NEEDS["simulation"],
    "simulation",
)
OBJECTS = {
    each.name: each
    for each in (
        *(GROUND, WHOLE_BODY, GAIT, PLAYBACK, WHOLE_BODY_LOOP),
        *(BASE_ESTIMATOR, MOMENTUM_OBSERVER, INVERSE_DYNAMICS_CONTROLLER),
        *(TASK_SPACE_CONTROLLER, SIMULATION, INVERSE_KINEMATICS),
    )
}


def asked_for(ground: bool, whole_body: bool, momentum_observer: bool) -> tuple[str, ...]:
    """Names of the objects of a robot; one whose trunk and feet are controlled has a gait, too."""
    of_control = (WHOLE_BODY.name, GAIT.name, PLAYBACK.name, WHOLE_BODY_LOOP.name) * whole_body
    return (GROUND.name,) * ground + of_control + (MOMENTUM_OBSERVER.name,) * momentum_observer


def needed_functions(
    objects: Sequence[str], contacts: Sequence[Contact], loops: bool = False
) -> tuple[str, ...]:
    """Functions that the objects of a robot call, and those of robots that have loops."""
    of_loops = NEEDS["loops"] * (loops and any(OBJECTS[each].stands for each in objects))
    names = [n for each in objects for n in OBJECTS[each].needs]
    return callable_functions([*names, *of_loops], contacts)


def callable_functions(names: Sequence[str], contacts: Sequence[Contact]) -> tuple[str, ...]:
    """Each of some functions once, those of contacts where there are any."""
    return tuple(dict.fromkeys(n for n in names if contacts or not n.startswith("contact_")))


def check_objects(objects: Sequence[str], library: Library) -> None:
    """Says why a robot cannot have some objects, if so.

    Raises:
        RobcogenError: If it does not stand on feet or lacks a function.
    """
    for name in objects:
        kind = OBJECTS[name]
        if kind.stands:
            check_feet(library.robot, kind.what)
        check_functions(library, kind.what, needed_functions((name,), library.robot.contacts))


def check_functions(library: Library, what: str, functions: Sequence[str]) -> None:
    """Says which functions a robot lacks, if so, and why.

    Raises:
        RobcogenError: If it does.
    """
    reasons = library.requested.unavailable
    missing = [
        f"{name}: {reasons.get(name, 'it is not among the functions')}"
        for name in functions
        if name not in library.names
    ]
    if missing:
        needed = " and ".join(functions)
        raise RobcogenError(f"{what} needs the functions {needed}; {'; '.join(missing)}")


def check_feet(robot: Robot, what: str) -> None:
    """Says why a robot cannot stand on its contacts, if so.

    Raises:
        RobcogenError: If its base does not float, it has no contacts, or they are no feet.
    """
    if not robot.floating_base:
        raise RobcogenError(f"{what} has a floating base: ask for one")
    if not robot.contacts:
        raise RobcogenError(f"{what} needs contacts: name the frames of its feet")
    odd = [c.name for c in robot.contacts if not (c.is_point or c.is_pose)]
    if odd:
        raise RobcogenError(
            f"{what} has contacts that are points or poses; contact '{odd[0]}' is neither"
        )
