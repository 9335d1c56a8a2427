"""Poses, geometric Jacobians and the center of mass."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import AXIS, JointTransform
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.spatial import Motion, Pose, Vector

Matrix = list[list[Scalar]]


def link_poses(robot: Robot, transforms: Sequence[JointTransform]) -> list[Pose]:
    """Pose base_X_link of each link."""
    poses = [Pose()]
    for joint, X in zip(robot.joints, transforms, strict=True):
        i = joint.successor
        step(f"link {i}, {robot.links[i].name}: pose")
        pose = poses[joint.predecessor] @ X.pose
        poses.append(Pose(named(pose.rotation, f"E{i}"), named(pose.translation, f"r{i}")))
    return poses


def joint_axes(robot: Robot, poses: Sequence[Pose]) -> list[Motion]:
    """Motion of all beyond a joint that moves at unit rate, in the base's coordinates.

    Args:
        robot: The robot.
        poses: Pose of each link in the base.

    Returns:
        One motion vector a joint, angular velocity and velocity of the point at the base's origin.
    """
    step("joint axes in the base")
    return [_axis_in_base(joint, poses[joint.successor]) for joint in robot.joints]


def relative_pose(
    robot: Robot, transforms: Sequence[JointTransform], to: Frame, frm: Frame
) -> Pose:
    """The pose to_X_frm, from the joints between the two frames only."""
    up, down = paths(robot, to, frm)
    step(f"pose of {frm.name} in {to.name}")
    pose = to.pose.inverse()
    for k in up:
        pose = pose @ transforms[k].pose.inverse()
    for k in down:
        pose = pose @ transforms[k].pose
    return pose @ frm.pose


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
    columns = [Motion()] * robot.n
    for joint, column in chain_columns(robot, transforms, base, target):
        columns[joint.coordinate] = columns[joint.coordinate] + column
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(6)]


def chain_columns(
    robot: Robot, transforms: Sequence[JointTransform], base: Frame, target: Frame
) -> list[tuple[Joint, Motion]]:
    """Each joint on the way from frame `base` to frame `target`, and what it adds to the Jacobian.

    It is the motion of the target per unit rate of the joint's coordinate, in base's coordinates.
    """
    up, down = paths(robot, base, target)
    step(f"Jacobian of {target.name} relative to {base.name}")
    pose, axes = base.pose.inverse(), []
    for k in up:
        axes.append((robot.joints[k], -1, pose))
        pose = pose @ transforms[k].pose.inverse()
    for k in down:
        pose = pose @ transforms[k].pose
        axes.append((robot.joints[k], 1, pose))
    point = (pose @ target.pose).translation
    return [
        (joint, _joint_column(joint, successor, point) * (joint.multiplier * sign))
        for joint, sign, successor in axes
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
    mass, moment = subtree_moments(robot, transforms)
    return mass[0], moment[0]


def subtree_moments(
    robot: Robot, transforms: Sequence[JointTransform]
) -> tuple[list[Scalar], list[Vector]]:
    """Mass beyond each link, itself included, and its first moment in the link's coordinates."""
    mass = [link.inertia.mass for link in robot.links]
    moment = [link.inertia.moment for link in robot.links]
    for joint, X in zip(reversed(robot.joints), reversed(transforms), strict=True):
        i, parent = joint.successor, joint.predecessor
        step(f"moment of mass beyond joint {joint.name}")
        mass[parent] = mass[parent] + mass[i]
        moved = X.mass_moment(mass[i], moment[i])
        moment[parent] = named(moment[parent] + moved, f"h{parent}")
    return mass, moment


def paths(robot: Robot, start: Frame, end: Frame) -> tuple[list[int], list[int]]:
    """Joints from one frame up to the common ancestor, and from there down to the other."""
    up, down = robot.support(start.link), robot.support(end.link)
    shared = 0
    while shared < min(len(up), len(down)) and up[shared] == down[shared]:
        shared += 1
    return list(reversed(up[shared:])), list(down[shared:])


def _axis_in_base(joint: Joint, successor: Pose) -> Motion:
    axis = successor.rotation.apply(AXIS)
    if joint.prismatic:
        return Motion(Vector(), axis)
    return Motion(axis, successor.translation.cross(axis))


def _joint_column(joint: Joint, successor: Pose, point: Vector) -> Motion:
    """Velocity of a point on the far side of a joint that moves at unit rate."""
    axis = successor.rotation.apply(AXIS)
    if joint.prismatic:
        return Motion(Vector(), axis)
    return Motion(axis, axis.cross(point - successor.translation))
