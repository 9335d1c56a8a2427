"""First derivatives of the motion of robots in contact, and of the forces of the contacts.

The conditions H a + h - J'f = tau and J a + b + damping f = c hold at every x, so that with their
slopes r and s by x, at the motion a and the forces f (Carpentier, Budhiraja, Mansard 2021,
"Proximal and sparse resolution of constrained dynamic equations", section VI),

    da/dx = -P r - K' s    df/dx = K r - R s    da/dtau = P    df/dtau = -K
    R = (J H^-1 J' + damping)^-1    K = R J H^-1    P = H^-1 - H^-1 J' K

What joint k displaces by z x p, p from its axis to a point, at any time, it accelerates by the
second derivative of that. So of a point and of the turning of its link (w, dw)

    by q:   ddz x p + 2 dz x dp + z x ddp     ddz + dz x w + z x dw
    by qd:  2 (dz x p + z x dp)               2 dz + z x w

A force of the ground keeps its direction as the robot moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.contacts.dynamics import (
    Contacts,
    forces_at_frames,
    frame_rows,
    in_axes,
)
from robcogen_ros.algorithms.mechanics.factorization import (
    Matrix,
    inverse_from_ltl,
    ltl,
    solve_lower,
    solve_transposed,
)
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion
from robcogen_ros.algorithms.mechanics.operational_space import (
    dot,
    plus,
    product,
    times,
    transposed,
)
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.sparse_pattern import SparsePattern
from robcogen_ros.model.spatial import Matrix3, MotionVector, Pose, Vector

_UNITS = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


@dataclass(frozen=True, slots=True)
class Placed:
    """A link, or a point of it, as it moves in the axes of the base.

    Attributes:
        pose: Where it is.
        w: Angular velocity [rad/s].
        v: Velocity of its origin [m/s].
        wd: Angular acceleration [rad/s^2].
        a: Acceleration of its origin, less gravity [m/s^2].
    """

    pose: Pose
    w: Vector
    v: Vector
    wd: Vector
    a: Vector

    @classmethod
    def of(cls, pose: Pose, v: Vector, motion: LinkMotion) -> Placed:
        """A link of which the motion is known in its own axes."""
        turned = pose.rotation
        return cls(pose, turned.apply(motion.w), v, turned.apply(motion.wd), turned.apply(motion.a))


def contact_slopes(
    robot: Robot,
    transforms: Sequence[JointTransform],
    motions: Sequence[LinkMotion],
    rates: Sequence[Scalar],
    velocity: MotionVector,
    gravity: Vector,
    axes: Matrix3,
) -> tuple[Matrix, Matrix]:
    """Derivatives of the inertial acceleration of all rows, (m, N) by positions, by velocities.

    Columns of a floating base are turns and shifts of it in its own coordinates, as it moves and
    accelerates the same in these; the ground keeps its place.

    Args:
        robot: The robot, N = n or 6 + n degrees of freedom.
        transforms: Transform across each joint.
        motions: Motion of each link, accelerations less gravity.
        rates: Velocity of each joint [rad/s or m/s].
        velocity: Spatial velocity of the base.
        gravity: Acceleration of free fall, base axes.
        axes: Axes of the ground in those of the base, by columns.
    """
    by_q: Matrix = []
    by_qd: Matrix = []
    first = 6 if robot.floating_base else 0
    for contact in robot.contacts:
        frame = robot.frames[contact.frame]
        step(f"slopes of the acceleration of {frame.name}")
        links = list(_placed_links(robot, transforms, motions, rates, velocity, frame.link))
        point = _point(links[-1][1], motions[frame.link], frame.pose.translation)
        positions, velocities = ([MotionVector()] * (first + robot.n) for _ in range(2))
        for joint, link in links[1:]:
            assert joint is not None
            k = first + joint.coordinate
            slopes = _by_joint(joint, link, point)
            positions[k] = positions[k] + slopes.by_position * joint.multiplier
            velocities[k] = velocities[k] + slopes.by_velocity * joint.multiplier
        if first:
            seen = MotionVector(point.wd, point.a + gravity)
            for c, e in enumerate(_UNITS):
                positions[c] = MotionVector(e.cross(seen.angular), e.cross(seen.linear))
                velocities[c], velocities[3 + c] = _by_base(e, velocity, point)
        for rows, columns in ((by_q, positions), (by_qd, velocities)):
            found = [in_axes(axes, [*column.angular, *column.linear]) for column in columns]
            rows += [[column[row] for column in found] for row in contact.rows]
    return by_q, by_qd


def force_slopes(
    robot: Robot,
    transforms: Sequence[JointTransform],
    forces: Sequence[Scalar],
    axes: Matrix3,
    by_q: Matrix,
) -> None:
    """Adds to the derivatives of [wrench; tau] by positions that forces of contacts do not turn.

    `by_q` is that of wrenches which turn with their links: with the angular column w of a
    coordinate less w x f in each.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        forces: Of all rows.
        axes: Axes of the ground in those of the base, by columns.
        by_q: (N, N), changed in place.
    """
    at_frames = forces_at_frames(robot, forces, axes)
    for contact, (frame, force) in zip(robot.contacts, at_frames, strict=True):
        step(f"turning of the force on {frame.name}")
        n, f = force.angular, force.linear
        J = frame_rows(robot, transforms, contact.frame)
        for k, w in enumerate(Vector(*column[:3]) for column in zip(*J, strict=True)):
            if any(not is_zero(x) for x in w):
                turned = [*w.cross(n), *w.cross(f)]
                for i, column in enumerate(zip(*J, strict=True)):
                    by_q[i][k] = by_q[i][k] + dot(column, turned)


@dataclass(frozen=True, slots=True)
class Response:
    """Response of a robot in contact to forces and to accelerations of its rows.

    Attributes:
        M: (N, m) acceleration by forces of the contacts, H^-1 J'.
        P: (N, N) acceleration by forces, H^-1 of what the contacts let go.
        K: (m, N) what contacts hold of forces.
        R: (m, m) forces of the contacts by accelerations of their rows.
    """

    M: Matrix
    P: Matrix
    K: Matrix
    R: Matrix

    @classmethod
    def of(cls, contacts: Contacts) -> Response:
        """Returns the response of contacts that are closed and open; rows of open ones are zero."""
        size, L, inverse_D = range(len(contacts.L)), contacts.L, contacts.inverse_D

        def answer(y: Sequence[Scalar]) -> list[Scalar]:
            return solve_lower(L, [x * d for x, d in zip(y, inverse_D, strict=True)])

        R = forces_by_rows(contacts)
        step("what the contacts hold of forces")
        by_row = [answer(row) for row in contacts.Y]
        K = product(R, by_row)
        step("acceleration by forces")
        units = [[1 if i == k else 0 for i in size] for k in size]
        free = [answer(solve_transposed(L, unit)) for unit in units]
        held, moved = transposed(K), transposed(by_row)
        P: Matrix = [[0] * len(size) for _ in size]
        for i in size:
            for j in range(i + 1):
                P[i][j] = P[j][i] = named(free[j][i] - dot(moved[i], held[j]), f"P{i}_{j}")
        return cls(moved, P, K, R)

    def slopes(self, r: Matrix, s: Matrix) -> tuple[Matrix, Matrix]:
        """Returns derivatives of accelerations and forces, by the conditions' slopes r and s."""
        of_motion = _negated(plus(product(self.P, r), product(transposed(self.K), s)))
        return of_motion, plus(product(self.K, r), _negated(product(self.R, s)))

    def followed(self, G: Matrix, motion: Matrix, forces: Matrix) -> tuple[Matrix, Matrix]:
        """Returns `motion` and `forces` with the effect of forces added that follow them by G."""
        more = product(G, forces)
        return plus(motion, product(self.M, more)), plus(forces, more)


def forces_by_rows(contacts: Contacts) -> Matrix:
    """R, (m, m), of which rows and columns of open rows are zero."""
    closed, inverse = contacts.checked, inverse_from_ltl(ltl(contacts.matrix))
    step("forces of the contacts by accelerations of their rows")
    return [
        [x * (closed[i] * closed[j]) for j, x in enumerate(row)] for i, row in enumerate(inverse)
    ]


def forces_of(contacts: Contacts, wanted: Sequence[Scalar]) -> list[Scalar]:
    """The forces that change the motion of the rows as wanted, from R, which is known anyway."""
    return times(forces_by_rows(contacts), wanted)


def inverse_factor(contacts: Contacts) -> tuple[Matrix, Matrix]:
    """The factors L^-1 and D^-1 L^-T of H^-1, (N, N)."""
    step("inverse of the factor L of H = L'DL")
    size = range(len(contacts.L))
    units = [[1 if i == k else 0 for i in size] for k in size]
    inverse = transposed([solve_lower(contacts.L, unit) for unit in units])
    return inverse, transposed([contacts.scaled(row) for row in inverse])


def row_pattern(robot: Robot) -> SparsePattern:
    """Returns the pattern of L^-T J', a column for each row of the contacts."""
    first = 6 if robot.floating_base else 0
    return SparsePattern(
        tuple(
            (*range(first), *sorted({first + robot.joints[k].coordinate for k in support}))
            for contact in robot.contacts
            for support in [robot.support(robot.frames[contact.frame].link)]
            for _ in contact.rows
        )
    )


def velocity_pattern(robot: Robot) -> SparsePattern:
    """Returns the pattern of the slopes [0; J] by velocities before an impact."""
    size, moved = len(robot.patterns.inertia.columns), row_pattern(robot).columns
    return SparsePattern(
        tuple(tuple(size + i for i, own in enumerate(moved) if k in own) for k in range(size))
    )


def slope_patterns(robot: Robot) -> tuple[SparsePattern, SparsePattern]:
    """Returns the patterns of the slopes [r; s] by positions and by velocities."""
    of_rows = velocity_pattern(robot).columns
    by_positions, by_velocities = (
        SparsePattern(
            tuple((*r, *(s if r else ())) for r, s in zip(pattern.columns, of_rows, strict=True))
        )
        for pattern in (robot.patterns.by_positions, robot.patterns.by_velocities)
    )
    return by_positions, by_velocities


def _negated(matrix: Matrix) -> Matrix:
    return [[-x for x in row] for row in matrix]


def _placed_links(
    robot: Robot,
    transforms: Sequence[JointTransform],
    motions: Sequence[LinkMotion],
    rates: Sequence[Scalar],
    velocity: MotionVector,
    link: int,
) -> Iterator[tuple[Joint | None, Placed]]:
    """The base and each joint's successor on the way to a link, with the joint."""
    before = Placed.of(Pose(), velocity.linear, motions[0])
    yield None, before
    for k in robot.support(link):
        joint = robot.joints[k]
        pose = before.pose @ transforms[k].pose
        v = before.v + before.w.cross(pose.translation - before.pose.translation)
        if joint.kind.slides:
            v = v + pose.rotation.apply(AXIS) * joint.kind.travel(rates[k])
        before = Placed.of(pose, named(v, f"v_{k}"), motions[joint.successor])
        yield joint, before


def _point(link: Placed, motion: LinkMotion, at: Vector) -> Placed:
    """A point of a link, given in the link's coordinates."""
    arm = link.pose.rotation.apply(at)
    a = link.a + link.pose.rotation.apply(motion.Omega.apply(at))
    origin = Pose(link.pose.rotation, link.pose.translation + arm)
    return Placed(origin, link.w, link.v + link.w.cross(arm), link.wd, a)


@dataclass(frozen=True, slots=True)
class _Slopes:
    """Derivatives of the acceleration of a point, by a joint's position and by its velocity."""

    by_position: MotionVector
    by_velocity: MotionVector

    def __add__(self, other: _Slopes) -> _Slopes:
        return _Slopes(self.by_position + other.by_position, self.by_velocity + other.by_velocity)

    def __mul__(self, factor: Scalar) -> _Slopes:
        return _Slopes(self.by_position * factor, self.by_velocity * factor)


def _by_joint(joint: Joint, link: Placed, point: Placed) -> _Slopes:
    """The slopes of a point beyond a joint."""
    z = link.pose.rotation.apply(AXIS)
    dz = link.w.cross(z)
    ddz = link.wd.cross(z) + link.w.cross(dz)
    return joint.kind.combined(
        turning=lambda: _by_turning(z, dz, ddz, link, point),
        sliding=lambda: _Slopes(MotionVector(Vector(), ddz), MotionVector(Vector(), dz + dz)),
    )


def _by_turning(z: Vector, dz: Vector, ddz: Vector, link: Placed, point: Placed) -> _Slopes:
    p = point.pose.translation - link.pose.translation
    dp, ddp = point.v - link.v, point.a - link.a
    turned = z.cross(point.w)
    half = dz.cross(dp)
    moved = dz.cross(p) + z.cross(dp)
    return _Slopes(
        MotionVector(
            ddz + dz.cross(point.w) + z.cross(point.wd),
            ddz.cross(p) + half + half + z.cross(ddp),
        ),
        MotionVector(dz + dz + turned, moved + moved),
    )


def _by_base(e: Vector, velocity: MotionVector, point: Placed) -> tuple[MotionVector, MotionVector]:
    """Acceleration of a point, by the angular and by the linear velocity of the base along e."""
    w, v, p = velocity.angular, velocity.linear, point.pose.translation
    linear = e.cross(point.v + point.v - v) - e.cross(w).cross(p)
    return MotionVector(e.cross(point.w - w), linear), MotionVector(Vector(), w.cross(e))
