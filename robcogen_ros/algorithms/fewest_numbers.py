"""Functions of the robot as a whole, computed on the robot with as few numbers as can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from robcogen_ros.algorithms.angle_sums import with_careful_angles
from robcogen_ros.algorithms.function import Function, Results, Values
from robcogen_ros.algorithms.link_frames import with_chosen_frames
from robcogen_ros.algorithms.minimal_inertia import regrouped
from robcogen_ros.algorithms.rounded_positions import with_rounded_positions
from robcogen_ros.algorithms.tensor_turns import with_careful_turns
from robcogen_ros.model.robot import Robot

Compute = Callable[[Robot, Values], Results]

_OF_THE_WHOLE = (
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "gravity_torques",
    "coriolis_torques",
    "forward_dynamics",
    "inertia_matrix",
    "inertia_factor",
    "inertia_matrix_inverse",
    "solve_inertia",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
"""Functions that tell nothing of single links."""


def with_fewest_numbers(function: Function) -> Function:
    """The function on minimal inertial parameters and chosen frames, where that is right."""
    if function.name not in _OF_THE_WHOLE:
        return function
    return replace(
        function,
        compute=_regrouping(function.compute),
        otherwise=function.otherwise and _regrouping(function.otherwise),
        prepare=_prepared,
    )


def _prepared(robot: Robot) -> Robot:
    placed = with_rounded_positions(with_chosen_frames(robot))
    return with_careful_turns(with_careful_angles(placed))


def _regrouping(compute: Compute) -> Compute:
    return lambda robot, values: compute(regrouped(robot), values)
