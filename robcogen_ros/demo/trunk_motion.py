"""A motion of the trunk of a robot on legs: it stands up, moves each way, and is pushed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.floating_simulation import rotation
from robcogen_ros.control.standing import Legs, Posture
from robcogen_ros.errors import RobcogenError

CROUCHES = (0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.0)
"""How much lower than standing a crouch is, as a share of the height; the first possible one."""
RISE, HOLD = 0.15, 0.05
"""Shares of the time for standing up, and for standing still after it."""
LAST = 0.2
"""Share of the time at the end in which the robot stands and is pushed."""
WAYS = ("height", "roll", "pitch", "yaw", "sway to the side", "sway ahead")
SIZES = (0.1, 0.2, 0.2, 0.3, 0.08, 0.08)
"""Largest motion each way [of the height for ways, rad for turns]."""
TURNS = ("roll", "pitch", "yaw")
POINTS = 9
"""Places on the way that are looked at."""
PEAK = 4.0 / 27**0.5
"""What makes the largest value of a swing 1."""
SCALES = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.0)
PUSH_TIME, PUSH_SPEED = 0.1, 0.2
"""Length of the push [s], and its impulse a kilogram of the robot [m/s]."""
INSIDE = 0.3
"""How far inside the feet the center of mass stays, as a share of its room there."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """Where the trunk is to be, in the world.

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
    """

    duration: float
    height: float
    crouch: float
    sizes: tuple[float, ...]
    start: Array
    standing: Array
    push: Array

    @property
    def push_begin(self) -> float:
        """When the push begins [s]."""
        return (1.0 - 0.75 * LAST) * self.duration

    def pushed(self, time: float) -> bool:
        """Whether the robot is pushed at a time."""
        return self.push_begin <= time < self.push_begin + PUSH_TIME

    def span(self, way: int) -> tuple[float, float]:
        """Begin and end of the motion one way [s]."""
        begin, each = RISE + HOLD, (1.0 - LAST - RISE - HOLD) / len(WAYS)
        return (begin + way * each) * self.duration, (begin + (way + 1) * each) * self.duration

    def at(self, time: float) -> Trunk:
        """Where the trunk is to be."""
        offset = np.zeros((3, len(WAYS)))
        offset[:, 0] = self.crouch * (_step(time, RISE * self.duration) - np.array([1, 0, 0]))
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


def plan(robot: Any, legs: Legs, standing: Posture, duration: float) -> TrunkMotion:
    """The largest of a family of motions in which the feet can stay where they are.

    Args:
        robot: The robot.
        legs: Its legs.
        standing: Its posture.
        duration: How long the motion takes [s].

    Raises:
        RobcogenError: If the robot would tip over while it only stands.
    """
    place = _Place(legs, standing)
    if not place.possible(Trunk.at_rest(place.base)):
        raise RobcogenError(
            f"robot '{robot.name}' does not stand: its center of mass is not above its feet"
        )
    still = TrunkMotion(
        duration,
        standing.height,
        0.0,
        (0.0,) * len(WAYS),
        standing.q,
        standing.q,
        PUSH_SPEED * robot.total_mass() / PUSH_TIME * np.array([0.0, 1.0, 0.0]),
    )
    sizes = [
        next(size for size in _smaller(way, standing.height) if _fits(place, still, way, size))
        for way in range(len(WAYS))
    ]
    drops = (share * standing.height for share in CROUCHES)
    crouch = next(
        drop for drop in drops if place.possible(Trunk.at_rest(place.base - [0, 0, drop]))
    )
    start = place.positions(Trunk.at_rest(place.base - [0, 0, crouch]))
    assert start is not None
    return replace(still, crouch=crouch, sizes=tuple(sizes), start=start)


def _smaller(way: int, height: float) -> Iterator[float]:
    """Motions one way, ever smaller ones, and none."""
    full = SIZES[way] * (1.0 if WAYS[way] in TURNS else height)
    return (scale * full for scale in SCALES)


def _fits(place: _Place, still: TrunkMotion, way: int, size: float) -> bool:
    """Whether the trunk can go so far one way, to both sides."""
    sizes = [0.0] * len(WAYS)
    sizes[way] = size
    motion, (begin, end) = replace(still, sizes=tuple(sizes)), still.span(way)
    times = begin + (end - begin) * np.linspace(0.0, 1.0, POINTS)
    return all(place.possible(motion.at(float(time))) for time in times)


class _Place:
    """A robot that stands with its feet where they stay.

    Attributes:
        base: Where its base is in the world (3,) [m].
    """

    def __init__(self, legs: Legs, standing: Posture) -> None:
        self.base = np.array([0.0, 0.0, standing.height])
        self._legs, self._q = legs, standing.q
        self._feet = Trunk.at_rest(self.base).pose @ legs.poses(standing.q)

    def positions(self, trunk: Trunk) -> Array | None:
        """Positions of the joints with the trunk at some place; None if it cannot be there."""
        return self._legs.placed(self._q, list(np.linalg.inv(trunk.pose) @ self._feet))

    def possible(self, trunk: Trunk) -> bool:
        """Whether the trunk can be there, with the center of mass well above the feet."""
        q = self.positions(trunk)
        return q is not None and self._legs.balance(q, trunk.pose) > INSIDE


def _step(time: float, duration: float) -> Array:
    """From 0 to 1, and its two derivatives."""
    x = min(max(time / duration, 0.0), 1.0)
    return np.array(
        [
            x**3 * (10 - 15 * x + 6 * x**2),
            30 * x**2 * (1 - x) ** 2 / duration,
            60 * x * (1 - x) * (1 - 2 * x) / duration**2,
        ]
    )


def _swing(time: float, duration: float) -> Array:
    """To 1, through 0 to -1 and back to 0, and its two derivatives, which begin and end at 0."""
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
