"""Transforms and Jacobians of a robot that a .dtdsl document asks for."""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.model.robot import Robot


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pair of frames: the transform left_X_right, or the Jacobian of right relative to left."""

    left: str
    right: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Desired:
    """Contents of a document of the Desired-Transforms-DSL.

    Attributes:
        name: Name of the robot it is meant for.
        frames: Frames that it declares.
        transforms: Pairs whose transform is wanted.
        jacobians: Pairs whose geometric Jacobian is wanted.
        tolerant: Whether what cannot be had is warned about instead of refused.
        location: The document.
        warnings: What is odd about it.
        files: Files it was read from, absolute.
    """

    name: str
    frames: tuple[str, ...]
    transforms: tuple[Wanted, ...]
    jacobians: tuple[Wanted, ...] = ()
    tolerant: bool = False
    location: Location | None = None
    warnings: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()


def function_names(desired: Desired, robot: Robot) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Names of the functions of a robot that a document asks for, and warnings.

    Raises:
        ModelError: If it names frames that the robot has not, unless it is read tolerantly.
    """
    problems = []
    if desired.name != robot.name:
        message = f"this is for robot '{desired.name}', the model is '{robot.name}'"
        problems.append(Problem(message, desired.location, "warning"))
    names = []
    severity = "warning" if desired.tolerant else "error"
    for infix, wanted in (("_X_", desired.transforms), ("_J_", desired.jacobians)):
        for pair in wanted:
            missing = [*_missing(robot, pair.left), *_missing(robot, pair.right)]
            problems += [Problem(message, pair.location, severity) for message in missing]
            if not missing:
                names.append(f"{pair.left}{infix}{pair.right}")
    problems = list(dict.fromkeys(problems))
    if any(problem.severity == "error" for problem in problems):
        raise ModelError([*desired.warnings, *problems])
    return tuple(dict.fromkeys(names)), (*desired.warnings, *problems)


def _missing(robot: Robot, frame: str) -> list[str]:
    try:
        robot.frame_index(frame)
    except RobcogenError as error:
        return [str(error)]
    return []


def from_the_base(robot: Robot) -> Desired:
    """Transforms from all frames to the base's, and Jacobians of what no joint moves further.

    These are the frames of the last links, and all frames on links that are no link's own.
    """
    links = [frame for frame in robot.frames if frame.of_link is not None]
    others = [f for f in robot.frames if f.of_link is None and not _is_of_joint(robot, f.name)]
    base, *moved = links
    moving = {joint.predecessor for joint in robot.joints}
    ends = [frame for frame in moved if frame.link not in moving]
    return Desired(
        name=robot.name,
        frames=tuple(frame.name for frame in (*links, *others)),
        transforms=tuple(Wanted(base.name, frame.name) for frame in (*moved, *others)),
        jacobians=tuple(Wanted(base.name, frame.name) for frame in (*ends, *others)),
    )


def _is_of_joint(robot: Robot, frame: str) -> bool:
    return any(frame == f"fr_{joint.name}" for joint in robot.joints)
