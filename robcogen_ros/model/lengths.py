"""Lengths and angles of linkages that are parameters: whether joints follow alike at others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.description import ClosureDescription, Description, JointDescription, Mimic
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression, Parameter, expression
from robcogen_ros.model.scalars.operation import Scalar

_OTHERS = 2
_APART = 0.03
"""Distance of parameters from their defaults [m or rad, relative where these are larger]."""
_OF_VALUES = ("start", "near", "steps", "closed_at", "loops")
"""Parts of closures that may be other at other lengths."""


def open_lengths(description: Description) -> tuple[Parameter, ...]:
    """Parameters that change where links are."""
    return tuple(p for p in description.parameters if p.group != "inertia")


def at_other_lengths(description: Description) -> Iterator[Description]:
    """The description with numbers in place of parameters, near their defaults.

    Raises:
        RobcogenError: If a parameter has no default.
    """
    random = np.random.default_rng(55)
    lengths = open_lengths(description)
    for parameter in lengths:
        if parameter.default is None:
            message = f"parameter '{parameter.name}' needs a default, at which loops are closed"
            raise RobcogenError(message)
    for _ in range(_OTHERS):
        yield _with_values(
            description,
            {
                p.name: number.number(_near(float(p.default or 0), random.uniform(-1, 1)))
                for p in lengths
            },
        )


def _near(default: float, way: float) -> float:
    return default + _APART * way * max(abs(default), _APART)


def _with_values(description: Description, values: Mapping[str, Decimal]) -> Description:
    def valued(x: Scalar) -> Expression:
        term = expression(x)
        known = {*values} >= {p.name for p in term.parameters()}
        return term if term.is_constant or not known else expression(term.evaluate(values))

    def joint(each: JointDescription) -> JointDescription:
        mimic = each.mimic and Mimic(
            each.mimic.leader, valued(each.mimic.multiplier), valued(each.mimic.offset)
        )
        pose, axis = each.pose.map(valued), each.axis.map(valued)
        return replace(each, pose=pose, axis=axis, pitch=valued(each.pitch), mimic=mimic)

    return replace(
        description,
        joints=tuple(map(joint, description.joints)),
        frames=tuple(replace(f, pose=f.pose.map(valued)) for f in description.frames),
        parameters=tuple(p for p in description.parameters if p.name not in values),
    )


def cannot_be_other(lengths: Sequence[Parameter], why: str) -> RobcogenError:
    """The error of parameters that a linkage cannot have."""
    names = ", ".join(f"'{p.name}'" for p in lengths)
    return RobcogenError(f"lengths and angles of loops cannot be parameters here ({names}): {why}")


def follows_otherwise(found: Description, again: Description) -> bool:
    """Returns True if joints of two descriptions follow others in another way, or are held."""
    return _ways(found) != _ways(again)


def _ways(description: Description) -> object:
    """Returns the parts of joints and closures that are to be the same."""
    joints = [
        (joint.name, joint.kind == "fixed", joint.mimic and joint.mimic.leader)
        for joint in description.joints
    ]
    names = [f.name for f in fields(ClosureDescription) if f.name not in _OF_VALUES]
    return joints, [[getattr(c, name) for name in names] for c in description.closures]
