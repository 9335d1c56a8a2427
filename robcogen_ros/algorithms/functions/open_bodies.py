"""The inertias that depend on parameters, for telling whether values of these are sound."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.model.robot import Robot


def open_bodies_function(robot: Robot) -> Function:
    """Inertias of the bodies that depend on parameters; a function of these alone."""
    meaning = "mass [kg], then ixx, ixy, ixz, iyy, iyz, izz about the center of mass [kg m^2]"
    return Function(
        "open_bodies",
        "Inertia of each body that depends on parameters",
        (),
        (Argument("inertias", 7, len(robot.bodies), meaning),),
        lambda robot, values: {
            "inertias": [entry for body in robot.bodies for entry in (body.mass, *body.tensor)]
        },
    )
