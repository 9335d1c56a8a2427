"""All functions that can be generated for a robot. A new algorithm is listed here."""

from __future__ import annotations

from collections.abc import Collection

from robcogen_ros.algorithms.common_functions import common_functions
from robcogen_ros.algorithms.derivative_functions import derivative_functions
from robcogen_ros.algorithms.energy_functions import energy_functions
from robcogen_ros.algorithms.fewest_numbers import with_fewest_numbers
from robcogen_ros.algorithms.fixed_base_functions import fixed_base_functions
from robcogen_ros.algorithms.floating_base_functions import floating_base_functions
from robcogen_ros.algorithms.function import Function
from robcogen_ros.algorithms.link_functions import link_functions
from robcogen_ros.algorithms.mass_functions import mass_functions
from robcogen_ros.algorithms.parameter_functions import parameter_functions
from robcogen_ros.model.robot import Robot


def functions(robot: Robot, without: Collection[str] = ()) -> dict[str, Function]:
    """All functions of a robot, by name; without some means of saving operations."""
    dynamics = floating_base_functions if robot.floating_base else fixed_base_functions
    every = (
        *dynamics(robot),
        *common_functions(robot),
        *energy_functions(robot),
        *mass_functions(robot),
        *link_functions(robot),
        *derivative_functions(robot),
        *parameter_functions(robot),
    )
    return {function.name: with_fewest_numbers(function, without) for function in every}
