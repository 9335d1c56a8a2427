"""Quantities over floats at many positions, of which numbers that are 0 or 1 take no time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Operation, Scalar

Array = NDArray[np.float64]


class Values:
    """A quantity at each position, (positions,); what is the same at all is a float beside it.

    Attributes:
        array: The values.
    """

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    def apply(self, operation: Operation, *operands: Scalar) -> Values:
        """The operation on operands."""
        return Values(operation.numeric(*map(array_of, operands)))

    def __add__(self, other: Scalar) -> Values:
        if type(other) is Values:
            return Values(self.array + other.array)
        return Values(self.array + other) if other else self

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Values:
        if type(other) is Values:
            return Values(self.array - other.array)
        return Values(self.array - other) if other else self

    def __rsub__(self, other: Scalar) -> Values:
        return Values(other - self.array)

    def __mul__(self, other: Scalar) -> Scalar:
        if type(other) is Values:
            return Values(self.array * other.array)
        if not other or other == 1:
            return self if other else 0.0
        return Values(self.array * other)

    __rmul__ = __mul__

    def __neg__(self) -> Values:
        return Values(-self.array)

    def __abs__(self) -> Values:
        return Values(np.abs(self.array))


def array_of(value: Scalar) -> Any:
    """Values as an array, (positions,); a number as it is."""
    return value.array if type(value) is Values else value


def random_transforms(robot: Robot, count: int) -> Sequence[JointTransform]:
    """Transforms across joints of a robot over floats, at positions that are the same every time.

    Dependent joints are at positions of their own.
    """
    random = default_rng(1)
    positions = random.uniform(-np.pi, np.pi, (robot.n, count))
    joints = list(robot.joints)
    for k, joint in enumerate(joints):
        if joint.is_open:
            angle = random.uniform(-np.pi, np.pi, count)
            turn = Values(np.cos(angle)), Values(np.sin(angle))
            slides = joint.kind.slides
            joints[k] = (
                replace(joint, position=Values(angle)) if slides else replace(joint, turn=turn)
            )
    placed = replace(robot, joints=tuple(joints)) if robot.has_loops else robot
    return joint_transforms(placed, [Values(row) for row in positions])
