"""Checks the numbers of joints besides their poses: limits, friction, rotors.

What limits mean is `Limits.meant()`; docs/urdf.md tells it to users.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import ENDLESS, JointDescription
from robcogen_ros.model.names import listed


def check_limits(joints: Sequence[JointDescription]) -> Iterator[Problem]:
    """Findings about limits, friction and armature of all joints."""
    moving = [joint for joint in joints if joint.kind != "fixed"]
    for joint in moving:
        yield from _range(joint)
        yield from _negative(joint)
    yield from _springs(moving)
    unknown: dict[str, list[JointDescription]] = {}
    for joint in moving:
        for what in () if joint.mimic else joint.limits.unknown:
            unknown.setdefault(what, []).append(joint)
    if unknown:
        found = (f"{what} of {listed([j.name for j in zero])}" for what, zero in unknown.items())
        message = f"0 stands for an unknown limit, so there is none: {'; '.join(found)}"
        yield Problem(message, next(iter(unknown.values()))[0].limits.location, "warning")


def _springs(joints: Sequence[JointDescription]) -> Iterator[Problem]:
    """Positions of rest that no spring can have."""
    without = [joint for joint in joints if joint.rest and not joint.stiffness]
    if without:
        message = (
            f"springs of {listed([joint.name for joint in without])} have a position of rest and "
            "no stiffness: there are none"
        )
        yield Problem(message, without[0].location, "warning")
    turning = [joint for joint in joints if joint.kind in ("revolute", "continuous")]
    for joint in turning:
        if joint.stiffness and abs(joint.rest) > 2 * math.pi:
            message = (
                f"the spring of joint '{joint.name}' rests at {joint.rest:g} rad, more than a turn "
                f"away; if degrees are meant, write {math.radians(joint.rest):.5g}"
            )
            yield Problem(message, joint.location, "warning")


def _range(joint: JointDescription) -> Iterator[Problem]:
    lower, upper = joint.limits.lower, joint.limits.upper
    if (lower or 0) >= ENDLESS or (upper or 0) <= -ENDLESS:
        message = f"the limits of joint '{joint.name}' leave no position: {lower} to {upper}"
        yield Problem(message, joint.limits.location)
    elif joint.limits.swapped:
        message = f"lower limit {lower:g} of joint '{joint.name}' is above upper limit {upper:g}"
        if not _points_backwards(joint):
            yield Problem(f"{message}: it has neither", joint.location, "warning")
            return
        message += (
            ", and its axis points backwards: whether the two are swapped or have the wrong signs "
            "is not to be told; write the lower one first, as positions about this axis"
        )
        yield Problem(message, joint.location)


def _points_backwards(joint: JointDescription) -> bool:
    """Returns True if the axis is against the coordinate direction that it is nearest to."""
    return float(max(joint.axis, key=lambda component: abs(float(component)))) < 0


def _negative(joint: JointDescription) -> Iterator[Problem]:
    for what in ("velocity", "effort"):
        limit = getattr(joint.limits, what)
        if limit is not None and limit < 0:
            message = (
                f"{what} limit {limit:g} of joint '{joint.name}' is negative; where it is not "
                "known, write 0"
            )
            yield Problem(message, joint.limits.location)
    for what in ("damping", "friction", "armature"):
        value = getattr(joint, what)
        if value < 0:
            message = f"{what} {value:g} of joint '{joint.name}' is negative"
            yield Problem(message, joint.location, "warning")
    if joint.stiffness < 0:
        message = f"stiffness {joint.stiffness:g} of joint '{joint.name}' is negative"
        yield Problem(message, joint.location)
