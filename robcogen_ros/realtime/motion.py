"""The motion that a robot is to follow, and the gains with which it does."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robcogen_ros.model.robot import Coordinate, Robot
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library

MODES = ("gravity", "compensation", "pd_gravity", "computed_torque")
"""Control laws that keep a robot where it is, or on a motion."""
MOVING = ("pd_gravity", "computed_torque")
"""Modes that follow a motion."""
Values = tuple[float, ...]
SWING = 0.3
"""Largest swing of a joint [rad or m]."""
FREQUENCIES = (0.3, 0.8)
"""Frequencies of the first and of the last joint [Hz], if they are not too fast for them."""
TINY = 1e-9
"""Size of a swing where there is none [rad or m]."""
BANDWIDTH = 10.0
"""Angular frequency of the controlled errors [rad/s]."""


@dataclass(frozen=True, slots=True)
class SineMotion:
    """A sine for each joint, `center + swing sin(pace t)`.

    Attributes:
        center: Middles [rad or m].
        swing: Amplitudes [rad or m].
        pace: Angular frequencies [rad/s].
    """

    center: Values
    swing: Values
    pace: Values


def motion(robot: Robot, mode: str) -> SineMotion:
    """A motion within the positions and speeds of a robot's joints; none where the law has none."""
    center, swing, pace = [], [], []
    for i, coordinate in enumerate(robot.coordinates):
        middle, room = _range(i, coordinate)
        share = i / max(1, robot.n - 1)
        usual = 2 * math.pi * (FREQUENCIES[0] * (1 - share) + FREQUENCIES[1] * share)
        amplitude = min(SWING, 0.8 * room) if mode in MOVING else 0.0
        speed = coordinate.limits.velocity or math.inf
        center.append(middle)
        swing.append(amplitude)
        pace.append(min(usual, 0.8 * speed / max(amplitude, TINY)))
    return SineMotion(tuple(center), tuple(swing), tuple(pace))


def gains(robot: Robot, mode: str, center: Values) -> tuple[Values, Values]:
    """Gains on errors of positions and velocities that damp each joint's errors critically.

    Those of `pd_gravity` are for the inertia that each joint feels in the middle of the motion.
    """
    inertia = _diagonal(robot, center) if mode == "pd_gravity" else (1.0,) * robot.n
    return (
        tuple(BANDWIDTH**2 * value for value in inertia),
        tuple(2 * BANDWIDTH * value for value in inertia),
    )


def _diagonal(robot: Robot, q: Values) -> Values:
    """The diagonal of the inertia matrix [kg m^2 or kg]."""
    program = Library(robot, ["inertia_matrix"]).entry("inertia_matrix").fastest
    defaults = {p.name: float(p.default) for p in robot.parameters if p.default is not None}
    matrix = interpret(program, {"q": q}, defaults)[program.outputs[0].argument.name]
    return tuple(float(matrix[i * (robot.n + 1)]) for i in range(robot.n))


def _range(number: int, coordinate: Coordinate) -> tuple[float, float]:
    """The middle of a joint's range, and how far it may go from there."""
    limits = coordinate.limits
    lower = -math.inf if limits.lower is None else limits.lower
    upper = math.inf if limits.upper is None else limits.upper
    if upper - lower < (math.inf if coordinate.kind.is_length else 2 * math.pi):
        return (lower + upper) / 2, (upper - lower) / 2
    middle = min(max(0.4 if number % 2 == 0 else -0.4, lower + SWING), upper - SWING)
    return middle, SWING / 0.8
