"""A robot whose base moves freely, under efforts and wrenches, by its forward dynamics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.dynamics import Array, FloatingDynamics
from robcogen_ros.control.impulses import Dissipation, Impulses
from robcogen_ros.control.simulation import FASTEST, SimulationError
from robcogen_ros.model.robot import STANDARD_GRAVITY

GRAVITY = np.array(STANDARD_GRAVITY)


@dataclass(frozen=True, slots=True)
class _State:
    """Everything that changes.

    Attributes:
        position: Origin of the base in the world (3,).
        quaternion: Orientation of the base in the world (x, y, z, w).
        q: Positions of the joints.
        base: Spatial velocity of the base, its own coordinates, angular first (6,).
        qd: Velocities of the joints.
    """

    position: Array
    quaternion: Array
    q: Array
    base: Array
    qd: Array

    def moved(self, rates: _State, time: float) -> _State:
        """Where constant rates lead."""
        return _State(
            self.position + time * rates.position,
            self.quaternion + time * rates.quaternion,
            self.q + time * rates.q,
            self.base + time * rates.base,
            self.qd + time * rates.qd,
        )


class FloatingSimulation:
    """Integrates the equation of motion with the classical Runge-Kutta method of order four.

    Damping, dry friction and stops act at the end of each step, as they do in `Simulation`.

    Attributes:
        q: Positions of the joints.
        qd: Their velocities.
        external_forces: Wrenches on the links (links, 6), in their coordinates, base first; None
            where there are none.
    """

    def __init__(
        self,
        robot: FloatingDynamics,
        q: Array,
        *,
        position: Array | None = None,
        quaternion: Array | None = None,
        actuation: Actuation | None = None,
        gravity: Array | None = None,
    ) -> None:
        """Starts at rest.

        Args:
            robot: The robot.
            q: Positions of its joints.
            position: Origin of the base in the world [m]; its origin by default.
            quaternion: Orientation of the base in the world, as x, y, z, w.
            actuation: Motors, friction and stops, if not as the model has them.
            gravity: Gravity in the world [m/s^2]; downwards by default.
        """
        turn = np.array([0.0, 0.0, 0.0, 1.0]) if quaternion is None else np.asarray(quaternion)
        place = np.zeros(3) if position is None else np.array(position, dtype=float)
        start = np.array(q, dtype=float)
        self._state = _State(place, turn, start, np.zeros(6), np.zeros_like(start))
        self.external_forces: Array | None = None
        self._robot = robot
        self._actuation = actuation or Actuation(robot)
        self._gravity = GRAVITY if gravity is None else gravity
        friction = self._actuation.dissipation
        still = np.zeros(6)
        self._dissipation = Dissipation(
            np.concatenate([still, friction.damping]), np.concatenate([still, friction.friction])
        )
        self._last: Impulses | None = None

    @property
    def q(self) -> Array:
        """Positions of the joints."""
        return self._state.q

    @property
    def qd(self) -> Array:
        """Velocities of the joints."""
        return self._state.qd

    @property
    def position(self) -> Array:
        """Origin of the base in the world (3,) [m]."""
        return self._state.position

    @property
    def quaternion(self) -> Array:
        """Orientation of the base in the world: x, y, z, w."""
        return self._state.quaternion

    @property
    def base_velocity(self) -> Array:
        """Spatial velocity of the base in its own coordinates, angular first (6,)."""
        return self._state.base

    def set_velocities(self, base: Array, qd: Array) -> None:
        """Gives the base and the joints velocities."""
        now = self._state
        self._state = _State(now.position, now.quaternion, now.q, np.array(base), np.array(qd))

    def inverse_dynamics(self, qdd: Array) -> Array:
        """Efforts that accelerate the joints as they move now."""
        now = self._state
        gravity = rotation(now.quaternion).T @ self._gravity
        return self._robot.inverse_dynamics(now.q, now.qd, qdd, now.base, gravity)[0]

    def advance(self, effort: Array, duration: float) -> Array:
        """Moves on in one step under efforts, limited to what the motors can give.

        Returns:
            The efforts that the motors gave.

        Raises:
            SimulationError: If the motion runs away beyond what numbers can hold.
        """
        within = self._actuation.within_limits(effort)
        with np.errstate(all="ignore"):
            after = self._runge_kutta(within, duration)
            speed = float(np.abs(np.concatenate([after.base, after.qd])).max())
        if not speed <= FASTEST:
            raise SimulationError("the simulated motion is too fast to be computed")
        self._state = self._dissipated(after, duration)
        return within

    def _runge_kutta(self, effort: Array, step: float) -> _State:
        now = self._state
        k1 = self._rates(now, effort)
        k2 = self._rates(now.moved(k1, 0.5 * step), effort)
        k3 = self._rates(now.moved(k2, 0.5 * step), effort)
        k4 = self._rates(now.moved(k3, step), effort)
        parts = ((k1, 1), (k2, 2), (k3, 2), (k4, 1))
        after = now
        for rates, weight in parts:
            after = after.moved(rates, weight * step / 6)
        return after

    def _rates(self, state: _State, effort: Array) -> _State:
        """How everything changes; the base's spatial acceleration is that of its coordinates."""
        turned = rotation(state.quaternion)
        effort = self._actuation.without_friction(effort, state.qd)
        qdd, acceleration = self._robot.forward_dynamics(
            state.q,
            state.qd,
            effort,
            state.base,
            turned.T @ self._gravity,
            external_forces=self.external_forces,
        )
        angular, linear = state.base[:3], state.base[3:]
        vector, scalar = state.quaternion[:3], state.quaternion[3]
        spin = np.append(scalar * angular + np.cross(vector, angular), -vector @ angular)
        return _State(turned @ linear, 0.5 * spin, state.qd, acceleration, qdd)

    def _dissipated(self, after: _State, step: float) -> _State:
        """The end of a step, less what friction and stops take on the way."""
        now, quaternion = self._state, after.quaternion / np.linalg.norm(after.quaternion)
        blocked = self._actuation.blocked(after.q)
        if not (self._dissipation.present or blocked is not None):
            return _State(after.position, quaternion, after.q, after.base, after.qd)
        inertia = self._robot.inertia_matrix(0.5 * (now.q + after.q))
        before, free = (np.concatenate([state.base, state.qd]) for state in (now, after))
        all_blocked = None if blocked is None else np.pad(blocked, ((0, 0), (6, 0)))
        self._last = Impulses(inertia, before, step, self._dissipation, all_blocked, self._last)
        change = self._last.after(free) - free
        less = _State(
            rotation(quaternion) @ change[3:6], np.zeros(4), change[6:], change[:6], change[6:]
        )
        q = after.q + 0.5 * step * less.q
        return _State(
            after.position + 0.5 * step * less.position,
            quaternion,
            self._actuation.within_stops(q),
            after.base + less.base,
            after.qd + less.qd,
        )


def rotation(quaternion: Array) -> Array:
    """Rotation matrix (3, 3) of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = quaternion / np.sqrt(quaternion @ quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
