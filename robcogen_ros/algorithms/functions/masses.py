"""Functions that tell how the whole mass moves, and what the inertia matrix does to a force."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import (
    MASS,
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.articulated_factor import articulated_rows, candidates
from robcogen_ros.algorithms.mechanics.center_of_mass import (
    center_of_mass_jacobian,
    center_of_mass_velocity,
)
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.factorization import solve, solve_by_rows
from robcogen_ros.algorithms.mechanics.joint_terms import with_armature
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.momentum import centroidal_momentum_bias
from robcogen_ros.algorithms.mechanics.velocities import link_velocities
from robcogen_ros.model.robot import Robot


def mass_functions(robot: Robot) -> tuple[Function, ...]:
    """Total mass, motion of its center, rate of the momentum, and H^-1 b."""
    q, moving = state(robot, "q"), motion_inputs(robot, "q", "qd")
    size = robot.n + (6 if robot.floating_base else 0)
    return (
        Function(
            "total_mass",
            "Mass of all links, the same at any position",
            q,
            (Argument("mass", 1, meaning="[kg]", scalar=True),),
            _total_mass,
        ),
        Function(
            "center_of_mass_jacobian",
            "Velocity of the center of all masses, per unit rates",
            q,
            (Argument("J", 3, size, "axes of the base"),),
            _center_of_mass_jacobian,
            needs=(MASS,),
        ),
        Function(
            "center_of_mass_velocity",
            "Velocity of the center of all masses",
            moving,
            (Argument("velocity", 3, meaning="axes of the base [m/s]"),),
            _center_of_mass_velocity,
            on_request=True,
            needs=(MASS,),
        ),
        Function(
            "centroidal_momentum_bias",
            "Rate of change of the centroidal momentum where nothing accelerates",
            moving,
            (Argument("bias", 6, meaning="[n; f] about the center of mass, axes of the base"),),
            _centroidal_momentum_bias,
            on_request=True,
            needs=(MASS,),
        ),
        Function(
            "solve_inertia",
            "The x with H x = b, by the sparse factors L'DL of the inertia matrix",
            (*q, Argument("b", size, meaning="forces [N m or N], the base's first")),
            (Argument("x", size, meaning="accelerations"),),
            *candidates(robot, _solve_bodies, _solve_matrix),
            on_request=True,
            needs=(REGULAR,),
        ),
    )


def _total_mass(robot: Robot, values: Values) -> Results:
    return {"mass": [sum((link.inertia.mass for link in robot.links), start=0)]}


def _center_of_mass_jacobian(robot: Robot, values: Values) -> Results:
    J = center_of_mass_jacobian(robot, joint_transforms(robot, values["q"]))
    return {"J": matrix_columns(J)}


def _center_of_mass_velocity(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    base = base_motion(values, "base_velocity")
    velocity = link_velocities(robot, transforms, values["qd"], base)
    return {"velocity": list(center_of_mass_velocity(robot, transforms, velocity))}


def _centroidal_momentum_bias(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    base = base_motion(values, "base_velocity")
    return {"bias": list(centroidal_momentum_bias(robot, transforms, values["qd"], base))}


def _solve_matrix(robot: Robot, values: Values) -> Results:
    H = with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))
    return {"x": solve(H, values["b"])}


def _solve_bodies(robot: Robot, values: Values) -> Results:
    rows = articulated_rows(robot, joint_transforms(robot, values["q"]))
    return {"x": solve_by_rows(rows, values["b"])}
