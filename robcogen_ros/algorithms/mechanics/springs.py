"""Springs along the coordinates and joints: forces, energy, stiffness.

A spring of stiffness k pulls what is at x to its rest r by k (r - x), and holds k (x - r)^2 / 2. Of
a joint that follows through loops, with the row G of its rates, that is G' k (r - x).
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.mechanics.closures import angles_without_offset
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot

Matrix = list[list[Scalar]]


def spring_forces(robot: Robot, q: Sequence[Scalar]) -> list[Scalar]:
    """Forces on the coordinates that hold the springs where they are, (n,) [N m or N].

    Args:
        robot: The robot, n coordinates, at the position where it has loops.
        q: (n,) the position [rad or m].
    """
    forces: list[Scalar] = [0] * robot.n
    for i, stiffness in enumerate(robot.terms.stiffness):
        forces[i] = stiffness * (q[i] - robot.terms.rest[i])
    for joint, way in _sprung(robot, q):
        for k, share in joint.rates:
            forces[k] = forces[k] + share * (joint.stiffness * way)
    return forces


def spring_energy(robot: Robot, q: Sequence[Scalar]) -> Scalar:
    """Energy of the springs [J], zero where none pulls; arguments as of `spring_forces`."""
    twice: Scalar = 0
    for i, stiffness in enumerate(robot.terms.stiffness):
        way = q[i] - robot.terms.rest[i]
        twice = twice + stiffness * (way * way)
    for joint, way in _sprung(robot, q):
        twice = twice + joint.stiffness * (way * way)
    return twice / 2


def spring_slopes(robot: Robot) -> Matrix:
    """Derivatives of the forces by positions, (n, n) [N m/rad, ...].

    Those of joints that follow through loops are those of the tree.
    """
    slopes: Matrix = [[0] * robot.n for _ in range(robot.n)]
    for i, stiffness in enumerate(robot.terms.stiffness):
        slopes[i][i] = stiffness
    return slopes


def _sprung(robot: Robot, q: Sequence[Scalar]) -> list[tuple[Joint, Scalar]]:
    """Joints that follow through loops and have springs, each with its way from the rest."""
    if not any(joint.stiffness for joint in robot.joints):
        return []
    places = zip(robot.joints, angles_without_offset(robot, q), strict=True)
    return [(joint, x - joint.rest) for joint, x in places if joint.stiffness]
