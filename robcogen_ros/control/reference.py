"""The motion a controller is asked for: what to be at, at any time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.angles import nearest
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.trajectory import MotionState, Trajectory
from robcogen_ros.errors import RobcogenError

MARGIN = 1e-6
"""Distance that a motion may go beyond a limit [rad or m], for limits rounded on the way."""
OLDEST = 1.0
"""Greatest age of a set point that is still followed [s]."""


class ReferenceMotion(Protocol):
    """Something that tells where to be over time."""

    def sample(self, time: float) -> MotionState:
        """Returns the motion at a time."""


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
        """Returns the motion at a time."""
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
        positions: Positions; a joint that has none in any row stays where it is.
        velocities: Velocities.
        accelerations: Accelerations.
        efforts: Efforts to add.
    """

    times: tuple[float, ...]
    positions: Array
    velocities: Array
    accelerations: Array
    efforts: Array

    @property
    def is_set_point(self) -> bool:
        """True if it is a single point for the start itself."""
        return self.times == (0.0,)

    def turned_to(self, position: Array, continuous: NDArray[np.bool_]) -> Waypoints:
        """Returns these waypoints, whole turns away, with the first nearest to a position."""
        turns = nearest(self.positions[0], position, continuous) - self.positions[0]
        return replace(self, positions=self.positions + turns)

    def after(self, time: float) -> Waypoints:
        """The points later than a time since the start, as seen from that time."""
        left = [i for i, t in enumerate(self.times) if t > time]
        return Waypoints(
            tuple(self.times[i] - time for i in left),
            self.positions[left],
            self.velocities[left],
            self.accelerations[left],
            self.efforts[left],
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Positions that motions stay within.

    Attributes:
        names: The joints.
        lower: Least positions.
        upper: Greatest positions.
    """

    names: Sequence[str]
    lower: Array
    upper: Array

    def check(self, motion: Trajectory, start: Array) -> None:
        """Refuses a motion that swings out between its points, but for where it starts.

        Raises:
            RobcogenError: If it does, and which joint.
        """
        least, greatest = motion.extent()
        below = least < np.minimum(self.lower, start) - MARGIN
        above = greatest > np.maximum(self.upper, start) + MARGIN
        for joint in np.flatnonzero(below | above)[:1]:
            far = least[joint] if below[joint] else greatest[joint]
            raise RobcogenError(
                f"between its points joint '{self.names[joint]}' goes to {far:.4g}, beyond its "
                "limits; give more points or other velocities"
            )


def joint_bounds(robot: Any) -> Bounds:
    """Returns the limits of a robot's joints."""
    return Bounds(robot.joint_names, robot.lower_limits, robot.upper_limits)


class ReferenceFollower:
    """Follows one motion and takes over others when their time comes."""

    def __init__(
        self,
        position: Array,
        continuous: NDArray[np.bool_],
        patience: float,
        bounds: Bounds | None = None,
    ) -> None:
        """Stands still.

        Args:
            position: Where.
            continuous: Which joints turn without end.
            patience: How long a set point is carried on [s].
            bounds: What motions must stay within.
        """
        self.patience = patience
        self._bounds = bounds
        self._continuous = continuous
        self._motion: ReferenceMotion = SetPoint(-math.inf, MotionState.at_rest(position), 0.0)
        self._coming: list[tuple[float, ReferenceMotion]] = []
        self._now = -math.inf

    def sample(self, time: float) -> MotionState:
        """Returns the motion at a time; times do not go back."""
        self._now = time
        while self._coming and time >= self._coming[0][0]:
            self._motion = self._coming.pop(0)[1]
        return self._motion.sample(time)

    def _motion_at(self, time: float) -> MotionState:
        """Returns the motion at a time, of those that are known now."""
        begun = [motion for start, motion in self._coming if start <= time]
        return [self._motion, *begun][-1].sample(time)

    def follow(self, points: Waypoints, start: float, measured: Array | None = None) -> None:
        """Follows points from time `start` on, beginning where the motion is then.

        The motion goes on without a jump: what the first of several points says of the start itself
        gives way to where the motion is. Where the start has passed, it goes on to the first point
        that is still to come. Joints that have no position in the points stay where they are. A
        single point for the start itself is a set point.

        A set point of a continuous joint is taken the short way. Other points cover the numbers
        that are written: a first point for the start itself tells from which turn they count,
        otherwise it is the turn that the joint is in.

        Args:
            points: Where to be and when.
            start: The time that theirs count from [s].
            measured: Where the robot is, in the turns that it is in; None: where the motion is.

        Raises:
            RobcogenError: If all points lie in the past, or the motion leaves its bounds.
        """
        late = self._now - start
        if late >= (OLDEST if points.is_set_point else points.times[-1]) > 0:
            raise RobcogenError(f"its last point is {late - points.times[-1]:.3g} s old")
        turns = 0.0 if measured is None else self._turns_to(measured)
        if points.times[0] == 0.0:
            points = points.turned_to(self._motion_at(start).position + turns, self._continuous)
        if late > 0 and not points.is_set_point:
            points, start = points.after(late), self._now
        before = self._motion_at(start)
        before = before._replace(position=before.position + turns)
        absent = np.isnan(points.positions).all(axis=0)
        positions = np.where(absent, before.position, points.positions)
        derivatives = (points.velocities, points.accelerations)
        velocities, accelerations = (np.where(absent, 0.0, rows) for rows in derivatives)
        efforts = np.nan_to_num(points.efforts)
        if points.is_set_point:
            rates = (np.nan_to_num(velocities[0]), np.nan_to_num(accelerations[0]))
            state = MotionState(positions[0], *rates, efforts[0])
            self._take(SetPoint(start, state, self.patience), start)
            return
        given = (positions, velocities, accelerations, efforts)
        known = int(points.times[0] == 0.0)
        rows = (np.vstack([now, row[known:]]) for now, row in zip(before, given, strict=True))
        q, qd, qdd, effort = rows
        times = (0.0, *points.times[known:])
        motion = Trajectory.through(times, q, qd, qdd, effort, start)
        if self._bounds is not None:
            self._bounds.check(motion, before.position)
        self._take(motion, start)

    def _turns_to(self, measured: Array) -> Array:
        """The whole turns from the motion of this moment to where the robot is."""
        position = self._motion.sample(self._now).position
        return nearest(position, measured, self._continuous) - position

    def _take(self, motion: ReferenceMotion, start: float) -> None:
        """Lets a motion take over at its start, in place of all that would begin later."""
        earlier = [(begin, other) for begin, other in self._coming if begin < start]
        self._coming = [*earlier, (start, motion)]
