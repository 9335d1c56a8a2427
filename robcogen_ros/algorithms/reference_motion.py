"""A motion at the velocities of the state, with accelerations that take fewest operations.

Forward dynamics may start from any accelerations: articulated bodies answer the forces that are
left over. So a link that turns gets the acceleration about its axis with which an entry of
U = [dw/dt]x + [w]x [w]x vanishes (see `link_motion`): Uxy or Uyx, whichever is used more. It is
as small as what velocities cause anyway. A floating base gets all three.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.joints import AXIS, JointTransform
from robcogen_ros.algorithms.link_motion import LinkMotion, motion_beyond
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Vector

_Z = 2


def reference_base(robot: Robot, w: Vector, a: Vector) -> LinkMotion:
    """The motion of a floating base.

    Args:
        robot: The robot.
        w: Angular velocity, base coordinates [rad/s].
        a: Acceleration of its origin less gravity, base coordinates [m/s^2].
    """
    return LinkMotion.of(w, Vector(*(_vanishing(robot, 0, w, axis) for axis in range(3))), a)


def reference_motions(
    robot: Robot, transforms: Sequence[JointTransform], rates: Sequence[Scalar], base: LinkMotion
) -> tuple[list[LinkMotion], list[Scalar]]:
    """The motion of each link, base first, and the accelerations of the coordinates.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        rates: Velocity of each joint [rad/s or m/s].
        base: Motion of the base.

    Returns:
        Motions, and (n,) accelerations [rad/s^2 or m/s^2]: zero of what slides, all of them where
        joints follow others.
    """
    motions = [base]
    qdd: list[Scalar] = [0] * robot.n
    for joint, X, rate in zip(robot.joints, transforms, rates, strict=True):
        i, before = joint.successor, motions[joint.predecessor]
        step(f"link {i}, {robot.links[i].name}: velocity, acceleration")
        change: Scalar = 0
        if not joint.prismatic and not robot.has_mimic:
            wanted = _vanishing(robot, i, X.turned_back(before.w), _Z)
            change = wanted - X.turned_back(before.wd).z
            qdd[joint.coordinate] = joint.multiplier * change
        motions.append(motion_beyond(robot, joint, X, before, rate, change).named(i))
    return motions, qdd


def _vanishing(robot: Robot, link: int, w: Vector, axis: int) -> Scalar:
    """The angular acceleration of a link about an axis with which an entry of U vanishes.

    With j and k the next axes, Ujk = wj wk - dwi/dt and Ukj = wj wk + dwi/dt.

    Args:
        robot: The robot.
        link: Number of the link.
        w: Its angular velocity; the component along the axis is not used.
        axis: 0, 1 or 2.
    """
    j, k = (axis + 1) % 3, (axis + 2) % 3
    product = [*w][j] * [*w][k]
    return product if _uses(robot, link, j, k) >= _uses(robot, link, k, j) else -product


def _uses(robot: Robot, link: int, row: int, column: int) -> int:
    """How often an entry of a link's U is used, as far as that differs between Ujk and Ukj.

    By its moments, the origins of the links that it carries, and twice by axes along one of its
    own.
    """
    inertia = robot.links[link].inertia
    second = [*inertia.tensor.second_moments().matrix()][column]
    factors = [moment for k, moment in enumerate(second) if k != row]
    factors.append([*inertia.moment][column])
    for joint in robot.joints:
        if joint.predecessor == link:
            along = [*joint.pose.rotation.apply(AXIS)][column]
            factors += [[*joint.pose.translation][column], along, along]
    return sum(not is_zero(factor) for factor in factors)
