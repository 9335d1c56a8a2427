"""Poses, geometric Jacobians and the center of mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, noted, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.joint_kinds import AXIS
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Pose, Vector

Matrix = list[list[Scalar]]


def link_poses(robot: Robot, transforms: Sequence[JointTransform]) -> Sequence[Pose]:
    """Pose base_X_link of each link."""
    return sweeps(robot).outward("{link}: pose", _pose, Pose(), transforms)


def _pose(body: Body, before: Pose, X: JointTransform) -> Pose:
    pose, i = before @ X.pose, body.number
    return Pose(named(pose.rotation, f"E{i}"), named(pose.translation, f"r{i}"))


def joint_axes(robot: Robot, poses: Sequence[Pose]) -> Sequence[MotionVector]:
    """Motion of all beyond a joint that moves at unit rate, in the base's coordinates.

    Args:
        robot: The robot.
        poses: Pose of each link in the base.

    Returns:
        One motion vector a joint, angular velocity and velocity of the point at the base's origin.
    """
    return sweeps(robot).each("joint axes in the base", _axis_in_base, poses[1:])


def relative_pose(
    robot: Robot, transforms: Sequence[JointTransform], to: Frame, frm: Frame
) -> Pose:
    """The pose to_X_frm, from the joints between the two frames only."""
    up, down = paths(robot, to, frm)
    step(f"pose of {frm.name} in {to.name}")
    pose = to.pose.inverse()
    for k in up:
        pose = _reached(pose @ transforms[k].pose.inverse(), robot.joints[k].predecessor)
    for k in down:
        pose = _reached(pose @ transforms[k].pose, robot.joints[k].successor)
    return pose @ frm.pose


def _reached(pose: Pose, link: int) -> Pose:
    """The pose of a link that a chain of joints passes."""
    return Pose(noted(pose.rotation, f"RC{link}"), noted(pose.translation, f"pC{link}"))


def geometric_jacobian(
    robot: Robot, transforms: Sequence[JointTransform], base: Frame, target: Frame
) -> Matrix:
    """The geometric Jacobian of frame `target` relative to frame `base`.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        base: The frame relative to which and in whose coordinates velocities are meant.
        target: The frame whose origin's velocity, and whose link's angular velocity, is meant.

    Returns:
        (6, n), rows angular then linear. Right also where neither frame's link supports the
        other: joints between the base frame and the common ancestor count with a minus.
    """
    columns = [MotionVector()] * robot.n
    for _, k, column in chain_columns(robot, transforms, base, target):
        columns[k] = columns[k] + column
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(6)]


def chain_columns(
    robot: Robot, transforms: Sequence[JointTransform], base: Frame, target: Frame
) -> list[tuple[Joint, int, MotionVector]]:
    """Joints on the way from frame `base` to frame `target`, and what they add to the Jacobian.

    It is the motion of the target per unit rate of a coordinate, in base's coordinates: joint,
    coordinate, motion.
    """
    up, down = paths(robot, base, target)
    step(f"Jacobian of {target.name} relative to {base.name}")
    pose, axes = base.pose.inverse(), []
    for k in up:
        axes.append((robot.joints[k], -1, pose))
        pose = _reached(pose @ transforms[k].pose.inverse(), robot.joints[k].predecessor)
    for k in down:
        pose = _reached(pose @ transforms[k].pose, robot.joints[k].successor)
        axes.append((robot.joints[k], 1, pose))
    point = (pose @ target.pose).translation
    return [
        (joint, k, column * (share * sign))
        for joint, sign, successor in axes
        for column in (_joint_column(joint, successor, point),)
        for k, share in joint.rates
    ]


def full_jacobian(robot: Robot, transforms: Sequence[JointTransform], target: Frame) -> Matrix:
    """The Jacobian of a frame from [base_velocity; qd], (6, 6+n), base coordinates."""
    origin = Frame("base", 0, Pose())
    joints = geometric_jacobian(robot, transforms, origin, target)
    p = relative_pose(robot, transforms, origin, target).translation
    base = [
        [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, p.z, -p.y, 1, 0, 0],
        [-p.z, 0, p.x, 0, 1, 0],
        [p.y, -p.x, 0, 0, 0, 1],
    ]
    return [left + right for left, right in zip(base, joints, strict=True)]


def center_of_mass(robot: Robot, transforms: Sequence[JointTransform]) -> Vector:
    """Center of all masses, the base's too, in the coordinates of the base [m]."""
    mass, moment = mass_moment(robot, transforms)
    center: Vector = moment * (1 / mass)
    return center


def mass_moment(robot: Robot, transforms: Sequence[JointTransform]) -> tuple[Scalar, Vector]:
    """Mass of all links [kg], and their first moment of mass in base coordinates [kg m]."""
    whole = subtree_moments(robot, transforms)[0]
    return whole.mass, whole.moment


@dataclass(frozen=True, slots=True)
class MassMoment:
    """A mass [kg] and its first moment [kg m]."""

    mass: Scalar
    moment: Vector

    def __add__(self, other: MassMoment) -> MassMoment:
        return MassMoment(self.mass + other.mass, self.moment + other.moment)


def subtree_moments(robot: Robot, transforms: Sequence[JointTransform]) -> Sequence[MassMoment]:
    """Mass beyond each link, itself included, and its first moment in the link's coordinates."""
    tree, of_base = sweeps(robot), robot.links[0].inertia
    own = tree.each("{link}: moment of mass", _own_moment)
    start = on_links(MassMoment(of_base.mass, of_base.moment), own)
    moments, whole = tree.inward("moment of mass beyond {joint}", _moved_moment, start, transforms)
    return on_links(MassMoment(whole.mass, named(whole.moment, "h0")), moments)


def _own_moment(body: Body) -> MassMoment:
    return MassMoment(body.link.inertia.mass, body.link.inertia.moment)


def _moved_moment(
    body: Body, whole: MassMoment, X: JointTransform
) -> tuple[MassMoment, MassMoment]:
    whole = MassMoment(whole.mass, named(whole.moment, f"h{body.number}"))
    return MassMoment(whole.mass, X.mass_moment(whole.mass, whole.moment)), whole


def paths(robot: Robot, start: Frame, end: Frame) -> tuple[list[int], list[int]]:
    """Joints from one frame up to the common ancestor, and from there down to the other."""
    up, down = robot.support(start.link), robot.support(end.link)
    shared = 0
    while shared < min(len(up), len(down)) and up[shared] == down[shared]:
        shared += 1
    return list(reversed(up[shared:])), list(down[shared:])


def _axis_in_base(body: Body, successor: Pose) -> MotionVector:
    axis = successor.rotation.apply(AXIS)
    return body.joint.kind.combined(
        turning=lambda: MotionVector(axis, successor.translation.cross(axis)),
        sliding=lambda: MotionVector(Vector(), axis),
    )


def _joint_column(joint: Joint, successor: Pose, point: Vector) -> MotionVector:
    """Velocity of a point on the far side of a joint that moves at unit rate."""
    axis = successor.rotation.apply(AXIS)
    return joint.kind.combined(
        turning=lambda: MotionVector(axis, axis.cross(point - successor.translation)),
        sliding=lambda: MotionVector(Vector(), axis),
    )
