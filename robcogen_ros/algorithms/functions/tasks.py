"""Operational space of a named frame: `A_operational_inertia_B`, `A_position_null_space_B`, ...

The task is the motion of frame B relative to frame A, or rows of it (`task_rows`). `full` in place
of A stands for space, as in `full_J_B`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.conditioning.plain import placed, plain
from robcogen_ros.algorithms.functions.function import (
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.functions.task_rows import TASKS, Maker, Targets, described
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.joint_terms import with_armature
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import Matrix, full_jacobian, geometric_jacobian
from robcogen_ros.algorithms.mechanics.operational_space import (
    generalised_inverse,
    inertia,
    mobility,
    null_space,
    responses,
    transposed,
)
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar

_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Result:
    """A result that functions of a task can have.

    Attributes:
        summary: What it is.
        output: Name of the result.
        shape: Of the result, of t rows of the task and n coordinates: "tt", "nt" or "nn".
        meaning: Of the result.
        dynamic: Whether it depends on the inertia matrix.
        damped: Whether something is inverted for it.
    """

    summary: str
    output: str
    shape: str
    meaning: str = ""
    dynamic: bool = True
    damped: bool = True


RESULTS = {
    "mobility": Result(
        "Inverse operational-space inertia J H^-1 J'", "mobility", "tt", damped=False
    ),
    "operational_inertia": Result(
        "Operational-space inertia (J H^-1 J')^-1", "inertia", "tt", "[kg m^2, kg m or kg]"
    ),
    "dynamic_inverse": Result(
        "Dynamically consistent inverse of the Jacobian, H^-1 J' (J H^-1 J')^-1", "inverse", "nt"
    ),
    "null_space": Result(
        "Dynamically consistent null-space projector, 1 - H^-1 J' (J H^-1 J')^-1 J",
        "N",
        "nn",
        "for velocities; its transpose is for forces",
    ),
    "pseudoinverse": Result(
        "Pseudoinverse of the Jacobian, J' (J J')^-1", "inverse", "nt", dynamic=False
    ),
    "kinematic_null_space": Result(
        "Kinematic null-space projector, 1 - J' (J J')^-1 J", "N", "nn", dynamic=False
    ),
}
"""Results of a task, by word."""


def task_words() -> dict[str, Maker]:
    """Returns the words between two frames' names, with the makers of their functions."""
    return {
        f"{task}{word}": _maker(task, rows, word, result)
        for task, rows in TASKS.items()
        for word, result in RESULTS.items()
    }


def _maker(task: str, rows: Sequence[int], word: str, result: Result) -> Maker:
    def make(robot: Robot, name: str, base: int | None, targets: Targets) -> Function:
        def compute(robot: Robot, values: Values) -> Results:
            J = _jacobian(robot, values["q"], base, targets, rows)
            return {result.output: matrix_columns(_result(robot, values, J, word))}

        size = {"n": robot.n + (6 if robot.floating_base else 0), "t": len(rows) * len(targets)}
        height, width = (size[letter] for letter in result.shape)
        symmetric = result.shape == "tt"
        output = Argument(result.output, height, width, result.meaning, symmetric=symmetric)
        inputs = state(robot, "q")
        if result.damped:
            inputs = (*inputs, _damping(robot, base, targets, rows))
        summary = f"{result.summary}, for the {described(robot, task, base, targets)}"
        needs = (REGULAR,) if result.dynamic else ()
        return Function(name, summary, inputs, (output,), compute, needs=needs)

    return make


def _result(robot: Robot, values: Values, J: Matrix, word: str) -> Matrix:
    if RESULTS[word].dynamic:
        transforms = joint_transforms(robot, values["q"])
        H = with_armature(robot, inertia_matrix(regrouped(robot), transforms))
        response = responses(H, J)
    else:
        response = transposed(J)
    moved = mobility(J, response)
    if word == "mobility":
        return moved
    felt = inertia(moved, values["damping"])
    if word == "operational_inertia":
        return felt
    inverse = generalised_inverse(response, felt)
    return null_space(inverse, J) if word.endswith("null_space") else inverse


def _jacobian(
    robot: Robot, q: Sequence[Scalar], base: int | None, targets: Targets, rows: Sequence[int]
) -> Matrix:
    """The task's rows, (t, n) or (t, 6+n) of a robot that floats."""
    transforms = joint_transforms(robot, q)
    stacked: Matrix = []
    for target in targets:
        if base is None:
            J = full_jacobian(robot, transforms, robot.frames[target])
        else:
            J = geometric_jacobian(robot, transforms, robot.frames[base], robot.frames[target])
            if robot.floating_base:
                J = [[0] * 6 + row for row in J]
        stacked += [J[row] for row in rows]
    return stacked


def _damping(robot: Robot, base: int | None, targets: Targets, rows: Sequence[int]) -> Argument:
    """The damping, which may be left out only where some position has no need of it."""
    size = len(rows) * len(targets)
    full_rank = any(
        np.linalg.matrix_rank(np.array(_jacobian(at, q, base, targets, rows), dtype=float)) == size
        for at, q in placed(plain(robot), _SAMPLES)
    )
    meaning = "added to the diagonal of what is inverted, so that it is regular"
    return Argument("damping", size, meaning=meaning, optional=full_rank)
