"""The robots that are measured, and one function of one of them on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.meter import Command, results
from test.support.pinocchio_oracle import STANDARD_GRAVITY, PinocchioOracle
from test.support.robots import robot_path
from test.support.scaled import force_error, matrix_error

Array = NDArray[np.float64]

_SYMBOL = "robcogen_model_robcogen_cache__robot"
_STATES = 8


@dataclass(frozen=True)
class Subject:
    """A robot to measure.

    Attributes:
        title: What it is called in the table.
        file: Its URDF, below the directory of robots.
        floating: Whether its base floats.
        lock: Joints locked at zero.
    """

    title: str
    file: str
    floating: bool
    lock: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Its file."""
        return robot_path(self.file)


SUBJECTS = (
    Subject("Panda", "panda_description/urdf/panda.urdf", False, ("panda_finger_joint1",)),
    Subject("HyQ, floating", "hyq_description/robots/hyq_no_sensors.urdf", True),
    Subject(
        "simple humanoid, floating",
        "simple_humanoid_description/urdf/simple_humanoid.urdf",
        True,
    ),
    Subject("Talos, floating", "talos_data/robots/talos_reduced.urdf", True),
)

FUNCTIONS = {
    "inverse_dynamics": ("inverse_dynamics",),
    "inertia_matrix": ("inertia_matrix_local", "inertia_matrix_world"),
    "forward_dynamics": ("forward_dynamics_local", "forward_dynamics_world"),
}
"""Our functions, and Pinocchio's under each of its conventions."""


class Pair:
    """One robot's functions on both sides, fed with the same states.

    Attributes:
        subject: The robot.
        oracle: Pinocchio's side.
    """

    def __init__(self, subject: Subject, scratch: Path) -> None:
        self.subject = subject
        self.oracle = PinocchioOracle(subject.path, subject.floating, subject.lock)
        self._scratch = scratch
        random = np.random.default_rng(5)
        self._size = self.oracle.n + (6 if subject.floating else 0)
        self._q = random.uniform(-3, 3, (_STATES, self.oracle.n))
        self._velocity = random.normal(size=(_STATES, self._size))
        self._last = random.normal(size=(_STATES, self._size))
        (scratch / "model").write_text("".join(model_lines(self.oracle.model)))

    def generated(self, program: Path, library: str, function: str) -> Command:
        """The command that measures our function."""
        name = function
        if function == "inverse_dynamics" and self.subject.floating:
            name = "inverse_dynamics_fully_actuated"
        states = self._write("generated_states", self._our_states(function))
        out = str(self._scratch / "generated_results")
        return Command((str(program), library, _SYMBOL, name, states, out))

    def pinocchio(self, program: Path, function: str) -> Command:
        """The command that measures Pinocchio's function."""
        model = str(self._scratch / "model")
        states = self._write("pinocchio_states", self._pinocchio_states(function))
        out = str(self._scratch / "pinocchio_results")
        return Command((str(program), model, function, states, out))

    def disagreement(self, ours: Command, theirs: Command, function: str) -> float:
        """The largest difference of the results, scaled as `test.support.scaled` says."""
        found = np.frombuffer(results(ours, self._scratch / "generated_results"))
        expected = np.frombuffer(results(theirs, self._scratch / "pinocchio_results"))
        size, V = self._size, self.oracle.velocity_map
        if function == "inertia_matrix":
            found = found.reshape(-1, size, size)
            lower = np.tril(expected.reshape(-1, size, size))  # column-major upper triangle
            full = lower + np.tril(lower, -1).swapaxes(-1, -2)
            return matrix_error(found, V.T @ full @ V)
        found = np.roll(found.reshape(-1, size), size - self.oracle.n, axis=1)
        return force_error(found, expected.reshape(-1, size) @ V)

    def _our_states(self, function: str) -> Array:
        base = self._size - self.oracle.n
        if function == "inertia_matrix":
            return self._q
        joints = [self._q, self._velocity[:, base:], self._last[:, base:]]
        if not base:
            return np.hstack(joints)
        gravity = np.tile(STANDARD_GRAVITY, (_STATES, 1))
        v0, a0 = self._velocity[:, :6], self._last[:, :6]
        moving = [v0, a0] if function == "inverse_dynamics" else [v0]
        return np.hstack([*joints, *moving, gravity])

    def _pinocchio_states(self, function: str) -> Array:
        last = self._last.copy()
        if function.startswith("forward_dynamics"):
            last[:, : self._size - self.oracle.n] = 0.0
        V = self.oracle.velocity_map
        q = np.array([self.oracle.configuration(row) for row in self._q])
        return np.hstack([q, self._velocity @ V.T, last @ V.T])

    def _write(self, name: str, values: Array) -> str:
        path = self._scratch / name
        np.ascontiguousarray(values).tofile(path)
        return str(path)


def model_lines(model) -> Iterator[str]:
    """Pinocchio's model, one line a joint, as the measuring program reads it."""
    for index in range(1, model.njoints):
        joint, placement = model.joints[index], model.jointPlacements[index]
        kind, axis = _kind(joint)
        inertia = model.inertias[index]
        tensor = inertia.inertia
        numbers: Sequence[float] = [
            *placement.translation,
            *placement.rotation.ravel(),
            *axis,
            inertia.mass,
            *inertia.lever,
            *(tensor[0, 0], tensor[0, 1], tensor[1, 1], tensor[0, 2], tensor[1, 2], tensor[2, 2]),
        ]
        text = " ".join(repr(float(x)) for x in numbers)
        yield f"{kind} {model.parents[index]} {model.names[index]} {text}\n"


def _kind(joint) -> tuple[str, Sequence[float]]:
    name = joint.shortname().removeprefix("JointModel")
    if name == "RevoluteUnaligned":
        return "RU", joint.extract().axis
    if name == "PrismaticUnaligned":
        return "PU", joint.extract().axis
    return name, (0.0, 0.0, 0.0)
