"""Rotor inertia, friction and springs along the coordinates, as far as the robot has them.

Of a joint that follows, with the row G of its rates, rotor inertia a and damping d add G'aG to the
inertia matrix and G' (a qdd_joint + d qd_joint) to forces.

Dry friction f sign(qd) is taken as f x / sqrt(x^2 + 1), x = 1000 qd, so that it is smooth: zero at
rest, and within 0.5 % of f from 0.01 rad/s or m/s on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.function import Values
from robcogen_ros.algorithms.mechanics.joints import joint_rates
from robcogen_ros.algorithms.mechanics.springs import spring_forces
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, sqrt

Matrix = list[list[Scalar]]

_STEEPNESS = 1000


def armature_of(robot: Robot, coordinate: int) -> Scalar:
    """Rotor inertia along a coordinate, 0 where there is none [kg m^2 or kg]."""
    return robot.terms.armature[coordinate] if robot.terms.armature else 0


def with_armature(robot: Robot, H: Matrix) -> Matrix:
    """An inertia matrix, of the base's six coordinates too where it floats, with the rotors."""
    H = with_own_armature(robot, H)
    before = len(H) - robot.n
    for joint in robot.joints:
        for (i, one), (j, other) in product(joint.rates, repeat=2) if joint.armature else ():
            H[before + i][before + j] = H[before + i][before + j] + joint.armature * one * other
    return H


def with_own_armature(robot: Robot, H: Matrix) -> Matrix:
    """Returns H with the inertia of rotors added that turn with one coordinate alone."""
    before = len(H) - robot.n
    for i, armature in enumerate(robot.terms.armature, before):
        H[i][i] = H[i][i] + armature
    return H


def with_rotors(robot: Robot, tau: Sequence[Scalar], changes: Sequence[Scalar]) -> list[Scalar]:
    """Forces on the coordinates with what rotors of joints that follow take.

    Args:
        robot: The robot.
        tau: (n,) forces without that [N m or N].
        changes: Acceleration of each joint [rad/s^2 or m/s^2].
    """
    found = list(tau)
    for joint, change in zip(robot.joints, changes, strict=True):
        for k, share in joint.rates if joint.armature else ():
            found[k] = found[k] + share * (joint.armature * change)
    return found


def velocity_forces(robot: Robot, qd: Sequence[Scalar]) -> list[Scalar]:
    """Forces that overcome friction: (n,) [N m or N]."""
    forces: list[Scalar] = [0] * robot.n
    for i, damping in enumerate(robot.terms.damping):
        forces[i] = forces[i] + damping * qd[i]
    for joint, rate in zip(robot.joints, joint_rates(robot, qd), strict=True):
        for k, share in joint.rates if joint.damping else ():
            forces[k] = forces[k] + share * (joint.damping * rate)
    for i, friction in enumerate(robot.terms.friction):
        x = qd[i] * _STEEPNESS
        forces[i] = forces[i] + friction * (x / sqrt(x * x + 1))
    return forces


def friction_derivatives(robot: Robot, qd: Sequence[Scalar]) -> list[Scalar]:
    """Derivatives of `velocity_forces` by the velocities: (n,) [N m s/rad or N s/m].

    Those of joints that follow are those of the tree.
    """
    derivatives: list[Scalar] = [0] * robot.n
    for i, damping in enumerate(robot.terms.damping):
        derivatives[i] = derivatives[i] + damping
    for i, friction in enumerate(robot.terms.friction):
        x = qd[i] * _STEEPNESS
        square = x * x + 1
        derivatives[i] = derivatives[i] + friction * _STEEPNESS / (square * sqrt(square))
    return derivatives


def with_joint_terms(robot: Robot, values: Values, tau: Sequence[Scalar]) -> list[Scalar]:
    """Joint forces with what rotors, friction and springs take of a motion `qd`, `qdd`."""
    if not robot.terms.names:
        return list(tau)
    return [
        force + own + armature_of(robot, i) * values["qdd"][i]
        for i, (force, own) in enumerate(zip(tau, taken(robot, values), strict=True))
    ]


def left_of_forces(robot: Robot, values: Values) -> list[Scalar]:
    """Joint forces `tau` less what friction and springs take at `q`, `qd`."""
    if not robot.terms.names:
        return list(values["tau"])
    return [tau - own for tau, own in zip(values["tau"], taken(robot, values), strict=True)]


def taken(robot: Robot, values: Values) -> list[Scalar]:
    """Forces that overcome friction and springs at `q`, `qd`: (n,) [N m or N]."""
    step("joint terms: " + ", ".join(robot.terms.names))
    pairs = zip(
        velocity_forces(robot, values["qd"]), spring_forces(robot, values["q"]), strict=True
    )
    return [rubbed + held for rubbed, held in pairs]
