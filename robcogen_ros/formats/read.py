"""Readers of all formats, from a file to a checked kinematic tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from robcogen_ros.errors import Problem, strictly
from robcogen_ros.formats.load import alone, closed
from robcogen_ros.formats.source import Source
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.closures.linkage import linked
from robcogen_ros.model.closures.multipliers import spanned
from robcogen_ros.model.description import Description
from robcogen_ros.model.motors import with_motors
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.model.reduce import reduction
from robcogen_ros.model.robot import Robot


@dataclass(frozen=True, slots=True)
class Reading:
    """A robot that was read.

    Attributes:
        robot: The kinematic tree.
        description: What the file says, joints following others as its loops make them.
        written: The same with its loops as they are written.
        alone: What the description says without the loops of another file.
        warnings: What is odd about it, and what should be known of it.
    """

    robot: Robot
    description: Description
    written: Description
    alone: Description
    warnings: tuple[Problem, ...]


def read(path: str | Path | Source, **options: Any) -> Reading:
    """Load a file, check it, reduce it; `options` are fields of `ModelOptions`.

    Raises:
        ModelError: If the file is wrong; it holds all that was found.
        RobcogenError: If an option names what the robot has not.
    """
    return reading_of(path, ModelOptions(**options))


def reading_of(path: str | Path | Source, options: ModelOptions) -> Reading:
    """Load a file, check it, reduce it; errors as in `read`."""
    tree = alone(path, options)
    description = written = closed(tree, options)
    found = [*description.warnings, *check(description, options.accept_inertia)]
    problems = strictly(found, options.strict)
    told: list[Problem] = []
    description = with_motors(description, options.actuated)
    if description.loops and options.loops_as == "multipliers":
        description, told = spanned(description, description.loops, options)
    elif description.loops:
        description, told = linked(description, description.loops, options)
        options = replace(options, lock=None)  # loops are closed with joints locked
    robot, odd = reduction(description, options)
    return Reading(
        robot, description, written, tree, (*problems, *strictly([*told, *odd], options.strict))
    )
