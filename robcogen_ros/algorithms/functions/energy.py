"""The functions of every robot that tell its momentum and energy."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import (
    BASE_VELOCITY,
    MASS,
    Argument,
    Function,
    Results,
    Values,
    gravity_argument,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.mechanics.energy import kinetic_energy, potential_energy
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.momentum import centroidal_momentum_matrix
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Motion, Vector


def energy_functions(robot: Robot) -> tuple[Function, ...]:
    """Centroidal momentum, kinetic and potential energy."""
    q = state(robot, "q")
    base = (BASE_VELOCITY,) if robot.floating_base else ()
    energy = Argument("energy", 1, meaning="[J]", scalar=True)
    columns = robot.n + (6 if robot.floating_base else 0)
    return (
        Function(
            "centroidal_momentum_matrix",
            "Momentum [angular; linear] of all links about their center of mass, per unit rates",
            q,
            (Argument("A", 6, columns, "axes of the base [kg m^2, kg m or kg]"),),
            _centroidal_momentum_matrix,
            needs=(MASS,),
        ),
        Function(
            "kinetic_energy",
            "Kinetic energy of all links",
            (*state(robot, "q", "qd"), *base),
            (energy,),
            _kinetic_energy,
        ),
        Function(
            "potential_energy",
            "Energy of all masses in the field of gravity, zero at the origin of the base",
            (*q, gravity_argument(robot)),
            (energy,),
            _potential_energy,
        ),
    )


def _centroidal_momentum_matrix(robot: Robot, values: Values) -> Results:
    A = centroidal_momentum_matrix(robot, joint_transforms(robot, values["q"]))
    return {"A": matrix_columns(A)}


def _kinetic_energy(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    base = Motion.of(values["base_velocity"]) if robot.floating_base else Motion()
    return {"energy": [kinetic_energy(robot, transforms, values["qd"], base)]}


def _potential_energy(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    return {"energy": [potential_energy(robot, transforms, Vector(*values["gravity"]))]}
