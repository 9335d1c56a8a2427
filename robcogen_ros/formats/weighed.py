"""Poses of a robot's bodies at a position, their weights, and the torques that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats.bodies import Body, Movement
from robcogen_ros.formats.simulated_inertia import matrix
from robcogen_ros.model.quaternions import matrix as pose_matrix

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A body with all that is fixed on it; in the axes of the base, about its origin.

    Attributes:
        mass: Mass [kg].
        center: Center of mass [m]; of a massless body its origin.
        tensor: Rotational inertia about the center of mass [kg m^2].
        anchor: A point of the axis of its joint [m]; None for the base.
        axis: Direction of that axis.
        torque: What holds it against gravity at its joint, with all that it carries [N m or N].
    """

    mass: float
    center: Array
    tensor: Array
    anchor: Array | None = None
    axis: Array | None = None
    torque: float = 0.0


def weighed(
    bodies: Sequence[Body], q: Mapping[str, float], gravity: Sequence[float]
) -> list[Weighed]:
    """The bodies of a robot at rest.

    Args:
        bodies: The bodies, base first, parents before children.
        q: Positions of the joints that are free, by name [rad or m].
        gravity: Acceleration of free fall in the axes of the base [m/s^2].
    """
    poses: list[Array] = []
    found: list[Weighed] = []
    moments = np.zeros((len(bodies), 4))
    for place, body in enumerate(bodies):
        pose = pose_matrix(body.pose)
        if body.movement and body.parent is not None:
            pose = poses[body.parent] @ pose @ _moved(body.movement, q)
        poses.append(pose)
        center = pose[:3, :3] @ [float(x) for x in body.center] + pose[:3, 3]
        tensor = pose[:3, :3] @ matrix(body) @ pose[:3, :3].T
        mass = float(body.mass)
        moments[place] = [mass, *(mass * center)]
        axis = pose[:3, :3] @ _axis(body.movement) if body.movement else None
        found.append(Weighed(mass, center, tensor, pose[:3, 3] if body.movement else None, axis))
    for place in reversed(range(1, len(bodies))):
        body = bodies[place]
        torque = _torque(found[place], body.movement, moments[place], np.array(gravity))
        found[place] = replace(found[place], torque=torque)
        moments[body.parent] += moments[place]
    return found


def positions(bodies: Sequence[Body]) -> dict[str, float]:
    """Positions that nothing makes special, within the limits, of the joints that are free."""
    return {
        name: lower + (upper - lower) * (0.5 + 0.4 * float(np.sin(1.0 + index)))
        for index, (name, (lower, upper)) in enumerate(ranges(bodies).items())
    }


def ranges(bodies: Sequence[Body]) -> dict[str, tuple[float, float]]:
    """The least and the greatest position of the joints that are free; 1 rad or 0.1 m for none."""
    found = {}
    for movement in (m for b in bodies if (m := b.movement) and not m.leader):
        lower, upper = movement.limits.lower, movement.limits.upper
        size = 0.1 if movement.kind.is_length else 1.0
        lower = lower if lower is not None else min(-size, (upper or 0.0) - size)
        found[movement.name] = lower, upper if upper is not None else max(size, lower + size)
    return found


def position(movement: Movement, q: Mapping[str, float]) -> float:
    """The position of a joint, which may follow another [rad or m]."""
    return float(movement.multiplier) * q[movement.leader or movement.name] + float(movement.offset)


def _axis(movement: Movement) -> Array:
    return np.array([float(entry) for entry in movement.axis])


def _moved(movement: Movement, q: Mapping[str, float]) -> Array:
    """Pose of a body in its own frame where its joint is at zero."""
    at, axis, moved = position(movement, q), _axis(movement), np.eye(4)
    moved[:3, 3] = movement.kind.travel(at) * axis
    if movement.kind.turns:
        K = np.cross(np.eye(3), axis)
        moved[:3, :3] += np.sin(at) * K + (1 - np.cos(at)) * K @ K
    return moved


def _torque(body: Weighed, movement: Movement | None, moment: Array, gravity: Array) -> float:
    assert movement is not None and body.axis is not None and body.anchor is not None
    axis, arm = body.axis, moment[1:] - moment[0] * body.anchor
    return movement.kind.combined(
        turning=lambda: float(-np.cross(arm, gravity) @ axis),
        sliding=lambda: float(-moment[0] * gravity @ axis),
    )
