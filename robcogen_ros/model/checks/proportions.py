"""Checks that masses, lengths, inertia and efforts of a robot are of one system of units.

Each is possible by itself. What is asked is whether a joint could carry a hundredth of what hangs
on it, stretched out, and whether a link has a hundred times the inertia of the whole robot's mass
at the end of its reach: masses in grams and inertia in kg mm^2 are far beyond, robots are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import (
    Description,
    Inertial,
    JointDescription,
    LinkDescription,
)
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.model.spatial import Vector

_ABSURD = 100.0
"""Factor beyond the likely that tells of another unit."""


class _Carried(NamedTuple):
    """Mass on a link, its own too [kg], and how far from its origin that is at most [m]."""

    mass: float
    reach: float


def check_proportions(description: Description) -> Iterator[Problem]:
    """Yields warnings of a tree whose numbers do not fit each other.

    Parameters without a default, and what is not a number, leave nothing to compare.
    """
    try:
        carried = _carried(description)
    except (ValueError, ArithmeticError):
        return
    yield from _too_heavy(description, carried)
    yield from _too_inert(description, carried)


def _carried(description: Description) -> dict[str, _Carried]:
    """Returns what each link carries, those of the tips first."""
    joints: dict[str, list[JointDescription]] = {}
    for joint in description.joints:
        joints.setdefault(joint.parent, []).append(joint)
    inertials = {link.name: link.inertial for link in description.links}
    moved = {joint.child for joint in description.joints}
    order = [link.name for link in description.links if link.name not in moved]
    for name in order:
        order.extend(joint.child for joint in joints.get(name, ()))
    found: dict[str, _Carried] = {}
    for name in reversed(order):
        inertial = inertials[name]
        own = _Carried(0.0, 0.0) if inertial is None else _own(inertial)
        parts = [own]
        for joint in joints.get(name, ()):
            mass, reach = found[joint.child]
            parts.append(_Carried(mass, _length(joint.pose.translation) + _travel(joint) + reach))
        found[name] = _Carried(sum(p.mass for p in parts), max(p.reach for p in parts))
    return found


def _own(inertial: Inertial) -> _Carried:
    center = inertial.pose.translation
    return _Carried(float(inertial.mass), _length(center) + _length(inertial.center))


def _length(vector: Vector) -> float:
    return math.hypot(*(float(component) for component in vector))


def _travel(joint: JointDescription) -> float:
    """Returns how far a joint slides at most [m]."""
    if joint.kind != "prismatic":
        return 0.0
    return max(abs(limit or 0.0) for limit in (joint.limits.lower, joint.limits.upper))


def _too_heavy(description: Description, carried: dict[str, _Carried]) -> Iterator[Problem]:
    """Yields the joint whose limit of effort is least for the weight that it carries."""
    worst: tuple[float, JointDescription] | None = None
    for joint in description.joints:
        limit = joint.limits.meant().effort
        if joint.motion is None or limit is None or limit < 0:
            continue
        mass, reach = carried[joint.child]
        times = FREE_FALL * mass * (reach if joint.motion.turns else 1.0) / limit
        if times > (worst[0] if worst else _ABSURD):
            worst = times, joint
    if worst is not None:
        joint = worst[1]
        mass, reach = carried[joint.child]
        message = (
            f"joint '{joint.name}' moves {mass:.3g} kg within {reach:.3g} m, and the limit of "
            f"its effort is {joint.limits.effort:g}: masses are in kg, lengths in m, efforts in "
            "N m or N"
        )
        yield Problem(message, joint.limits.location or joint.location, "warning")


def _too_inert(description: Description, carried: dict[str, _Carried]) -> Iterator[Problem]:
    """Yields the links whose rotational inertia is beyond that of the whole robot, far out."""
    moved = {joint.child for joint in description.joints}
    roots = [carried[link.name] for link in description.links if link.name not in moved]
    whole = roots[0].mass * roots[0].reach ** 2
    if not whole > 0:
        return
    found = list[tuple[float, LinkDescription, Inertial]]()
    for link in description.links:
        if link.inertial is not None:
            tensor = link.inertial.central_tensor()
            entries = np.array([[float(entry) for entry in row] for row in tensor.matrix()])
            found.append((float(np.abs(entries).max()), link, link.inertial))
    found = [each for each in found if each[0] > _ABSURD * whole]
    if found:
        moment, link, inertial = max(found, key=lambda each: each[0])
        others = f" {len(found) - 1} other links have too much, too" * (len(found) > 1)
        message = (
            f"link '{link.name}' has a rotational inertia of {moment:.3g} kg m^2, and the whole "
            f"robot {roots[0].mass:.3g} kg within {roots[0].reach:.3g} m: is it in kg m^2?{others}"
        )
        yield Problem(message, inertial.location, "warning")
