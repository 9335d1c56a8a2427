"""The motion that a robot is to follow, and the gains with which it does."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robcogen_ros.model.robot import Coordinate, Robot

UNLIMITED = 1e9
"""What stands for a limit that a robot has not."""
SWING = 0.3
"""Largest swing of a joint [rad or m]."""
FREQUENCIES = (0.3, 0.8)
"""Frequencies of the first and of the last joint [Hz], if they are not too fast for them."""
BANDWIDTH = 10.0
"""Angular frequency of the controlled errors [rad/s]."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A sine for each joint, `center + swing sin(pace t)`.

    Attributes:
        center: Middles [rad or m].
        swing: Amplitudes [rad or m].
        pace: Angular frequencies [rad/s].
    """

    center: tuple[float, ...]
    swing: tuple[float, ...]
    pace: tuple[float, ...]


def motion(robot: Robot) -> Motion:
    """A motion within the positions and speeds of a robot's joints."""
    center, swing, pace = [], [], []
    for i, coordinate in enumerate(robot.coordinates):
        middle, room = _range(i, coordinate)
        share = i / max(1, robot.n - 1)
        usual = 2 * math.pi * (FREQUENCIES[0] * (1 - share) + FREQUENCIES[1] * share)
        amplitude = min(SWING, 0.8 * room)
        speed = _positive(coordinate.limits.velocity)
        center.append(middle)
        swing.append(amplitude)
        pace.append(min(usual, 0.8 * speed / amplitude))
    return Motion(tuple(center), tuple(swing), tuple(pace))


def effort_limits(robot: Robot) -> tuple[float, ...]:
    """What the motors of a robot give at most [N m or N]."""
    return tuple(_positive(coordinate.limits.effort) for coordinate in robot.coordinates)


def _range(number: int, coordinate: Coordinate) -> tuple[float, float]:
    """The middle of a joint's range, and how far it may go from there."""
    lower, upper = coordinate.limits.lower, coordinate.limits.upper
    if lower is None or upper is None or not lower < upper or coordinate.continuous:
        return (0.4 if number % 2 == 0 else -0.4), math.inf
    if coordinate.prismatic or upper - lower < 2 * math.pi:
        return (lower + upper) / 2, (upper - lower) / 2
    middle = min(max(0.4 if number % 2 == 0 else -0.4, lower + SWING), upper - SWING)
    return middle, SWING / 0.8


def _positive(limit: float | None) -> float:
    """A limit; zero stands for one that is unknown, since URDF requires the attribute."""
    return float(limit) if limit else UNLIMITED
