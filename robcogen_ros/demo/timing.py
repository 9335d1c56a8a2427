"""How long the generated functions take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

BATCH = 512
RUNS = 15


@dataclass(frozen=True, slots=True)
class Cost:
    """What a generated function costs.

    Attributes:
        name: Its name.
        microseconds: Time of one call, the best of several measurements.
        operations: Operations by kind.
    """

    name: str
    microseconds: float
    operations: dict[str, int]


def costs(robot: Any) -> list[Cost]:
    """The cost of each function of a robot, called for many states at once."""
    random = np.random.default_rng(0)
    q, qd, x = random.uniform(-1.0, 1.0, (3, BATCH, robot.n))
    arguments = {
        "inverse_dynamics": (q, qd, x),
        "forward_dynamics": (q, qd, x),
        "coriolis_torques": (q, qd),
    }
    methods = {"kinematics": "frame_poses"}
    return [
        Cost(name, _fastest(getattr(robot, methods.get(name, name)), arguments.get(name, (q,))), n)
        for name, n in robot.operation_counts.items()
        if hasattr(robot, methods.get(name, name))
    ]


def _fastest(function: Any, arguments: Any) -> float:
    best = float("inf")
    for _ in range(RUNS):
        begin = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best / BATCH
