"""Rounding errors of ours and of Pinocchio's, against the same robots computed with 50 digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pinocchio
from numpy.typing import NDArray

import robcogen_ros
from bench.subject import SUBJECTS, Subject
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.arguments import Shape, size
from robcogen_ros.runtime.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robot_of import robot_of
from test.support.full_calls import FullCalls
from test.support.pinocchio_oracle import STANDARD_GRAVITY, PinocchioOracle

Array = NDArray[Any]
Results = dict[str, Array]

ROBOTS = (
    Subject("UR5", "ur_description/urdf/ur5_robot.urdf", False),
    Subject("Kinova", "kinova_description/robots/kinova.urdf", False),
    Subject("xArm 7", "xarm_description/urdf/xarm7.urdf", False),
    Subject("Allegro hand", "allegro_hand_description/urdf/allegro_left_hand.urdf", False),
    Subject("ANYmal C, floating", "anymal_c_simple_description/urdf/anymal.urdf", True),
    Subject("G1, floating", "g1_description/urdf/g1_29dof_rev_1_0.urdf", True),
    *SUBJECTS,
)

COUNT = 64
"""States at which each function is taken."""


@dataclass(frozen=True)
class Row:
    """One function of one robot.

    Attributes:
        robot: The robot.
        function: The function.
        ours: Our error at each state.
        theirs: Pinocchio's.
    """

    robot: str
    function: str
    ours: Array
    theirs: Array


def rows() -> Iterator[Row]:
    """All robots and functions."""
    for subject in ROBOTS:
        lock = dict.fromkeys(subject.lock, 0.0)
        options: dict[str, Any] = {"floating_base": subject.floating, "lock": lock}
        exact = robot_of(_ExactEvaluator(Library(read(subject.path, **options).robot)))
        compiled = robcogen_ros.build(subject.path, **options)
        oracle = PinocchioOracle(subject.path, subject.floating, subject.lock)
        states = _States(oracle.n, 6 if subject.floating else 0)
        right, ours, theirs = states.of_ours(exact), states.of_ours(compiled), states.of(oracle)
        for function, errors in _ERRORS.items():
            sides = (errors(side[function], right[function]) for side in (ours, theirs))
            yield Row(subject.title, function, *sides)


class _States:
    """Random states, and the functions at all of them."""

    def __init__(self, n: int, base: int) -> None:
        random = np.random.default_rng(7)
        self._q = random.uniform(-3, 3, (COUNT, n))
        self._velocity, self._acceleration = random.normal(size=(2, COUNT, base + n))
        self._tau = 10 * random.normal(size=(COUNT, n))
        self._gravity = STANDARD_GRAVITY if base else None

    def of_ours(self, robot: Any) -> Results:
        """The functions of a robot of ours."""
        calls, q, v = FullCalls(robot), self._q, self._velocity
        return {
            "inverse_dynamics": calls.inverse_dynamics(q, v, self._acceleration, self._gravity),
            "inertia_matrix": robot.inertia_matrix(q),
            "forward_dynamics": calls.forward_dynamics(q, v, self._tau, self._gravity),
        }

    def of(self, oracle: PinocchioOracle) -> Results:
        """Pinocchio's functions."""
        q, v, base = self._q, self._velocity, self._velocity.shape[1] - self._q.shape[1]
        tau = np.hstack([np.zeros((COUNT, base)), self._tau])
        a = self._acceleration
        calls = {
            "inverse_dynamics": (
                oracle.inverse_dynamics(*state) for state in zip(q, v, a, strict=True)
            ),
            "inertia_matrix": map(oracle.inertia_matrix, q),
            "forward_dynamics": (
                _forward_dynamics(oracle, *state) for state in zip(q, v, tau, strict=True)
            ),
        }
        return {function: np.array(list(results)) for function, results in calls.items()}


def _forward_dynamics(oracle: PinocchioOracle, q: Array, velocity: Array, tau: Array) -> Array:
    """Accelerations by the articulated-body algorithm; coordinates only change their order."""
    V, model = oracle.velocity_map, oracle.model
    model.gravity.linear[:] = STANDARD_GRAVITY
    result = pinocchio.aba(
        model, model.createData(), oracle.configuration(q), V @ velocity, V @ tau
    )
    return V.T @ result


def _vector_errors(found: Array, right: Array) -> Array:
    """At each state the largest error, of each entry relative to its largest value."""
    scale = np.abs(right).max(axis=0)
    return np.max(np.abs(found - right) / np.where(scale > 0, scale, 1), axis=-1)


def _matrix_errors(found: Array, right: Array) -> Array:
    """At each state the largest error, of each entry relative to the diagonal."""
    diagonal = np.sqrt(np.diagonal(right, axis1=-2, axis2=-1))
    scale = diagonal[..., :, None] * diagonal[..., None, :]
    return np.max(np.abs(found - right) / scale, axis=(-2, -1))


_ERRORS = {
    "inverse_dynamics": _vector_errors,
    "inertia_matrix": _matrix_errors,
    "forward_dynamics": _vector_errors,
}


class _ExactEvaluator(NumpyEvaluator):
    """Computes with 50 digits, rounded to the longest floats of this machine. See Evaluator."""

    def call(
        self, name: str, inputs: Mapping[str, Array], parameters: Array, batch: Shape
    ) -> dict[str, Array]:
        """See Evaluator; every argument that counts here is given."""
        entry = self._library.entry(name)
        usual = not any(a.optional and a.name in inputs for a in entry.function.inputs)
        program = entry.fastest if usual else entry.general
        states = {a: self._entries(name, a, value, batch) for a, value in inputs.items()}
        results: dict[str, list[list[np.longdouble]]] = {
            o.argument.name: [] for o in program.outputs
        }
        for k in range(size(batch)):
            values = {a: [Decimal(float(x[k])) for x in entries] for a, entries in states.items()}
            for output, entries in interpret_exactly(program, values).items():
                results[output].append([np.longdouble(str(entry)) for entry in entries])
        return {output: np.array(entries) for output, entries in results.items()}
