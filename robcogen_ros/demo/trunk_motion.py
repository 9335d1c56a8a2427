"""A motion of the trunk of a robot on legs: it stands up, moves each way, and is pushed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from robcogen_ros.control.blend import blend
from robcogen_ros.control.dynamics import Array
from robcogen_ros.model.quaternions import rotation

RISE, HOLD = 0.15, 0.05
"""Shares of the time for standing up, and for standing still after it."""
LAST = 0.2
"""Share of the time at the end in which the robot stands and is pushed."""
WAYS = ("height", "roll", "pitch", "yaw", "sway to the side", "sway ahead")
TURNS = ("roll", "pitch", "yaw")
CROUCH, PUSH = "crouch", "push"
PEAK = 4.0 / 27**0.5
"""Factor that makes the largest value of a swing 1."""
PUSH_TIME = 0.1
"""Length of the push [s]."""
PUSHES = (0.2, 0.15)
"""Pushes that are tried in turn, as changes of the robot's speed [m/s]; the last is the least."""
FALLEN = 0.5
"""Distance of the trunk from its place from which a robot has fallen, as a share of its height."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """Motion of the trunk in the world that is wanted at a time.

    Attributes:
        position: (3,) [m].
        quaternion: (4,) x, y, z, w from trunk to world.
        angular_velocity: (3,) [rad/s].
        linear_velocity: (3,) [m/s].
        angular_acceleration: (3,) [rad/s^2].
        linear_acceleration: (3,) [m/s^2].
    """

    position: Array
    quaternion: Array
    angular_velocity: Array
    linear_velocity: Array
    angular_acceleration: Array
    linear_acceleration: Array

    @classmethod
    def at_rest(cls, position: Array) -> Trunk:
        """A level trunk that does not move."""
        rest = np.zeros(3)
        return cls(position, np.array([0.0, 0.0, 0.0, 1.0]), rest, rest, rest, rest)

    @property
    def motion(self) -> Array:
        """All of it (19,), as `control.balance` takes it."""
        turning = self.angular_velocity, self.linear_velocity
        changing = self.angular_acceleration, self.linear_acceleration
        return np.concatenate([self.position, self.quaternion, *turning, *changing])

    @property
    def pose(self) -> Array:
        """Pose in the world (4, 4)."""
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation(self.quaternion), self.position
        return pose


@dataclass(frozen=True, slots=True)
class TrunkMotion:
    """A motion of the trunk above feet that stay.

    Attributes:
        duration: How long it takes [s].
        height: Of the trunk while it stands [m].
        crouch: How much lower it begins [m].
        sizes: Largest motion each of the `WAYS` [m, rad].
        start: Positions of the joints in the crouch.
        standing: Positions of the joints while it stands.
        push: (3,) force at the trunk while it is pushed [N].
        refused: Why it does not do what it might, by the `WAYS`, `CROUCH` and `PUSH`.
    """

    duration: float
    height: float
    crouch: float
    sizes: tuple[float, ...]
    start: Array
    standing: Array
    push: Array
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def risen(self) -> float:
        """The time when it has stood up and stood still [s]."""
        return (RISE + HOLD) * self.duration

    @property
    def push_begin(self) -> float:
        """The time when the push begins [s]."""
        return (1.0 - 0.75 * LAST) * self.duration

    def push_speed(self, mass: float) -> float:
        """The change of the speed of a robot of some mass [kg] by the push [m/s]."""
        return PUSH_TIME * float(np.linalg.norm(self.push)) / mass

    def pushed(self, time: float) -> bool:
        """Returns True if the robot is pushed at a time."""
        return self.push_begin <= time < self.push_begin + PUSH_TIME

    def span(self, way: int) -> tuple[float, float]:
        """Begin and end of the motion one way [s]."""
        begin, each = RISE + HOLD, (1.0 - LAST - RISE - HOLD) / len(WAYS)
        return (begin + way * each) * self.duration, (begin + (way + 1) * each) * self.duration

    def at(self, time: float) -> Trunk:
        """Returns the motion of the trunk that is wanted at a time."""
        offset = np.zeros((3, len(WAYS)))
        offset[:, 0] = self.crouch * (blend(time, RISE * self.duration) - np.array([1, 0, 0]))
        for way, size in enumerate(self.sizes):
            begin, end = self.span(way)
            if begin <= time < end:
                offset[:, way] += size * _swing(time - begin, end - begin)
        angles, places = offset[:, 1:4], offset[:, [5, 4, 0]]
        turn = int(np.argmax(np.abs(angles).sum(axis=0)))
        quaternion = np.zeros(4)
        quaternion[turn], quaternion[3] = np.sin(angles[0, turn] / 2), np.cos(angles[0, turn] / 2)
        base = np.array([0.0, 0.0, self.height])
        return Trunk(base + places[0], quaternion, angles[1], places[1], angles[2], places[2])


def fallen(error: Array, height: float) -> bool:
    """Returns True if a robot has fallen that keeps its feet where they are.

    Args:
        error: (..., 3) wanted minus actual position of its trunk, of some time [m].
        height: Of its trunk while it stands [m].
    """
    return bool((np.linalg.norm(error, axis=-1) > FALLEN * height).any())


def _swing(time: float, duration: float) -> Array:
    """Returns a swing to 1, through 0 to -1 and back to 0, with two derivatives."""
    a = 2 * np.pi / duration
    s, c = np.sin(a * time), np.cos(a * time)
    sine, cosine = np.array([s, a * c, -a * a * s]), np.array([1 - c, a * s, a * a * c])
    return PEAK * np.array(
        [
            sine[0] * cosine[0],
            sine[1] * cosine[0] + sine[0] * cosine[1],
            sine[2] * cosine[0] + 2 * sine[1] * cosine[1] + sine[0] * cosine[2],
        ]
    )
