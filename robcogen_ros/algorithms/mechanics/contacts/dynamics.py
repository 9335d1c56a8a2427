"""Robots in contact: H a + h = tau + J'f and J a + b = c (Featherstone 2008, chapters 3 and 8).

Forces of contacts and impulses by the operational-space inertia (Khatib 1987; its inverse is
Delassus' matrix A), from the factors of the inertia matrix H = L'DL:

    Y = L^-T J'    y = L^-T (tau - h)    A = Y' D^-1 Y
    (A + damping) f = c - b - Y' D^-1 y      a = L^-1 D^-1 (y + Y f)

A contact that is open has a row and a column of the identity in A, and no force. The rows of a
contact are motions of its frame's origin in the axes of the base, or of the ground; b is the
inertial acceleration of the point where a is zero, so that a fixed point stays fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import noted, step
from robcogen_ros.algorithms.mechanics.factorization import (
    Matrix,
    solve,
    solve_lower,
    solve_transposed,
)
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.kinematics import (
    full_jacobian,
    geometric_jacobian,
    relative_pose,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion
from robcogen_ros.algorithms.mechanics.operational_space import dot
from robcogen_ros.model.robot import Frame, Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero, select, sqrt
from robcogen_ros.model.spatial import IDENTITY, Force, Matrix3, Pose, Vector

BASE = Frame("base", 0, Pose())


def row_names(robot: Robot) -> list[str]:
    """Returns the name of each row: the contact, and its component."""
    words = [f"{kind}_{axis}" for kind in ("orientation", "position") for axis in "xyz"]
    return [
        f"{robot.frames[contact.frame].name}:{words[row]}"
        for contact in robot.contacts
        for row in contact.rows
    ]


def contact_rows(robot: Robot) -> int:
    """Returns the number of rows of all contacts."""
    return sum(len(contact.rows) for contact in robot.contacts)


def frame_rows(robot: Robot, transforms: Sequence[JointTransform], frame: int) -> Matrix:
    """The Jacobian of a frame, (6, n), or in space (6, 6+n) of a robot that floats."""
    if robot.floating_base:
        return full_jacobian(robot, transforms, robot.frames[frame])
    return geometric_jacobian(robot, transforms, BASE, robot.frames[frame])


def contact_jacobian(robot: Robot, transforms: Sequence[JointTransform], axes: Matrix3) -> Matrix:
    """The rows J of all contacts, (m, n) or (m, 6+n) of a robot that floats.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        axes: Axes of the ground in those of the base, by columns.
    """
    rows: Matrix = []
    for contact in robot.contacts:
        J = frame_rows(robot, transforms, contact.frame)
        columns = [in_axes(axes, column) for column in zip(*J, strict=True)]
        rows += [[column[row] for column in columns] for row in contact.rows]
    return [noted(row, f"J{k + 1}") for k, row in enumerate(rows)]


def contact_bias(
    robot: Robot,
    transforms: Sequence[JointTransform],
    motions: Sequence[LinkMotion],
    gravity: Vector,
    axes: Matrix3,
) -> list[Scalar]:
    """The inertial acceleration of all rows, (m,), that goes with the motion of the links.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        motions: Motion of each link, accelerations less gravity.
        gravity: Acceleration of free fall, base axes.
        axes: Axes of the ground in those of the base, by columns.
    """
    bias: list[Scalar] = []
    for contact in robot.contacts:
        frame = robot.frames[contact.frame]
        own, link = motions[frame.link], Frame(frame.name, frame.link, Pose())
        turned = relative_pose(robot, transforms, BASE, link).rotation
        a = turned.apply(own.a + own.Omega.apply(frame.pose.translation)) + gravity
        rows = in_axes(axes, [*turned.apply(own.wd), *a])
        bias += [rows[row] for row in contact.rows]
    return [noted(row, f"b{k + 1}") for k, row in enumerate(bias)]


def contact_wrenches(
    robot: Robot,
    transforms: Sequence[JointTransform],
    forces: Sequence[Scalar],
    axes: Matrix3,
) -> list[Force]:
    """The wrench of all contacts on each link, by link number, in the link's public coordinates.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        forces: Of all rows.
        axes: Axes of the ground in those of the base, by columns.
    """
    wrenches = [Force()] * len(robot.links)
    for frame, at_frame in forces_at_frames(robot, forces, axes):
        turned = relative_pose(robot, transforms, BASE, Frame("", frame.link, Pose())).rotation
        on_link = Pose(translation=frame.pose.translation).force(Pose(turned).force_back(at_frame))
        public = robot.links[frame.link].frame.force_back(on_link)
        wrenches[frame.link] = wrenches[frame.link] + public
    return wrenches


def forces_at_frames(
    robot: Robot, forces: Iterable[Scalar], axes: Matrix3 = IDENTITY
) -> Iterator[tuple[Frame, Force]]:
    """The frame of each contact, and the force there of all its rows, turned by axes."""
    given = iter(forces)
    for contact in robot.contacts:
        six: list[Scalar] = [0] * 6
        for row in contact.rows:
            six[row] = next(given)
        at_frame = Force(axes.apply(Vector(*six[:3])), axes.apply(Vector(*six[3:])))
        yield robot.frames[contact.frame], at_frame


@dataclass(frozen=True, slots=True)
class Contacts:
    """Contacts of which each row is closed or open.

    Attributes:
        L: Factor of the inertia matrix, unit lower triangular.
        inverse_D: The other one, inverted.
        Y: L^-T J', a row each.
        closed: 1 of each row that is closed, 0 of one that is open.
        damping: What is added to the diagonal of A.
    """

    L: Matrix
    inverse_D: Sequence[Scalar]
    Y: Matrix
    closed: Sequence[Scalar]
    damping: Sequence[Scalar]

    @classmethod
    def of(
        cls,
        factors: tuple[Matrix, Sequence[Scalar]],
        J: Matrix,
        closed: Sequence[Scalar],
        damping: Sequence[Scalar],
    ) -> Contacts:
        """Returns contacts from the factors of H = L'DL, D inverted, and the rows J."""
        step("rows of the contacts by the factors of the inertia matrix")
        Y = [noted(solve_transposed(factors[0], row), f"Y{k + 1}") for k, row in enumerate(J)]
        return cls(*factors, Y, closed, damping)

    def forces(self, wanted: Sequence[Scalar]) -> list[Scalar]:
        """The f, zero where rows are open, that change the motion of the closed rows as wanted."""
        A = self.matrix
        step("forces of the contacts")
        return solve(A, [on * x for on, x in zip(self.checked, wanted, strict=True)])

    @property
    def matrix(self) -> Matrix:
        """A with damping; the identity where rows are open."""
        return self._with_open_rows(delassus_matrix(self.Y, self.inverse_D))

    @property
    def checked(self) -> list[Scalar]:
        """The rows' states, closed or open; NaN for all if one is neither."""
        wrong = neither(self.closed)
        return [on + wrong for on in self.closed]

    def rows_of(self, y: Sequence[Scalar]) -> list[Scalar]:
        """Y' D^-1 y: how the rows move by what L' gives y of."""
        return [dot(row, self.scaled(y)) for row in self.Y]

    def scaled(self, y: Sequence[Scalar]) -> list[Scalar]:
        """D^-1 y."""
        return [value * d for value, d in zip(y, self.inverse_D, strict=True)]

    def motion(self, y: Sequence[Scalar], forces: Sequence[Scalar]) -> list[Scalar]:
        """L^-1 D^-1 (y + Y f)."""
        step("motion of the robot in contact")
        total = list(y)
        for row, force in zip(self.Y, forces, strict=True):
            total = [x if is_zero(z) else x + z * force for x, z in zip(total, row, strict=True)]
        return solve_lower(self.L, self.scaled(total))

    def only(self, rows: Sequence[bool]) -> Contacts:
        """Returns the contacts with all rows open but the chosen ones."""
        closed = [x if own else 0 for x, own in zip(self.closed, rows, strict=True)]
        return Contacts(self.L, self.inverse_D, self.Y, closed, self.damping)

    def _with_open_rows(self, A: Matrix) -> Matrix:
        on = self.closed
        rows = [
            [
                entry * (on[i] * on[j]) + ((1 - on[i]) + self.damping[i] if i == j else 0)
                for j, entry in enumerate(row)
            ]
            for i, row in enumerate(A)
        ]
        return [noted(row, f"A{i + 1}") for i, row in enumerate(rows)]


def neither(closed: Sequence[Scalar]) -> Scalar:
    """0, but NaN if one of several rows is neither closed, 1, nor open, 0."""
    wrong: Scalar = 0
    for on in closed:
        wrong = wrong + (on * (1 - on)) * (on * (1 - on))
    return 0 if is_zero(wrong) else select(-wrong, 0, sqrt(-wrong))


def delassus_matrix(Y: Matrix, inverse_D: Sequence[Scalar]) -> Matrix:
    """A = J H^-1 J' = Y' D^-1 Y, (m, m), from its rows Y = L^-T J'."""
    step("Delassus matrix")
    scaled = [[x * d for x, d in zip(row, inverse_D, strict=True)] for row in Y]
    lower = [[dot(row, scaled[j]) for j in range(i + 1)] for i, row in enumerate(Y)]
    return [[lower[max(i, j)][min(i, j)] for j in range(len(Y))] for i in range(len(Y))]


def impulses(
    contacts: Contacts, wanted: Sequence[Scalar], normal: Sequence[bool], e: Scalar
) -> list[Scalar]:
    """Impulses that bring rows to rest, and let normal ones rebound (Poisson's restitution).

    Compression brings all rows to rest; restitution adds e times the normal impulses, while other
    rows are held at rest: then no energy is gained while contacts stick.

    Args:
        contacts: The contacts.
        wanted: The change of velocity of each row in compression.
        normal: Of each row, whether it is along the normal of the ground.
        e: Coefficient of restitution, 0 to 1.
    """
    compression = contacts.forces(wanted)
    if is_zero(e):
        return compression
    step("restitution")
    rebound = [p * e if own else 0 for p, own in zip(compression, normal, strict=True)]
    A = delassus_matrix(contacts.Y, contacts.inverse_D)
    held = contacts.only([not own for own in normal])
    moved = held.forces([-dot(row, rebound) for row in A])
    return [a + b + c for a, b, c in zip(compression, rebound, moved, strict=True)]


def in_axes(axes: Matrix3, six: Sequence[Scalar]) -> list[Scalar]:
    """Two vectors in axes that are given by columns."""
    back = axes.transposed()
    return [*back.apply(Vector(*six[:3])), *back.apply(Vector(*six[3:]))]
