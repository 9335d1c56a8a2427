"""Times of the generated functions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

BATCH = 512
RUNS = 15


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a generated function.

    Attributes:
        name: Its name.
        microseconds: Time of one call, the best of several measurements.
        operations: Operations by kind.
    """

    name: str
    microseconds: float
    operations: dict[str, int]


def costs(robot: Any) -> list[Cost]:
    """The cost of each function of joint motions and forces, called for many states at once."""
    random = np.random.default_rng(0)
    state = random.uniform(-1.0, 1.0, (4, BATCH, robot.n))
    values = dict(zip(("q", "qd", "qdd", "tau"), state, strict=True))
    values["b"] = values["tau"]
    return [
        Cost(name, _fastest(robot, name, {i: values[i] for i in inputs}), count)
        for (name, inputs), count in zip(
            robot.required_inputs.items(), robot.operation_counts.values(), strict=True
        )
        if values.keys() >= set(inputs)
    ]


def _fastest(robot: Any, name: str, arguments: dict[str, Any]) -> float:
    best = float("inf")
    for _ in range(RUNS):
        begin = time.perf_counter()
        robot.evaluate(name, **arguments)
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best / BATCH
