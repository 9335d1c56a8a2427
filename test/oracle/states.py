"""Random states of a robot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class States:
    """Some states of a robot with n joints and L links; with a floating base, N = 6 + n, else n.

    Attributes:
        q: Positions, (states, n).
        velocity: Velocities, (states, N).
        acceleration: Accelerations, (states, N).
        tau: Joint forces, (states, n).
        gravity: Gravity in base coordinates, (states, 3).
        forces: External wrenches in link coordinates, (states, L, 6).
    """

    q: Array
    velocity: Array
    acceleration: Array
    tau: Array
    gravity: Array
    forces: Array


def random_states(n: int, links: int, floating: bool, count: int = 4) -> States:
    """States with all joints turned anywhere, the same at every call."""
    random = np.random.default_rng(7)
    size = n + (6 if floating else 0)
    return States(
        q=random.uniform(-np.pi, np.pi, (count, n)),
        velocity=random.normal(size=(count, size)),
        acceleration=random.normal(size=(count, size)),
        tau=random.normal(size=(count, n)),
        gravity=random.normal(size=(count, 3)) * 5.0,
        forces=random.normal(size=(count, links, 6)),
    )


def within_limits(robot, random: np.random.Generator, count: int) -> Array:
    """(count, n) positions that the joints' limits allow, -pi to pi where there are none."""
    lower = np.where(np.isfinite(robot.lower_limits), robot.lower_limits, -np.pi)
    upper = np.where(np.isfinite(robot.upper_limits), robot.upper_limits, np.pi)
    return random.uniform(lower, np.maximum(lower, upper), (count, robot.n))
