"""Steps of a robot on four feet: as velocities are commanded, and standing where none come."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control import gaits
from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.runtime.gait import Gait, Reference
from robcogen_ros.runtime.state import State

if TYPE_CHECKING:
    from typing_extensions import Unpack

STAND, TROT, WALK = "stand", "trot", "walk"
GAITS = STAND, TROT, WALK
_SETTINGS = {TROT: gaits.trot, WALK: gaits.walk}
_SPEEDS = {TROT: 0.15, WALK: 0.04}
"""Greatest speeds ahead, as shares of the root of gravity times height."""
_SIDEWAYS = 0.5
"""Greatest speed to the side, as a share of that ahead."""
_LATE = 0.05
"""Longest cycle that a gait is told [s]."""


class Walking:
    """What a robot does that follows commanded velocities by steps.

    Attributes:
        posture: Positions of the joints in which it stands and steps, once they are known.
        greatest: (3,) greatest speeds ahead and to the side [m/s] and rate of turning [rad/s]; of
            those that are zero the robot's height tells.
    """

    def __init__(self, robot: Any, faults: Counter[str], *, timeout: float) -> None:
        """A robot that stands.

        Args:
            robot: The robot.
            faults: Counts what is wrong.
            timeout: How long a velocity is followed [s].
        """
        self._robot, self._faults, self._timeout = robot, faults, timeout
        self.posture: Array | None = None
        self.greatest = np.zeros(3)
        self._chosen, self._running = STAND, STAND
        self._gait: Gait | None = None
        self._velocity, self._commanded, self._stale = np.zeros(3), -np.inf, True
        self._stepping, self._time, self._height = False, -np.inf, 1.0

    def choose(self, gait: str) -> None:
        """Takes another gait, which begins when the robot stands.

        Raises:
            RobcogenError: If there is none of that name, or the robot has not four feet that are
                points.
        """
        if gait not in GAITS:
            raise RobcogenError(f"gait: expected one of {', '.join(GAITS)}, found '{gait}'")
        contacts = self._robot.contact_records
        if gait != STAND and (len(contacts) != 4 or not all(c.is_point for c in contacts)):
            feet = ", ".join(self._robot.contacts)
            raise RobcogenError(
                f"gait: robot '{self._robot.name}' stands on {feet}: it can only "
                f"'{STAND}', for gaits are of four feet that are points"
            )
        self._chosen = gait

    def command(self, velocity: ArrayLike, time: float) -> None:
        """Takes a velocity (3,) ahead and to the left [m/s], and turning to the left [rad/s]."""
        wanted = np.asarray(velocity, dtype=np.float64)
        if not np.isfinite(wanted).all():
            self._faults["velocity_not_finite"] += 1
            return
        self._velocity, self._commanded, self._stale = wanted, time, False

    def reference(
        self, q: Array, *, closed: Array, time: float, free: bool, **state: Unpack[State]
    ) -> Reference | None:
        """What is to be done now; None if the robot does not follow a gait.

        Args:
            q: (n,) positions of the joints.
            closed: (contacts,) which feet touch the ground.
            time: Now [s].
            free: Whether there is nothing else that the robot is to follow.
            **state: Where the base is and how all moves.
        """
        wanted = self._chosen if free else STAND
        if wanted != self._running and not self._stepping:
            self._begin(wanted, q, **state)
        cycle, self._time = min(max(time - self._time, 1e-4), _LATE), time
        if self._gait is None:
            return None
        velocity, steps = self._within(), wanted == self._running and self._fresh(time)
        found = self._gait.update(
            q,
            closed=closed,
            cycle=cycle,
            steps=steps,
            velocity=steps * velocity[:2],
            yaw_rate=steps * float(velocity[2]),
            **state,
        )
        self._stepping = found.stepping
        return found

    def _begin(self, gait: str, q: Array, **state: Unpack[State]) -> None:
        self._running, self._gait = gait, None
        if gait != STAND:
            assert self.posture is not None
            self._gait = self._robot.gait(**_SETTINGS[gait](self._robot, self.posture))
            self._gait.start(q, **state)
            self._height = gaits.height(self._robot, self.posture)

    def _fresh(self, time: float) -> bool:
        fresh = time - self._commanded <= self._timeout
        self._faults["velocity_stale"] += int(not (fresh or self._stale) and self._velocity.any())
        self._stale = not fresh
        return fresh

    def _within(self) -> Array:
        """The velocity, cut at what the gait can do."""
        speed = _SPEEDS[self._running] * float(np.sqrt(FREE_FALL * self._height))
        usual = speed * np.array([1.0, _SIDEWAYS, 1.0 / self._height])
        most = np.where(self.greatest > 0.0, self.greatest, usual)
        within: Array = np.clip(self._velocity, -most, most)
        self._faults["velocity_cut"] += int(np.any(within != self._velocity))
        return within
