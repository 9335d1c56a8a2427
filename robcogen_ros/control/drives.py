"""Joints that are sent efforts, and joints whose drives are sent positions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from robcogen_ros.control.angles import wrapped
from robcogen_ros.control.dynamics import Array, Measured
from robcogen_ros.control.measurements import Indices


class Drives:
    """Drives of a simulated robot: the efforts that they make of commands, joint by joint.

    A joint that was sent an effort gives it. A drive that was sent a position goes there like a
    spring and damper of unit mass, critically damped, no faster than its joint may move. If an
    effort came along it feeds that forward; otherwise the drive knows the robot and feeds forward
    what the motion takes.
    """

    def __init__(self, robot: Measured, bandwidth: float) -> None:
        """Starts without commands: no efforts.

        Args:
            robot: The robot.
            bandwidth: Angular frequency of the drives' position loops [rad/s].
        """
        self._continuous = np.asarray(robot.continuous)
        self._fastest = np.asarray(robot.velocity_limits)
        self._bandwidth = bandwidth
        self.off()

    def off(self) -> None:
        """Forgets all commands: no efforts."""
        n = len(self._fastest)
        self._effort = np.zeros(n)
        self._position = np.full(n, np.nan)
        self._velocity = np.zeros(n)
        self._fed = np.zeros(n, bool)

    def take(
        self,
        joints: Indices,
        effort: Array | None,
        position: Array | None = None,
        velocity: Array | None = None,
    ) -> None:
        """Takes over commands.

        Args:
            joints: The joints they are for, by index.
            effort: Efforts.
            position: Where drives shall be; None where they are not to be used.
            velocity: How fast they shall be there.
        """
        self._effort[joints] = 0.0 if effort is None else effort
        self._position[joints] = np.nan if position is None else position
        self._velocity[joints] = 0.0 if velocity is None else velocity
        self._fed[joints] = effort is not None

    def efforts(self, q: Array, qd: Array, inverse_dynamics: Callable[[Array], Array]) -> Array:
        """The efforts of all joints.

        Args:
            q: Positions.
            qd: Velocities.
            inverse_dynamics: Efforts for accelerations, as the robot moves now.
        """
        driven = np.isfinite(self._position)
        if not driven.any():
            return self._effort
        error = wrapped(np.where(driven, self._position - q, 0.0), self._continuous)
        speed = np.clip(0.5 * self._bandwidth * error, -self._fastest, self._fastest)
        wanted = 2 * self._bandwidth * (speed + self._velocity - qd)
        acceleration = np.where(driven, wanted, 0.0)
        own = inverse_dynamics(acceleration)
        feedback = own - inverse_dynamics(np.zeros_like(q)) if self._fed.any() else own
        fed = np.where(self._fed, self._effort + feedback, own)
        return np.where(driven, fed, self._effort)
