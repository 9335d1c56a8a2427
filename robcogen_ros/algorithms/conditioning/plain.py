"""A robot over plain numbers, to find out what no position changes."""

from __future__ import annotations

import math
from decimal import Decimal

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot

_ANYWHERE = tuple(map(Decimal, ("0.5", "1.7", "7.3", "-0.9", "0.07")))
"""Values for parameters without a default; the first at which an expression has a value."""


def plain(robot: Robot) -> Robot:
    """The robot with its parameters at their defaults, or anywhere."""
    return robot.map(plain_number)


def plain_number(value: Scalar) -> float:
    """A quantity with parameters at their defaults, or anywhere."""
    term = expression(value)
    if term.value is not None:
        return float(term.value)
    still_open = [p.name for p in term.parameters() if p.default is None]
    for anywhere in _ANYWHERE:
        try:
            return float(term.evaluate(dict.fromkeys(still_open, anywhere)))
        except (ValueError, ArithmeticError):
            continue
    names = ", ".join(parameter.name for parameter in term.parameters())
    raise RobcogenError(
        f"an expression of {names} has no value: it divides by zero, or takes the square root of "
        "a negative number; give its parameters defaults at which it has one"
    )


def positions(robot: Robot, sample: int) -> list[float]:
    """Positions of the coordinates that nothing makes special, the same ones every time."""
    return [math.sin(1.0 + 7 * sample + i) for i in range(robot.n)]
