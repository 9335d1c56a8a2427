"""From a file to a checked kinematic tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from robcogen_ros.errors import Problem, strictly
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.model.check import check
from robcogen_ros.model.description import Description
from robcogen_ros.model.given import flag
from robcogen_ros.model.gravity import GivenGravity
from robcogen_ros.model.reduce import reduction
from robcogen_ros.model.robot import Robot


@dataclass(frozen=True, slots=True)
class Reading:
    """A robot that was read.

    Attributes:
        robot: The kinematic tree.
        description: What the file says.
        warnings: What is odd about it, and what should be known of it.
    """

    robot: Robot
    description: Description
    warnings: tuple[Problem, ...]


def read(
    path: str | Path | Source,
    *,
    floating_base: bool | None = None,
    root: str | None = None,
    tips: Sequence[str] = (),
    lock: Mapping[str, float] | None = None,
    xacro_args: Mapping[str, object] | None = None,
    package_paths: Mapping[str, str] | None = None,
    terms: Collection[str] = (),
    parameters: Sequence[str] = (),
    payload: str | None = None,
    contacts: Sequence[str] = (),
    snap_angles: float | None = None,
    accept_inertia: bool = False,
    strict: bool = False,
    cut_loops: bool = False,
    format: str | None = None,
    gravity: GivenGravity = None,
    keep_attached: bool = False,
) -> Reading:
    """Load a file, check it, reduce it; arguments as in `load`, `check` and `reduction`.

    `strict` takes warnings for errors.

    Raises:
        ModelError: If the file is wrong; it holds all that was found.
        RobcogenError: If an argument names what the robot has not.
    """
    description = load(
        path,
        xacro_args=xacro_args,
        package_paths=package_paths,
        snap_angles=snap_angles,
        cut_loops=cut_loops,
        format=format,
    )
    strict, accepted = flag("strict", strict), flag("accept_inertia", accept_inertia)
    problems = strictly([*description.warnings, *check(description, accepted)], strict)
    robot, odd = reduction(
        description,
        floating_base=floating_base,
        root=root,
        tips=tips,
        lock=lock,
        terms=terms,
        parameters=parameters,
        payload=payload,
        contacts=contacts,
        gravity=gravity,
        keep_attached=keep_attached,
    )
    return Reading(robot, description, (*problems, *strictly(odd, strict)))
