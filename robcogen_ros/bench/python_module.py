"""A generated Python module, which needs NumPy alone, beside Pinocchio's Python bindings."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.bench.robot_file import bodies
from robcogen_ros.bench.robots import Subject
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library

BATCH = 10_000
"""States of a batch, and turns of Pinocchio's loop."""

_FUNCTIONS = {"inverse_dynamics": "rnea", "forward_dynamics": "aba", "inertia_matrix": "crba"}
_ONCE, _RUNS = 300, 7


def lines(subjects: Sequence[Subject]) -> Iterator[str]:
    """Yields microseconds of CPU time of robots on a fixed base: a call, and a state of many.

    Pinocchio's joints go depth first, so its states of branches are others, for the same work.

    Raises:
        RobcogenError: If Pinocchio is not installed.
    """
    try:
        import pinocchio
    except ImportError:
        raise RobcogenError("Pinocchio is not installed: pip install pin") from None
    head = ("us a call", "Pinocchio", "us a state", "Pinocchio")
    yield f"{'':20} {'':20}" + "".join(f"{word:>11}" for word in head)
    for subject in subjects:
        if subject.floating:
            continue
        robot = subject.read()
        model = pinocchio_model(pinocchio, robot)
        for name, code in _module(robot).items():
            times = _times(code, _of_pinocchio(pinocchio, model, name), name, model.nv)
            yield f"{subject.title:20} {name:20}" + "".join(f"{each:11.1f}" for each in times)


def _module(robot: Robot) -> dict[str, Callable[..., Any]]:
    library = Library(robot, list(_FUNCTIONS))
    names: dict[str, Any] = {}
    for path, text in BACKENDS["python"](library, Target("bench", "robot", "robot.urdf")).items():
        exec(compile(text, str(path), "exec"), names)
    return {name: names[name] for name in _FUNCTIONS}


def pinocchio_model(pinocchio: Any, robot: Robot) -> Any:
    """The robot as Pinocchio's model, joints depth first, each about an axis of its frame."""
    model = pinocchio.Model()
    kinds = {
        kind: [getattr(pinocchio, f"JointModel{kind}{axis}") for axis in "XYZ"] for kind in "RP"
    }
    lines = [line.split() for line in bodies(robot).splitlines()[1:]]
    for index, (kind, axis, parent, *words) in enumerate(lines[1:]):
        position, rotation, (mass,), center, tensor = np.split(
            np.array(words, dtype=float), (3, 12, 13, 16)
        )
        pose = pinocchio.SE3(rotation.reshape(3, 3), position)
        joint = model.addJoint(int(parent), kinds[kind][int(axis)](), pose, str(index))
        xx, xy, yy, xz, yz, zz = tensor
        about_center = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = pinocchio.Inertia(mass, center, about_center)
        model.appendBodyToJoint(joint, inertia, pinocchio.SE3.Identity())
    return model


def _of_pinocchio(pinocchio: Any, model: Any, name: str) -> Callable[..., Any]:
    function, data = getattr(pinocchio, _FUNCTIONS[name]), model.createData()
    return lambda *state: function(model, data, *state)


def _times(
    ours: Callable[..., Any], theirs: Callable[..., Any], name: str, size: int
) -> tuple[float, float, float, float]:
    count = 1 if name == "inertia_matrix" else 3
    states = np.random.default_rng(3).uniform(-1, 1, (count, BATCH, size))

    def loop() -> None:
        for state in zip(*states, strict=True):
            theirs(*state)

    return (
        _microseconds(lambda: ours(*states[:, 0]), _ONCE),
        _microseconds(lambda: theirs(*states[:, 0]), _ONCE),
        _microseconds(lambda: ours(*states), 1) / BATCH,
        _microseconds(loop, 1) / BATCH,
    )


def _microseconds(call: Callable[[], Any], number: int) -> float:
    times = timeit.repeat(call, number=number, repeat=_RUNS, timer=time.process_time)
    return 1e6 * min(times) / number
