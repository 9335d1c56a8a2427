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
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.energy import kinetic_energy, potential_energy
from robcogen_ros.algorithms.mechanics.generalized_momentum import generalized_momentum
from robcogen_ros.algorithms.mechanics.joint_terms import taken
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.momentum import centroidal_momentum_matrix
from robcogen_ros.algorithms.mechanics.springs import spring_energy
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Vector


def energy_functions(robot: Robot) -> tuple[Function, ...]:
    """Centroidal and generalized momentum, kinetic and potential energy."""
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
            "generalized_momentum",
            "Momentum H v of the coordinates, and how it changes where no forces act",
            (*state(robot, "q", "qd"), *base, gravity_argument(robot)),
            (
                Argument("momentum", columns, meaning="[N m s or N s], the base's first"),
                Argument("bias", columns, meaning="C'v - g, less friction and springs [N m or N]"),
            ),
            _generalized_momentum,
            on_request=True,
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
            "Energy of all masses in the field of gravity, zero at the base, and of springs",
            (*q, gravity_argument(robot)),
            (energy,),
            _potential_energy,
        ),
    )


def _centroidal_momentum_matrix(robot: Robot, values: Values) -> Results:
    A = centroidal_momentum_matrix(robot, joint_transforms(robot, values["q"]))
    return {"A": matrix_columns(A)}


def _generalized_momentum(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    base, qd = base_motion(values, "base_velocity"), values["qd"]
    momentum, bias = generalized_momentum(robot, transforms, qd, base, Vector(*values["gravity"]))
    if robot.terms.names:
        before = len(bias) - robot.n
        own = [0] * before + taken(robot, values)
        bias = [rate - force for rate, force in zip(bias, own, strict=True)]
    return {"momentum": momentum, "bias": bias}


def _kinetic_energy(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    base = base_motion(values, "base_velocity")
    return {"energy": [kinetic_energy(robot, transforms, values["qd"], base)]}


def _potential_energy(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    of_masses = potential_energy(robot, transforms, Vector(*values["gravity"]))
    return {"energy": [of_masses + spring_energy(robot, values["q"])]}
