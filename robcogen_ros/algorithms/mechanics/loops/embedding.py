"""Derivatives of the motion of all joints by the coordinates, where some follow through loops.

With qd_t = G qd and qdd_t = G qdd + dG/dt qd of all joints, what depends on the tree's motion has
by the chain rule the derivatives

    by q:   A_q G + A_qd dG/dt + A_qdd dqdd_t/dq
    by qd:  A_qd G + 2 A_qdd dG/dt              by qdd:  A_qdd G

since G is a derivative itself, so that d(G qd)/dq = dG/dt. Positions of joints that follow have
the derivatives G, whatever they are found by; what else follows from the rows K is differentiated
by forward accumulation (implicit differentiation: Griewank and Walther 2008, chapter 15).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.loops.closures import with_rates
from robcogen_ros.algorithms.mechanics.operational_space import dot, plus, product, transposed
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.dual import Dual, dual, jacobian
from robcogen_ros.model.scalars.operation import Scalar

Matrix = list[list[Scalar]]

_TIME = "t"


def differentiated(robot: Robot, changes: Sequence[Dual]) -> Robot:
    """A robot at a position over dual numbers.

    Args:
        robot: The robot, n coordinates, at the position.
        changes: (n,) zeros with the derivatives of the coordinates.
    """
    moving = robot.map(dual)
    moving = replace(moving, joints=tuple(_moving(joint, changes) for joint in moving.joints))
    for closure in robot.closures:
        moving = with_rates(moving, closure)
    return moving


def _moving(joint: Joint, changes: Sequence[Dual]) -> Joint:
    change = sum((changes[k] * share for k, share in joint.rates), start=Dual(0))
    if joint.turn is None:
        return replace(joint, position=dual(joint.position) + change)
    cosine, sine = map(dual, joint.turn)
    return replace(joint, turn=(cosine - sine * change, sine + cosine * change))


def with_rates_by(robot: Robot, moving: Robot, name: Hashable) -> Robot:
    """The robot with the derivative of G by a variable in place of G.

    Args:
        robot: The robot, at a position.
        moving: The same, differentiated.
        name: The variable.
    """
    joints = (
        replace(joint, shares=tuple((k, dual(x).by.get(name, 0)) for k, x in each.rates))
        for joint, each in zip(robot.joints, moving.joints, strict=True)
    )
    return replace(robot, joints=tuple(joints), closures=())


def with_changing_rates(robot: Robot, qd: Sequence[Scalar]) -> Robot:
    """The robot with dG/dt in place of G.

    Args:
        robot: The robot, n coordinates, at a position.
        qd: (n,) velocities [rad/s or m/s].
    """
    moving = differentiated(robot, [Dual(0, {_TIME: rate}) for rate in qd])
    return with_rates_by(robot, moving, _TIME)


@dataclass(frozen=True, slots=True)
class Embedding:
    """Derivatives of the tree's motion by the coordinates, N = n or, of a floating base, 6 + n.

    Attributes:
        G: (6 + joints or joints, N) rates of all, per unit rates.
        change: dG/dt.
        accelerations: Derivatives of the accelerations of all by positions.
        second: For each of these, (N, N), the derivatives of its row of G by positions.
    """

    G: Matrix
    change: Matrix
    accelerations: Matrix
    second: Sequence[Matrix]

    @classmethod
    def of(cls, robot: Robot, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> Embedding:
        """Returns the embedding of a robot at a position, n velocities and n accelerations."""
        first = 6 if robot.floating_base else 0
        names, size = range(robot.n), first + robot.n
        moving = differentiated(robot, [Dual(0, {k: 1}) for k in names])
        transforms = joint_transforms(moving, ())
        changes = joint_changes(moving, transforms, [*map(dual, qd)], [*map(dual, qdd)])
        G: Matrix = [[int(i == k) for k in range(size)] for i in range(first)]
        second: list[Matrix] = [[[0] * size for _ in range(size)] for _ in range(first)]
        for joint in moving.joints:
            G.append([0] * size)
            second.append([[0] * size for _ in range(size)])
            for k, share in joint.rates:
                G[-1][first + k] = dual(share).value
                second[-1][first + k] = [0] * first + jacobian([share], names)[0]
        along = [0] * first + list(qd)
        change = [[dot(row, along) for row in matrix] for matrix in second]
        padded = [[0] * first + row for row in jacobian(changes, names)]
        return cls(G, change, [[0] * size for _ in range(first)] + padded, second)

    def chained(self, by_q: Matrix, by_qd: Matrix, by_qdd: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Derivatives by the coordinates' motion, from those by all joints' motion."""
        twice = [[x + x for x in row] for row in self.change]
        moved = plus(product(by_q, self.G), product(by_qd, self.change))
        return (
            plus(moved, product(by_qdd, self.accelerations)),
            plus(product(by_qd, self.G), product(by_qdd, twice)),
            product(by_qdd, self.G),
        )

    def back(self, matrix: Matrix) -> Matrix:
        """G' times a matrix."""
        return product(transposed(self.G), matrix)

    def turned(self, forces: Sequence[Scalar]) -> Matrix:
        """Derivatives of G' f by positions at constant forces f, (N, N)."""
        size = range(len(self.G[0]))
        return [[dot([matrix[i][k] for matrix in self.second], forces) for k in size] for i in size]
