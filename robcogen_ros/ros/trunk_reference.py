"""References of a robot on legs, as `trajectory_msgs/MultiDOFJointTrajectory` of one point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from robcogen_ros.control.balance import MOTION, UNIT, Reference
from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact, numbers


def reference_in(message: Any, base: str, contacts: Sequence[Contact], time: float) -> Reference:
    """The reference in a message: motion of the base link, and of the feet that swing.

    Feet have the names of their contacts, or of their frames; those that are not named stand.

    Args:
        message: The message.
        base: Name of the base link.
        contacts: The robot's contacts.
        time: When it came [s].

    Raises:
        RobcogenError: If it is none.
    """
    if len(message.points) != 1:
        raise RobcogenError(f"expected one point, found {len(message.points)}")
    point, names = message.points[0], list(message.joint_names)
    if point.time_from_start.sec or point.time_from_start.nanosec:
        raise RobcogenError("expected time_from_start zero")
    sizes = {len(point.velocities), len(point.accelerations)} - {0}
    if len(point.transforms) != len(names) or not sizes <= {len(names)}:
        raise RobcogenError("transforms, velocities or accelerations are not one a name")
    known = numbers(contacts)
    trunk, feet = None, dict[int, Array]()
    for i, name in enumerate(names):
        motion = _motion(point, i, name)
        if name == base and trunk is None:
            trunk = motion
        elif name in known and known[name] not in feet:
            feet[known[name]] = motion
        else:
            raise RobcogenError(
                f"'{name}' is neither the base link '{base}' nor a contact, or is there twice"
            )
    if trunk is None:
        raise RobcogenError(f"it names no motion of the base link '{base}'")
    return Reference(trunk, feet, time)


def _motion(point: Any, i: int, name: str) -> Array:
    place = point.transforms[i]
    motion = np.zeros(MOTION)
    motion[:7] = (*_three(place.translation), *_three(place.rotation), place.rotation.w)
    for begin, twists in ((7, point.velocities), (13, point.accelerations)):
        if len(twists):
            motion[begin : begin + 6] = (*_three(twists[i].angular), *_three(twists[i].linear))
    length = float(np.linalg.norm(motion[3:7]))
    if not np.isfinite(motion).all():
        raise RobcogenError(f"numbers of '{name}' are not finite")
    if not abs(length - 1.0) < UNIT:
        raise RobcogenError(
            f"the quaternion of '{name}' has length {length:.4g}; expected 1 (x, y, z, w)"
        )
    motion[3:7] /= length
    return motion


def _three(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def reference_message(motions: Mapping[str, Array]) -> Any:
    """The message of motions (19,) of the base link and of feet that swing, by name."""
    from geometry_msgs.msg import Quaternion, Transform, Twist, Vector3
    from trajectory_msgs.msg import MultiDOFJointTrajectory, MultiDOFJointTrajectoryPoint

    def vector(values: Array) -> Any:
        return Vector3(**dict(zip("xyz", values.tolist(), strict=True)))

    point = MultiDOFJointTrajectoryPoint()
    for motion in motions.values():
        turn = Quaternion(**dict(zip("xyzw", motion[3:7].tolist(), strict=True)))
        point.transforms.append(Transform(translation=vector(motion[:3]), rotation=turn))
        point.velocities.append(Twist(angular=vector(motion[7:10]), linear=vector(motion[10:13])))
        point.accelerations.append(
            Twist(angular=vector(motion[13:16]), linear=vector(motion[16:19]))
        )
    return MultiDOFJointTrajectory(joint_names=list(motions), points=[point])
