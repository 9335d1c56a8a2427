"""Velocity and acceleration of a frame, and how fast its Jacobian changes.

Relative to frame A, a link across joint k from another moves by

    v' = v + S qd,   a' = a + S qdd + v x S qd

and S, which goes with the link, changes by dS/dt = v x S (Featherstone 2008, eq. 2.45).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates
from robcogen_ros.algorithms.mechanics.kinematics import Matrix, paths, relative_pose
from robcogen_ros.algorithms.mechanics.loops.followers import curve_at
from robcogen_ros.algorithms.mechanics.loops.rows import (
    closure_rows,
    loop_columns,
    solver,
)
from robcogen_ros.algorithms.mechanics.operational_space import dot
from robcogen_ros.model.closures.closure import Closure, Loop
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Pose, Vector

STILL = (MotionVector(), MotionVector())
"""No velocity and no acceleration."""


def frame_motion(
    robot: Robot,
    transforms: Sequence[JointTransform],
    base: Frame,
    target: Frame,
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    start: tuple[MotionVector, MotionVector] = STILL,
) -> tuple[MotionVector, MotionVector]:
    """Spatial velocity and acceleration of frame `target`, about its origin, in base's axes.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        base: The frame relative to which and in whose axes motion is meant.
        target: The frame that moves.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
        start: Motion of the base's link, in its coordinates, where motion is meant in space.
    """
    rates, changes = joint_rates(robot, qd), joint_changes(robot, transforms, qd, qdd)
    up, down = paths(robot, base, target)
    v, a = start
    for k in up:
        joint, X = robot.joints[k], transforms[k].pose
        step(f"motion of {robot.links[joint.predecessor].name}")
        turn = joint.kind.motion(rates[k])
        a = named(X.motion(a - joint.kind.motion(changes[k]) - v.cross_motion(turn)), f"a_{k}")
        v = named(X.motion(v - turn), f"v_{k}")
    for k in down:
        joint, X = robot.joints[k], transforms[k].pose
        step(f"motion of {robot.links[joint.successor].name}")
        turn = joint.kind.motion(rates[k])
        v = named(X.motion_back(v) + turn, f"v{k + 1}")
        a = X.motion_back(a) + joint.kind.motion(changes[k]) + v.cross_motion(turn)
        a = named(a, f"a{k + 1}")
    link = Frame(robot.links[target.link].name, target.link, Pose())
    turned = Pose(relative_pose(robot, transforms, base, link).rotation)
    origin = Pose(translation=target.pose.translation)
    return turned.motion(origin.motion_back(v)), turned.motion(origin.motion_back(a))


def joint_changes(
    robot: Robot,
    transforms: Sequence[JointTransform],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
) -> list[Scalar]:
    """Acceleration of each joint from the motion of the coordinates: G qdd + g.

    Args:
        robot: The robot, n coordinates, at a position if it has loops.
        transforms: Transform across each joint.
        qd: (n,) velocities [rad/s or m/s].
        qdd: (n,) accelerations [rad/s^2 or m/s^2].
    """
    rates, changes = joint_rates(robot, qd), joint_rates(robot, qdd)
    gained: list[Scalar] = [0] * len(changes)
    for closure in robot.closures:
        rows = closure_bias(robot, closure, transforms, rates)
        K = closure_rows(robot, closure, transforms)
        step(f"{closure.title}: accelerations of its joints")
        missing = [-(x + dot(row, gained)) for x, row in zip(rows, K, strict=True)]
        for k, gain in zip(closure.dependent, solver(closure.dependent, K)(missing), strict=True):
            gained[k] = named(gain, f"g{k + 1}")
        for follower in closure.followers:
            gained[follower.joint] = gained[follower.leader] * follower.multiplier
    return [x + gain for x, gain in zip(changes, gained, strict=True)]


def closure_bias(
    robot: Robot,
    closure: Closure,
    transforms: Sequence[JointTransform],
    rates: Sequence[Scalar],
) -> list[Scalar]:
    """dK/dt times rates of the joints, (rows,), of the rows of loops that count."""
    if closure.curve:
        rate = rates[closure.curve.leader]
        return [-(curve_at(robot, closure.curve)[2] * rate * rate)]
    every = ((loop, list(_bias(robot, loop, transforms, rates))) for loop in closure.loops)
    return [own[row] for loop, own in every for row in loop.rows]


def _bias(
    robot: Robot, loop: Loop, transforms: Sequence[JointTransform], rates: Sequence[Scalar]
) -> MotionVector:
    """Returns dK/dt times rates of the joints at which the origins of the loop's frames rest.

    With w and l the sums of the columns times rates up to joint k, s_k of which is its own, it is
    the sum of [w x s_w; w x s_v - s_w x l] (see `frame_hessian`).
    """
    turned, moved, total = Vector(), Vector(), MotionVector()
    for k, column in loop_columns(robot, loop, transforms):
        own = column * rates[k]
        angular = turned.cross(own.angular)
        turned, moved = turned + own.angular, moved + own.linear
        linear = turned.cross(own.linear) - own.angular.cross(moved)
        total = total + MotionVector(angular, linear)
    return total


def of_point(velocity: MotionVector, acceleration: MotionVector) -> MotionVector:
    """Angular acceleration, and that of the point at the origin: the linear part and w x v."""
    gained = velocity.angular.cross(velocity.linear)
    return MotionVector(acceleration.angular, acceleration.linear + gained)


def jacobian_rate(
    robot: Robot,
    transforms: Sequence[JointTransform],
    base: Frame,
    target: Frame,
    qd: Sequence[Scalar],
    velocity: MotionVector | None = None,
) -> Matrix:
    """Time derivative of the Jacobian of frame `target` relative to frame `base`.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        base: The frame relative to which and in whose coordinates motion is meant.
        target: The frame that moves.
        qd: (n,) velocities [rad/s or m/s].
        velocity: Velocity of the base's link in its coordinates, where motion is meant in space;
            then the six columns of a floating base come first.

    Returns:
        (6, n) or (6, 6+n), rows angular then linear; in space, as it changes in axes that stand
        still and are the base's now.
    """
    rates = joint_rates(robot, qd)
    pose, v = base.pose.inverse(), velocity or MotionVector()
    axes: list[tuple[Joint, MotionVector, MotionVector]] = []
    step(f"change of the Jacobian of {target.name}")
    for k, sign in _steps(robot, base, target):
        joint, X = robot.joints[k], transforms[k].pose
        pose = pose if sign < 0 else pose @ X
        axis = pose.motion(joint.kind.motion(sign))
        pose = pose @ X.inverse() if sign < 0 else pose
        axes.append((joint, axis, v.cross_motion(axis)))
        v = v + axis * rates[k]
    point = (pose @ target.pose).translation
    moving = v.linear + v.angular.cross(point)
    columns = [MotionVector()] * robot.n
    for joint, axis, change in axes:
        column = _column_rate(axis, change, point, moving)
        for c, share in joint.rates:
            columns[c] = columns[c] + column * share
    if velocity is not None:
        columns = [*_columns_of_base(velocity, point, moving), *columns]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(6)]


def _steps(robot: Robot, base: Frame, target: Frame) -> Iterator[tuple[int, int]]:
    """The joints from one frame to another, with -1 where they are crossed from beyond."""
    up, down = paths(robot, base, target)
    yield from ((k, -1) for k in up)
    yield from ((k, 1) for k in down)


def _column_rate(
    axis: MotionVector, change: MotionVector, point: Vector, moving: Vector
) -> MotionVector:
    """Returns the rate of [S_w; S_v + S_w x p], by the rates of S and p."""
    linear = change.linear + change.angular.cross(point) + axis.angular.cross(moving)
    return MotionVector(change.angular, linear)


def _columns_of_base(velocity: MotionVector, point: Vector, moving: Vector) -> list[MotionVector]:
    """The base's own axes go with it."""
    axes = (MotionVector.of([int(k == i) for k in range(6)]) for i in range(6))
    return [_column_rate(axis, velocity.cross_motion(axis), point, moving) for axis in axes]
