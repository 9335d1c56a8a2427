"""Positions at which joints are locked, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.description import Description, JointDescription, Limits
from robcogen_ros.model.given import by_name, finite_number
from robcogen_ros.model.names import hint
from robcogen_ros.model.scalars.expression import Expression, expression

_SLACK = 1e-6
"""Distance beyond its range at which a joint may be locked, for limits with digits cut off [rad
or m]."""


def lock_positions(
    description: Description, lock: Mapping[str, float] | None
) -> dict[str, Expression]:
    """Positions of the joints that are locked, by name.

    Args:
        description: A sound description.
        lock: Positions [rad or m] as they are given.

    Raises:
        RobcogenError: If a joint is not there or cannot move, or a position is no finite number or
            beyond the joint's range.
    """
    joints = {joint.name: joint for joint in description.joints}
    positions = {}
    for name, value in by_name("lock", lock).items():
        if name not in joints:
            known = hint(name, joints)
            raise RobcogenError(f"cannot lock joint '{name}': there is no such joint{known}")
        joint = joints[name]
        if joint.motion is None:
            raise RobcogenError(f"cannot lock joint '{name}': it is {joint.kind}")
        position = finite_number(f"cannot lock joint '{name}'", value)
        _check_range(joint, position)
        positions[name] = expression(position)
    return positions


def _check_range(joint: JointDescription, position: float) -> None:
    limits = Limits() if joint.kind == "continuous" else joint.limits.meant()
    lower = -math.inf if limits.lower is None else limits.lower
    upper = math.inf if limits.upper is None else limits.upper
    if not lower - _SLACK <= position <= upper + _SLACK:
        assert joint.motion
        unit = joint.motion.unit
        raise RobcogenError(
            f"cannot lock joint '{joint.name}' at {position:g} {unit}: its range is {lower:g} to "
            f"{upper:g} {unit}"
        )
