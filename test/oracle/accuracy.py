"""Rounding errors of ours and of Pinocchio's, against the same robots computed with 50 digits.

    python -m test.oracle.accuracy [STATES]

The reference is `test.oracle.reference`, plain textbook algorithms. It runs with the longest floats
at all states, and with 50 digits again at those where either side errs most, so that the largest
errors are against 50 digits.

An entry's error at a state is relative to its largest value over the states, or to that of its
whole array where it is zero but for rounding. In the inertia matrix it is relative to
sqrt(H_ii H_jj) at the state itself, and likewise in its inverse, which does not depend on units and
is the stricter measure: a moment of inertia must keep its digits where a folded limb makes it
small. The error at a state is that of the worst entry.

Ours is the larger of two: that of a call for the state alone, and of one for all states.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

import robcogen_ros
from robcogen_ros.bench.robots import SUBJECTS, Subject
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from test.oracle.accuracy_sides import States, exact, functions_of, generated, ours, pinocchios
from test.oracle.digits import FIFTY, NINETEEN
from test.support.pinocchio_derivatives import DerivativesOracle

Array = NDArray[Any]

ROBOTS = (
    *(subject for subject in SUBJECTS if subject.title not in ("HyQ", "Solo12, floating", "iCub")),
    Subject("Kinova", "kinova_description/robots/kinova.urdf"),
    Subject("Allegro hand", "allegro_hand_description/urdf/allegro_left_hand.urdf"),
    Subject(
        "simple humanoid, floating",
        "simple_humanoid_description/urdf/simple_humanoid.urdf",
        True,
    ),
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


def rows(count: int = COUNT) -> Iterator[list[Row]]:
    """All functions of one robot after the other, compiled, at so many states."""
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_rows_of_compiled, ROBOTS, [count] * len(ROBOTS))


def _rows_of_compiled(subject: Subject, count: int) -> list[Row]:
    robot = model(subject)
    code = robcogen_ros.build(subject.path, functions=generated(robot), **_reading(subject))
    return list(rows_of(subject, code, count))


def model(subject: Subject) -> Robot:
    """A robot as it is measured."""
    return read(subject.path, **_reading(subject)).robot


def rows_of(
    subject: Subject, code: Any, count: int, worst: int = _WORST, alone: bool = True
) -> Iterator[Row]:
    """All functions of a robot, at so many states.

    Args:
        subject: The robot.
        code: What computes our functions of it.
        count: How many states.
        worst: How many states of each function and either side are taken with 50 digits.
        alone: Whether the code is called for each state alone, too.
    """
    robot, oracle = model(subject), DerivativesOracle(subject.path, subject.floating, subject.lock)
    states = States.random(robot, count)
    here, there = ours(robot, code), pinocchios(robot, oracle)
    for function in functions_of(robot):
        call = here[function]
        found = [_one_by_one(there[function], states), call(states)]
        if alone:
            found.append(_one_by_one(call, states))
        theirs, *our = _errors(function, found, robot, states, worst)
        yield Row(subject.title, function, np.max(our, axis=0), theirs)


def _one_by_one(function: Callable[[States], Array], states: States) -> Array:
    return np.array([function(states[k]) for k in range(len(states))])


def _errors(
    function: str, found: Sequence[Array], robot: Robot, states: States, worst: int
) -> list[Array]:
    """Of each result, with 50 digits at those states where the errors of any are largest."""
    measure = _MEASURES.get(function, _relative_to_largest)
    right = _right(function, robot, states)
    rough = [measure(result, right) for result in found]
    chosen = sorted({k for errors in rough for k in np.argsort(errors)[-worst:].tolist()})
    right[chosen] = _longest(exact(robot, FIFTY)[function](states[chosen]))
    return [measure(result, right) for result in found]


def _right(function: str, robot: Robot, states: States) -> Array:
    """Results in the longest floats."""
    call = exact(robot, NINETEEN)[function]
    parts = [states[k : k + _AT_ONCE] for k in range(0, len(states), _AT_ONCE)]
    return np.concatenate([call(part) for part in parts])


def _reading(subject: Subject) -> dict[str, Any]:
    return {"floating_base": subject.floating, "lock": dict.fromkeys(subject.lock, 0.0)}


def _longest(values: Array) -> Array:
    """Numbers of 50 digits as the longest floats."""
    entries = [np.longdouble(str(value)) for value in values.ravel()]
    return np.array(entries, dtype=np.longdouble).reshape(values.shape)


def _relative_to_largest(found: Array, right: Array) -> Array:
    """At each state the largest error, of each entry relative to its largest value."""
    scale = np.abs(right).max(axis=0)
    rounding = np.finfo(np.longdouble).eps ** 0.75 * scale.max()
    errors = np.abs(found - right) / np.where(scale > rounding, scale, scale.max())
    return np.max(errors.reshape(len(right), -1), axis=-1)


def _relative_to_diagonal(found: Array, right: Array) -> Array:
    """At each state the largest error, of each entry relative to the diagonal."""
    diagonal = np.sqrt(np.diagonal(right, axis1=-2, axis2=-1))
    scale = diagonal[..., :, None] * diagonal[..., None, :]
    return np.max(np.abs(found - right) / scale, axis=(-2, -1))


_MEASURES = dict.fromkeys(("inertia_matrix", "inertia_matrix_inverse"), _relative_to_diagonal)
"""How errors of a function are measured, where not relative to the largest values."""


def main() -> None:
    """Print median and largest errors, with the factor to Pinocchio's."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    print(f"{'':26}{'':30}   median of Pinocchio ratio  largest of Pinocchio ratio")
    for row in chain.from_iterable(rows(count)):
        pairs = [(kind(row.ours), kind(row.theirs)) for kind in (np.median, np.max)]
        numbers = "".join(f"{a:10.1e}{b:10.1e}{a / b:6.2f}" for a, b in pairs)
        print(f"{row.robot:26}{row.function:30}{numbers}", flush=True)


if __name__ == "__main__":
    main()
