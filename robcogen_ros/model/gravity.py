"""Gravity at a fixed base: as it is given, or as the root of the file stands in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.model.description import Description, JointDescription
from robcogen_ros.model.given import finite_number
from robcogen_ros.model.mimicry import followings, posed
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import MOUNT, GivenGravity, option_text
from robcogen_ros.model.robot import STANDARD_GRAVITY, Gravity
from robcogen_ros.model.scalars.expression import ZERO, Expression, expression
from robcogen_ros.model.spatial import Vector

_MOST = 100.0
"""Gravity beyond that of any planet [m/s^2], in any coordinate."""
_TURNED = 1e-3
"""Difference from which on gravity is not what it is in the file's root [m/s^2]."""


class Seen(NamedTuple):
    """The gravity that a link sees, and the joints above it which can change that."""

    gravity: Gravity
    tilting: tuple[str, ...]


def gravity_in_root(
    description: Description, root: str | None, given: GivenGravity, floating: bool
) -> tuple[Gravity, list[Problem]]:
    """Gravity in the root link where callers give none, and what is odd about it.

    Args:
        description: The whole robot, joints that cannot move fixed.
        root: The link that is the root; None for the file's.
        given: Three numbers in its coordinates [m/s^2], or `MOUNT`.
        floating: Whether the base floats; then callers always give gravity.

    Raises:
        RobcogenError: If `given` is neither, or the base floats and gravity is given.
        ModelError: If none is given and the root is turned against that of the file.
    """
    if floating:
        if given is not None:
            raise RobcogenError(
                "gravity is for a fixed base: where the base floats, functions take gravity as an "
                "input, in coordinates of the base"
            )
        return STANDARD_GRAVITY, []
    if given is not None and not isinstance(given, str):
        return _numbers(given), []
    if given not in (None, MOUNT):
        raise RobcogenError(_expected(given))
    path = _path(description, root)
    free = {joint.name: ZERO for joint in description.joints if joint.mimic is None}
    at_zero = {name: found.offset for name, found in followings(description, free).items()}
    seen = _seen(path, at_zero)
    place = next((link.location for link in description.links if link.name == root), None)
    if given is None and any(
        abs(a - b) > _TURNED for a, b in zip(seen.gravity, STANDARD_GRAVITY, strict=True)
    ):
        raise ModelError.at(place, _turned(seen, path))
    found = [Problem(_changing(seen, path), place, "warning")] if seen.tilting else []
    return (seen.gravity if given else STANDARD_GRAVITY), found


def _numbers(given: Iterable[float]) -> Gravity:
    try:
        values = tuple(given)
    except TypeError:
        values = ()
    if len(values) != len(STANDARD_GRAVITY):
        raise RobcogenError(_expected(given))
    x, y, z = (finite_number("gravity", value) + 0.0 for value in values)
    for value in (x, y, z):
        if abs(value) > _MOST:
            raise RobcogenError(f"gravity: expected -{_MOST:g} to {_MOST:g} m/s^2, found {value:g}")
    return x, y, z


def _expected(given: object) -> str:
    return f"gravity: expected three numbers [m/s^2] or '{MOUNT}', found {given!r}"


def _path(description: Description, root: str | None) -> list[JointDescription]:
    """The joints from the file's root to a link, outwards."""
    mover = {joint.child: joint for joint in description.joints}
    path = []
    link = root
    while link in mover:
        path.append(mover[link])
        link = mover[link].parent
    return path[::-1]


def _seen(path: Sequence[JointDescription], positions: Mapping[str, Expression]) -> Seen:
    """The file's gravity in the link at the end of a path, with joints at given positions.

    Raises:
        RobcogenError: If it depends on parameters.
    """
    gravity = Vector(*map(expression, STANDARD_GRAVITY))
    tilting: list[str] = []
    for joint in path:
        before = joint.pose.rotation.transposed().apply(gravity)
        if joint.kind in ("revolute", "continuous") and (tilting or _tilts(joint.axis, before)):
            tilting.append(joint.name)
        moved = posed(joint, positions[joint.name]).rotation
        gravity = moved.transposed().apply(gravity)
    try:
        x, y, z = (float(entry) + 0.0 for entry in gravity)
    except ValueError:
        raise RobcogenError(
            f"gravity in link '{path[-1].child}' depends on parameters; give it as three numbers"
        ) from None
    return Seen((x, y, z), tuple(tilting))


def _tilts(axis: Vector, gravity: Vector) -> bool:
    """Returns True if a turn about an axis changes the direction of gravity seen by its link."""
    try:
        crossed = [float(x) for x in axis.map(expression).cross(gravity)]
    except ValueError:
        return True
    return math.hypot(*crossed) > _TURNED * math.hypot(*map(float, axis))


def _turned(seen: Seen, path: Sequence[JointDescription]) -> str:
    numbers = _text(seen.gravity)
    more = f"; that is with {_joints(seen.tilting)} at zero" if seen.tilting else ""
    given, mount = option_text("gravity", *numbers.split()), option_text("gravity", MOUNT)
    return (
        f"the root '{path[-1].child}' is turned against '{path[0].parent}', the root of the file: "
        f"gravity is {numbers} in it, not {_text(STANDARD_GRAVITY)} m/s^2; give "
        f"{given}, or {mount} for the same{more}"
    )


def _changing(seen: Seen, path: Sequence[JointDescription]) -> str:
    return (
        f"gravity in the root '{path[-1].child}' changes with {_joints(seen.tilting)} above it: "
        f"{_text(seen.gravity)} m/s^2 is taken, which is right at zero; lock what does not move "
        f"({option_text('lock')}), or give three numbers ({option_text('gravity')})"
    )


def _joints(names: Sequence[str]) -> str:
    quoted = listed([f"'{name}'" for name in names])
    return f"joint {quoted}" if len(names) == 1 else f"joints {quoted}"


def _text(gravity: Gravity) -> str:
    return " ".join(texts(gravity))


def texts(gravity: Gravity) -> tuple[str, ...]:
    """The numbers as they are written in generated text."""
    return tuple(repr(x).removesuffix(".0") for x in gravity)
