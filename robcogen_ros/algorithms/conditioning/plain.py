"""A robot over plain numbers, to find out what no position changes."""

from __future__ import annotations

import math
from decimal import Decimal

from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot


def plain(robot: Robot) -> Robot:
    """The robot with its parameters at their defaults, or anywhere."""
    return robot.map(plain_number)


def plain_number(value: Scalar) -> float:
    """A quantity with parameters at their defaults, or anywhere."""
    term = expression(value)
    if term.value is not None:
        return float(term.value)
    half = {p.name: Decimal("0.5") for p in term.parameters() if p.default is None}
    return float(term.evaluate(half))


def positions(robot: Robot, sample: int) -> list[float]:
    """Positions of the coordinates that nothing makes special, the same ones every time."""
    return [math.sin(1.0 + 7 * sample + i) for i in range(robot.n)]
