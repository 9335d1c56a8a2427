"""The regressor Y of inverse dynamics: forces are linear in inertial parameters, tau = Y pi.

(Khalil and Dombre 2002, chapter 12; Atkeson, An and Hollerbach 1986.) Ten parameters a link, about
the origin and in the axes of its public frame: m, m c, then the tensor's entries ixx, ixy, ixz,
iyy, iyz, izz. With s, v: angular and linear motion of that frame per unit rate of a coordinate, and
w, wd, Omega, a: motion of the frame as in `link_motion`,

    m:    v' a
    m c:  a x s + Omega' v
    I:    s' (I wd + w x I w), linear in the entries of I
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Pose, Vector

PER_LINK = 10
"""Inertial parameters of a link."""

_UNITS = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))
_ENTRIES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def regressor(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    base_velocity: MotionVector,
    base_acceleration: MotionVector,
) -> Matrix:
    """The regressor of the forces [base wrench; tau], no wrench of a fixed base.

    Args:
        robot: The robot, n coordinates, L links.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        base_velocity: Spatial velocity of the base, base coordinates.
        base_acceleration: Spatial acceleration of the base less gravity, base coordinates.

    Returns:
        (n, 10 (L - 1)), or of a floating base (6 + n, 10 L): links in public order, without a
        base that is fixed.
    """
    base = LinkMotion.of_base(base_velocity, base_acceleration)
    rates, changes = joint_rates(robot, qd), joint_changes(robot, transforms, qd, qdd)
    motions = link_motions(robot, transforms, rates, changes, base)
    first = 6 if robot.floating_base else 0
    moved: list[dict[int, MotionVector]] = [_base_motions() if robot.floating_base else {}]
    for joint, X in zip(robot.joints, transforms, strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: motion per unit rates")
        motion = {row: X.motion_back(m) for row, m in moved[joint.predecessor].items()}
        for k, share in joint.rates:
            along = joint.kind.motion(share)
            motion[first + k] = motion[first + k] + along if first + k in motion else along
        moved.append(motion)
    columns: list[list[Scalar]] = []
    for i in robot.link_order if robot.floating_base else robot.link_order[1:]:
        step(f"link {i}, {robot.links[i].name}: columns of the regressor")
        columns += _columns(robot, robot.links[i].frame, motions[i], moved[i])
    return [list(row) for row in zip(*columns, strict=True)] if columns else []


def _base_motions() -> dict[int, MotionVector]:
    turns = {c: MotionVector(unit, Vector()) for c, unit in enumerate(_UNITS)}
    return turns | {3 + c: MotionVector(Vector(), unit) for c, unit in enumerate(_UNITS)}


def _columns(
    robot: Robot, frame: Pose, motion: LinkMotion, moved: dict[int, MotionVector]
) -> list[list[Scalar]]:
    """The ten columns of a link whose public frame has this pose on it."""
    at = _of_frame(frame, motion)
    size = robot.n + (6 if robot.floating_base else 0)
    columns: list[list[Scalar]] = [[0] * size for _ in range(PER_LINK)]
    for row, per_rate in moved.items():
        entries = _row(at, frame.motion_back(per_rate))
        for column, entry in zip(columns, entries, strict=True):
            column[row] = entry
    return columns


def _of_frame(frame: Pose, motion: LinkMotion) -> LinkMotion:
    """The motion of a frame on a link, in the frame's coordinates."""
    back = frame.rotation.transposed()
    a = motion.a + motion.Omega.apply(frame.translation)
    return LinkMotion.of(back.apply(motion.w), back.apply(motion.wd), back.apply(a))


def _row(at: LinkMotion, per_rate: MotionVector) -> list[Scalar]:
    """Returns the force along one coordinate per unit of each of the ten parameters."""
    s, v = per_rate.angular, per_rate.linear
    moment = at.a.cross(s) + at.Omega.transposed().apply(v)
    return [v.dot(at.a), *moment, *_tensor_row(s, at.wd, s.cross(at.w), at.w)]


def _tensor_row(s: Vector, wd: Vector, swept: Vector, w: Vector) -> list[Scalar]:
    """s' I wd + (s x w)' I w, by the entries of I."""
    sides = [*zip(s, wd, swept, w, strict=True)]
    entries = []
    for i, j in _ENTRIES:
        (si, di, gi, wi), (sj, dj, gj, wj) = sides[i], sides[j]
        entry = si * dj + gi * wj
        entries.append(entry if i == j else entry + (sj * di + gj * wi))
    return entries
