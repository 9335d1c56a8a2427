"""A robot over plain numbers, to find out what no position changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from robcogen_ros.algorithms.mechanics.loops.closures import at_position
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Coordinate, Robot
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.operation import Scalar

_ANYWHERE = tuple(map(Decimal, ("0.5", "1.7", "7.3", "-0.9", "0.07")))
"""Values for parameters without a default; the first at which an expression has a value."""


_TRIED = 200
"""Positions at which loops may close."""


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


def placed(robot: Robot, count: int) -> Iterator[tuple[Robot, list[float]]]:
    """A plain robot at positions that nothing makes special, the same ones every time.

    Where its loops close at none of many positions, there are fewer.
    """
    if not robot.has_loops:
        yield from ((robot, _positions(robot, sample)) for sample in range(count))
        return
    low, high = np.array([position_range(c) for c in robot.coordinates]).T
    tried = np.random.default_rng(0).uniform(low, high, (_TRIED, robot.n))
    with np.errstate(all="ignore"):  # loops that do not close
        at = at_position(robot, list(tried.T))
    rates = [share + np.zeros(_TRIED) for joint in at.joints for _, share in joint.rates]
    for k in np.flatnonzero(np.isfinite(rates).all(axis=0))[:count]:
        yield at_position(robot, list(tried[k])), list(tried[k])


def _positions(robot: Robot, sample: int) -> list[float]:
    return [math.sin(1.0 + 7 * sample + i) for i in range(robot.n)]


def position_range(coordinate: Coordinate) -> tuple[float, float]:
    """Positions that a coordinate can have; where it has no end, half a turn or a metre further."""
    limits, usual = coordinate.limits, 1.0 if coordinate.kind.is_length else math.pi
    lower = limits.lower if limits.lower is not None else min(-usual, (limits.upper or 0.0) - usual)
    upper = limits.upper if limits.upper is not None else max(usual, lower + usual)
    return lower, upper
