"""Springs along the coordinates and joints, and between frames: forces, energy, stiffness.

A spring of stiffness k pulls what is at x to its rest r by k (r - x), and holds k (x - r)^2 / 2. Of
a joint that follows through loops, with the row G of its rates, that is G' k (r - x).

Between frames at a distance w, with columns c_i of the Jacobian between them, the length is
l = |w|, and with t = k (1 - r / l)

    forces    t w'c_i
    slopes    t (c_i'c_j + w'dc_i/dq_j) + k r / l^3 (w'c_i) (w'c_j)

The second derivative of w is that of `frame_hessian`: the turn of the joint that is nearer to the
first frame, across the other's column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import chain_columns, relative_pose
from robcogen_ros.algorithms.mechanics.loops.closures import angles_without_offset
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero, sqrt
from robcogen_ros.model.spatial import MotionVector, Vector
from robcogen_ros.model.terms import LinearSpring

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
    for line in _stretched(robot, q):
        for k, column in line.columns:
            forces[k] = forces[k] + line.pull * line.way.dot(column.linear)
    return forces


def spring_energy(robot: Robot, q: Sequence[Scalar]) -> Scalar:
    """Energy of the springs [J], zero where none pulls; arguments as of `spring_forces`."""
    twice: Scalar = 0
    for i, stiffness in enumerate(robot.terms.stiffness):
        way = q[i] - robot.terms.rest[i]
        twice = twice + stiffness * (way * way)
    for joint, way in _sprung(robot, q):
        twice = twice + joint.stiffness * (way * way)
    for line in _stretched(robot, q):
        twice = twice + line.twice_energy
    return twice / 2


def spring_slopes(robot: Robot, q: Sequence[Scalar]) -> Matrix:
    """Derivatives of the forces by positions, (n, n) [N m/rad, ...].

    Of a robot with loops, without those of joints that follow and of springs between frames, which
    are those of the tree; arguments as of `spring_forces`.
    """
    slopes: Matrix = [[0] * robot.n for _ in range(robot.n)]
    for i, stiffness in enumerate(robot.terms.stiffness):
        slopes[i][i] = stiffness
    for line in _stretched(robot, q) if not robot.has_loops else ():
        for at, (i, first) in enumerate(line.columns):
            for beyond, (j, second) in enumerate(line.columns):
                nearer, farther = (first, second) if at <= beyond else (second, first)
                slopes[i][j] = slopes[i][j] + line.slope(first, second, nearer, farther)
    return slopes


@dataclass(frozen=True, slots=True)
class _Stretched:
    """A spring between frames at a position.

    Attributes:
        spring: The spring.
        way: From the first frame to the second, in the first one's axes [m].
        length: Its length; not there where it pulls at any [m].
        columns: Coordinates with the motion of the second frame against the first per unit rate,
            from the first frame on.
    """

    spring: LinearSpring
    way: Vector
    length: Scalar
    columns: list[tuple[int, MotionVector]]

    @property
    def pull(self) -> Scalar:
        """The force along it, over its length [N/m]."""
        k, rest = self.spring.stiffness, self.spring.length
        return k if is_zero(rest) else k * (1 - rest / self.length)

    @property
    def twice_energy(self) -> Scalar:
        """Twice its energy [J]."""
        k, rest = self.spring.stiffness, self.spring.length
        if is_zero(rest):
            return k * self.way.dot(self.way)
        longer = self.length - rest
        return k * (longer * longer)

    def slope(
        self, first: MotionVector, second: MotionVector, nearer: MotionVector, farther: MotionVector
    ) -> Scalar:
        """The derivative of the force along one column by the coordinate of another.

        Args:
            first: The one.
            second: The other.
            nearer: Of these the one whose joint is nearer to the first frame.
            farther: The other one.
        """
        a, b, w = first.linear, second.linear, self.way
        slope = self.pull * (a.dot(b) + w.dot(nearer.angular.cross(farther.linear)))
        k, rest = self.spring.stiffness, self.spring.length
        if is_zero(rest):
            return slope
        cube = self.length * self.length * self.length
        return slope + k * rest / cube * (w.dot(a) * w.dot(b))


def _stretched(robot: Robot, q: Sequence[Scalar]) -> Iterator[_Stretched]:
    """The springs between frames at a position; arguments as of `spring_forces`."""
    if not robot.terms.lines:
        return
    transforms = joint_transforms(robot, q)
    for spring in robot.terms.lines:
        first, second = (robot.frames[k] for k in spring.frames)
        way = relative_pose(robot, transforms, first, second).translation
        length = 0 if is_zero(spring.length) else sqrt(way.dot(way))
        columns = chain_columns(robot, transforms, first, second)
        yield _Stretched(spring, way, length, [(k, column) for _, k, column in columns])


def _sprung(robot: Robot, q: Sequence[Scalar]) -> list[tuple[Joint, Scalar]]:
    """Joints that follow through loops and have springs, each with its way from the rest."""
    if not any(joint.stiffness for joint in robot.joints):
        return []
    places = zip(robot.joints, angles_without_offset(robot, q), strict=True)
    return [(joint, x - joint.rest) for joint, x in places if joint.stiffness]
