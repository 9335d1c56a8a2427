"""References of a robot on legs, as `trajectory_msgs/MultiDOFJointTrajectory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from robcogen_ros.control.balance import MOTION, UNIT, TrunkReference
from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact, numbers
from robcogen_ros.ros.messages.reference import MOST_POINTS, point_times

TRUNK = -1
"""Number of the trunk, beside those of the contacts."""


def reference_in(
    message: Any, base: str, contacts: Sequence[Contact], time: float
) -> TrunkReference:
    """The reference in a message: motion of the base link, and of the feet that swing.

    Feet have the names of their contacts, or of their frames; those that are not named stand. One
    point is for now; several are a plan that begins now.

    Args:
        message: The message.
        base: Name of the base link.
        contacts: The robot's contacts.
        time: When it came [s].

    Raises:
        RobcogenError: If it is none.
    """
    points, names = list(message.points), list(message.joint_names)
    times = point_times(points, MOST_POINTS)
    if times[0] != 0.0:
        raise RobcogenError(f"expected time_from_start zero of the first point, found {times[0]:g}")
    for point in points:
        sizes = {len(point.velocities), len(point.accelerations)} - {0}
        if len(point.transforms) != len(names) or not sizes <= {len(names)}:
            raise RobcogenError("transforms, velocities or accelerations are not one a name")
    places = _places(names, base, numbers(contacts))
    untold = np.nan if len(points) > 1 else 0.0
    motions = {
        place: np.array([_motion(point, i, names[i], untold) for point in points])
        for place, i in places.items()
    }
    return TrunkReference(motions.pop(TRUNK), motions, time, times)


def _places(names: Sequence[str], base: str, known: Mapping[str, int]) -> dict[int, int]:
    """Returns where trunk and feet, by their numbers, are among names.

    Raises:
        RobcogenError: If a name is of neither, or twice there, or the trunk's is not.
    """
    found = dict[int, int]()
    for i, name in enumerate(names):
        place = TRUNK if name == base else known.get(name)
        if place is None or place in found:
            raise RobcogenError(
                f"'{name}' is neither the base link '{base}' nor a contact, or is there twice"
            )
        found[place] = i
    if TRUNK not in found:
        raise RobcogenError(f"it names no motion of the base link '{base}'")
    return found


def _motion(point: Any, i: int, name: str, untold: float) -> Array:
    """The motion of a point, `untold` where no twist or acceleration is told."""
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
    for begin, twists in ((7, point.velocities), (13, point.accelerations)):
        motion[begin : begin + 6] += 0.0 if len(twists) else untold
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
