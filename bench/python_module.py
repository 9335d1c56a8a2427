"""How fast a generated Python module is, which needs NumPy alone, beside Pinocchio's bindings."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio
from numpy.typing import NDArray

from bench.subject import SUBJECTS, Subject
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.pinocchio_oracle import PinocchioOracle

BATCH = 10_000
"""States of a batch, and turns of Pinocchio's loop."""

ROBOTS = (
    Subject("UR5", "ur_description/urdf/ur5_robot.urdf", False),
    *(subject for subject in SUBJECTS if not subject.floating),
)
_FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix")
_ONCE = 300
_RUNS = 7


@dataclass(frozen=True, slots=True)
class Timing:
    """Microseconds of CPU time of one function of one robot, the best of some runs.

    Attributes:
        robot: The robot.
        function: The function.
        one: One call of ours.
        theirs_one: One call of Pinocchio's.
        many: A state of ours, in a batch.
        theirs_many: A state of Pinocchio's, in a loop.
        difference: Largest difference of results, relative to their largest.
    """

    robot: str
    function: str
    one: float
    theirs_one: float
    many: float
    theirs_many: float
    difference: float


def rows() -> Iterator[Timing]:
    """All robots and functions."""
    for subject in ROBOTS:
        module = _module(subject)
        oracle = PinocchioOracle(subject.path, subject.floating, subject.lock)
        for name in _FUNCTIONS:
            yield _timing(subject, module[name], oracle, name)


def _module(subject: Subject) -> dict[str, Any]:
    robot = read(subject.path, lock=dict.fromkeys(subject.lock, 0.0)).robot
    files = BACKENDS["python"](Library(robot, _FUNCTIONS), Target("bench", "robot", "robot.urdf"))
    names: dict[str, Any] = {}
    for path, text in files.items():
        exec(compile(text, str(path), "exec"), names)
    return names


def _timing(subject: Subject, ours: Callable[..., Any], oracle: Any, name: str) -> Timing:
    random = np.random.default_rng(3)
    count = 1 if name == "inertia_matrix" else 3
    states = random.uniform(-1, 1, (count, BATCH, oracle.n))
    V = oracle.velocity_map
    their_states = [np.array([oracle.configuration(q) for q in states[0]])]
    their_states += [state @ V.T for state in states[1:]]
    theirs = _call(oracle.model, name)

    def loop() -> None:
        for state in zip(*their_states, strict=True):
            theirs(*state)

    first = [state[0] for state in their_states]
    return Timing(
        subject.title,
        name,
        _microseconds(lambda: ours(*states[:, 0]), _ONCE),
        _microseconds(lambda: theirs(*first), _ONCE),
        _microseconds(lambda: ours(*states), 1) / BATCH,
        _microseconds(loop, 1) / BATCH,
        _difference(ours(*states[:, 0]), theirs(*first), V),
    )


def _call(model: Any, name: str) -> Callable[..., Any]:
    """Pinocchio's function of the same state."""
    data = model.createData()
    function = {
        "inverse_dynamics": pinocchio.rnea,
        "forward_dynamics": pinocchio.aba,
        "inertia_matrix": pinocchio.crba,
    }[name]
    return lambda *state: function(model, data, *state)


def _microseconds(call: Callable[[], Any], number: int) -> float:
    times = timeit.repeat(call, number=number, repeat=_RUNS, timer=time.process_time)
    return 1e6 * min(times) / number


def _difference(found: NDArray[Any], right: NDArray[Any], V: NDArray[Any]) -> float:
    if right.ndim == 2:
        right = (np.triu(right) + np.triu(right, 1).T) @ V
    right = V.T @ right
    return float(np.abs(found - right).max() / np.abs(right).max())
