"""Whole-robot functions on base parameters, chosen frames and conditioned sums."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.conditioning.link_frames import with_chosen_frames
from robcogen_ros.algorithms.conditioning.reference_points import with_reference_points
from robcogen_ros.algorithms.conditioning.tensor_rotations import with_accurate_rotations
from robcogen_ros.algorithms.functions.function import Compute, Function
from robcogen_ros.model.robot import Robot

_OF_THE_WHOLE = (
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "gravity_torques",
    "coriolis_torques",
    "generalized_momentum",
    "forward_dynamics",
    "inertia_matrix",
    "inertia_matrix_entries",
    "inertia_factor",
    "articulated_inertia_matrix",
    "inertia_matrix_inverse",
    "solve_inertia",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_derivatives_entries",
    "forward_dynamics_derivatives",
    "delassus_matrix",
    "contact_forward_dynamics",
    "contact_forward_dynamics_eliminated",
    "reduced_dynamics",
    "contact_inverse_dynamics",
    "impact",
    "contact_forward_dynamics_derivatives",
    "impact_derivatives",
)
"""Functions that tell nothing of single links."""


_WITHOUT_TENSORS = ("inverse_dynamics", "gravity_torques", "coriolis_torques")
"""Functions that turn no tensors of inertia on a fixed base."""


def _conditioned(robot: Robot) -> Robot:
    """The robot with the rotations and reference points of tensors that keep most digits."""
    return with_reference_points(with_accurate_rotations(robot))


_PREPARATIONS: dict[str, Callable[[Robot], Robot]] = {
    "chosen-frames": with_chosen_frames,
    "conditioning": _conditioned,
}


def prepared(function: Function, without: Collection[str] = ()) -> Function:
    """The function on base inertial parameters and chosen frames, where that is right.

    Args:
        function: The function.
        without: Which optimisations to leave out, by their names in `program.optimisations`.
    """
    if "shorter-way" in without:
        function = replace(function, otherwise=None)
    if function.name not in _OF_THE_WHOLE:
        return function
    steps = tuple(step for name, step in _PREPARATIONS.items() if name not in without)
    prepare = partial(_run, steps, function.name in _WITHOUT_TENSORS)
    if "minimal-inertias" not in without:
        other = function.otherwise and _regrouping(function.otherwise)
        function = replace(function, compute=_regrouping(function.compute), otherwise=other)
    return replace(function, prepare=prepare)


def _run(steps: Iterable[Callable[[Robot], Robot]], without_tensors: bool, robot: Robot) -> Robot:
    constant = not (robot.floating_base or robot.parameters)
    for step in steps:
        if not (step is _conditioned and without_tensors and constant):
            robot = step(robot)
    return robot


def _regrouping(compute: Compute) -> Compute:
    return lambda robot, values: compute(regrouped(robot), values)
