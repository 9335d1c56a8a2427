"""All functions that can be generated for a robot. A new algorithm is listed here."""

from __future__ import annotations

from collections.abc import Collection

from robcogen_ros.algorithms.conditioning.prepare import prepared
from robcogen_ros.algorithms.functions.common import common_functions
from robcogen_ros.algorithms.functions.contacts.derivatives import contact_derivative_functions
from robcogen_ros.algorithms.functions.contacts.dynamics import contact_functions
from robcogen_ros.algorithms.functions.contacts.impact_derivatives import (
    impact_derivative_functions,
)
from robcogen_ros.algorithms.functions.contacts.reduced import reduced_functions
from robcogen_ros.algorithms.functions.contacts.stability import stability_functions
from robcogen_ros.algorithms.functions.derivatives import derivative_functions
from robcogen_ros.algorithms.functions.energy import energy_functions
from robcogen_ros.algorithms.functions.fixed_base import fixed_base_functions
from robcogen_ros.algorithms.functions.floating_base import floating_base_functions
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.links import link_functions
from robcogen_ros.algorithms.functions.loops import loop_functions
from robcogen_ros.algorithms.functions.masses import mass_functions
from robcogen_ros.algorithms.functions.multipliers import multiplier_functions
from robcogen_ros.algorithms.functions.parameters import parameter_functions
from robcogen_ros.model.robot import Robot


def functions(robot: Robot, without: Collection[str] = ()) -> dict[str, Function]:
    """All functions of a robot, by name; without some optimisations."""
    dynamics = floating_base_functions if robot.floating_base else fixed_base_functions
    every = (
        *dynamics(robot),
        *common_functions(robot),
        *energy_functions(robot),
        *mass_functions(robot),
        *link_functions(robot),
        *loop_functions(robot),
        *multiplier_functions(robot),
        *derivative_functions(robot),
        *parameter_functions(robot),
        *contact_functions(robot),
        *reduced_functions(robot),
        *contact_derivative_functions(robot),
        *impact_derivative_functions(robot),
        *stability_functions(robot),
    )
    return {function.name: prepared(function, without) for function in every}
