"""Rounding errors of ours and of Pinocchio's, against the same robots computed with 50 digits.

The reference is `bench.reference`, plain textbook algorithms. It runs with the longest floats at
all states, and with 50 digits again at those where either side errs most, so that the largest
errors are against 50 digits.

An entry's error at a state is relative to its largest value over the states; in the inertia matrix
to sqrt(H_ii H_jj) at the state itself, which does not depend on units and is the stricter measure:
a moment of inertia must keep its digits where a folded limb makes it small. The error at a state
is that of the worst entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio
from numpy.typing import NDArray

import robcogen_ros
from bench.reference import FIFTY, NINETEEN, Digits, Reference
from bench.subject import SUBJECTS, Subject
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
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

COUNT = 10_000
"""States at which each function is taken."""

LIMITS = (1.2, 2.0)
"""Times Pinocchio's median and largest error that ours may be."""

_AT_ONCE = 500
"""States that the reference takes together, for the sake of memory."""

_WORST = 16
"""States, of each function and either side, that are taken with 50 digits."""


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


def rows(count: int = COUNT) -> Iterator[Row]:
    """All robots and functions, compiled, at so many states."""
    for subject in ROBOTS:
        names = functions_of(subject)
        compiled = robcogen_ros.build(subject.path, functions=names, **_reading(subject))
        yield from rows_of(subject, compiled, count)


def rows_of(subject: Subject, ours: Any, count: int, worst: int = _WORST) -> Iterator[Row]:
    """All functions of a robot of ours, at so many states.

    Args:
        subject: The robot.
        ours: It, computed by our functions.
        count: How many states.
        worst: How many states of each function and either side are taken with 50 digits.
    """
    robot = read(subject.path, **_reading(subject)).robot
    oracle = PinocchioOracle(subject.path, subject.floating, subject.lock)
    states = _States(robot.n, subject.floating, count)
    found, theirs = states.of_ours(ours), states.of(oracle)
    rough = states.of_reference(robot, NINETEEN, range(count))
    chosen = sorted({k for side in (found, theirs) for k in _worst(side, rough, worst)})
    exact = states.of_reference(robot, FIFTY, chosen)
    for function, errors in _ERRORS.items():
        right = rough[function]
        right[chosen] = exact[function]
        yield Row(subject.title, function, *(errors(s[function], right) for s in (found, theirs)))


def _worst(found: Results, right: Results, count: int) -> set[int]:
    """States at which the errors of any function are among its largest."""
    errors = (measure(found[function], right[function]) for function, measure in _ERRORS.items())
    return {k for each in errors for k in np.argsort(each)[-count:].tolist()}


def functions_of(subject: Subject) -> tuple[str, ...]:
    """Names of the functions that are measured, as they are generated."""
    inverse = "inverse_dynamics_fully_actuated" if subject.floating else "inverse_dynamics"
    return (inverse, "inertia_matrix", "forward_dynamics")


def _reading(subject: Subject) -> dict[str, Any]:
    return {"floating_base": subject.floating, "lock": dict.fromkeys(subject.lock, 0.0)}


class _States:
    """Random states, and the functions at all of them."""

    def __init__(self, n: int, floating: bool, count: int) -> None:
        random, base = np.random.default_rng(7), 6 if floating else 0
        self._gravity = STANDARD_GRAVITY if floating else None
        self._q = random.uniform(-3, 3, (count, n))
        self._velocity, self._acceleration = random.normal(size=(2, count, base + n))
        self._tau = 10 * random.normal(size=(count, n))

    def of_ours(self, robot: Any) -> Results:
        """The functions of a robot of ours."""
        calls, q, v, g = FullCalls(robot), self._q, self._velocity, self._gravity
        return {
            "inverse_dynamics": calls.inverse_dynamics(q, v, self._acceleration, g),
            "inertia_matrix": robot.inertia_matrix(q),
            "forward_dynamics": calls.forward_dynamics(q, v, self._tau, g),
        }

    def of_reference(self, robot: Robot, digits: Digits, chosen: Sequence[int]) -> Results:
        """The functions at some of the states, in the longest floats."""
        parts = [chosen[k : k + _AT_ONCE] for k in range(0, len(chosen), _AT_ONCE)]
        results = [self._reference(robot, digits, np.array(part)) for part in parts]
        return {
            function: np.concatenate([_longest(result[function]) for result in results])
            for function in _ERRORS
        }

    def _reference(self, robot: Robot, digits: Digits, k: Array) -> Results:
        reference = Reference(robot, digits, self._q[k])
        v, a, tau, g = self._velocity[k], self._acceleration[k], self._tau[k], STANDARD_GRAVITY
        return {
            "inverse_dynamics": reference.inverse_dynamics(v, a, g),
            "inertia_matrix": reference.inertia_matrix(),
            "forward_dynamics": reference.forward_dynamics(v, tau, g),
        }

    def of(self, oracle: PinocchioOracle) -> Results:
        """Pinocchio's functions."""
        q, v, base = self._q, self._velocity, self._velocity.shape[1] - self._q.shape[1]
        tau = np.hstack([np.zeros((len(q), base)), self._tau])
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


def _longest(values: Array) -> Array:
    """Numbers of 50 digits as the longest floats."""
    if values.dtype != object:
        return values
    entries = [np.longdouble(str(value)) for value in values.ravel()]
    return np.array(entries, dtype=np.longdouble).reshape(values.shape)


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
