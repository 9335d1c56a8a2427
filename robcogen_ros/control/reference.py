"""The motion a controller is asked for: what to be at, at any time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.angles import nearest
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.trajectory import MotionState, Trajectory


class Motion(Protocol):
    """Something that tells where to be over time."""

    def sample(self, time: float) -> MotionState:
        """Where to be at a time."""


@dataclass(frozen=True, slots=True)
class SetPoint:
    """One point of a stream: carried on with its own velocity until the next should have come.

    Attributes:
        start: Its time [s].
        state: Where to be then.
        patience: How long it is carried on before the motion stops [s].
    """

    start: float
    state: MotionState
    patience: float

    def sample(self, time: float) -> MotionState:
        """Where to be at a time."""
        t = min(max(time - self.start, 0.0), self.patience)
        q, qd, qdd, effort = self.state
        position = q + t * qd + 0.5 * t * t * qdd
        if time - self.start > self.patience:
            return MotionState.at_rest(position)
        return MotionState(position, qd + t * qdd, qdd, effort)


@dataclass(frozen=True, slots=True)
class Waypoints:
    """Points asked for, one row a point, one column a joint; NaN where a point leaves it open.

    Attributes:
        times: Times since the start [s].
        positions: Positions; never NaN in all rows but for joints not asked for.
        velocities: Velocities.
        accelerations: Accelerations.
        efforts: Efforts to add.
    """

    times: tuple[float, ...]
    positions: Array
    velocities: Array
    accelerations: Array
    efforts: Array


class Reference:
    """Follows one motion and takes over the next when its time comes."""

    def __init__(self, position: Array, continuous: NDArray[np.bool_], patience: float) -> None:
        self.patience = patience
        self._continuous = continuous
        self._motion: Motion = SetPoint(-math.inf, MotionState.at_rest(position), 0.0)
        self._next: Motion = self._motion
        self._switch = -math.inf

    def sample(self, time: float) -> MotionState:
        """Where to be at a time; times do not go back."""
        if time >= self._switch:
            self._motion = self._next
        return self._motion.sample(time)

    def hold(self, position: Array) -> None:
        """Stands still at a position from now on."""
        self._motion = self._next = SetPoint(-math.inf, MotionState.at_rest(position), 0.0)
        self._switch = -math.inf

    def follow(self, points: Waypoints, start: float) -> None:
        """Follows points from time `start` on, beginning where the motion is then.

        Joints that have no position in the points stay where they are then. A single point for
        the start itself is a set point.
        """
        before = self.sample(start)
        absent = np.isnan(points.positions).all(axis=0)
        positions = np.where(absent, before.position, points.positions)
        first = nearest(positions[0], before.position, self._continuous)
        positions = positions + (first - positions[0])
        derivatives = (points.velocities, points.accelerations)
        velocities, accelerations = (np.where(absent, 0.0, rows) for rows in derivatives)
        efforts = np.nan_to_num(points.efforts)
        if points.times == (0.0,):
            rates = (np.nan_to_num(velocities[0]), np.nan_to_num(accelerations[0]))
            state = MotionState(first, *rates, efforts[0])
            self._take(SetPoint(start, state, self.patience), start)
            return
        rows = [positions, velocities, accelerations, efforts]
        times = points.times
        if times[0] > 0.0:
            rows = [np.vstack(pair) for pair in zip(before, rows, strict=True)]
            times = (0.0, *times)
        self._take(Trajectory.through(tuple(start + time for time in times), *rows), start)

    def _take(self, motion: Motion, start: float) -> None:
        self._next, self._switch = motion, start
