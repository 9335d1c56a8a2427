"""A gait as a curve in time, stride after stride."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.terrain import rotations

_AT_ONCE = 1e-9
"""Instants closer than this are one, before and after something happens [s]."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a gait.

    Attributes:
        turn: Rotation from the base to the world (3, 3).
        position: Of the base's origin in the world (3,) [m].
        velocity: Of the base's origin in the world (3,) [m/s].
        acceleration: Of the base's origin in the world (3,) [m/s²].
        angular_velocity: Of the base in its own coordinates (3,) [rad/s].
        angular_acceleration: Of the base in its own coordinates (3,) [rad/s²].
        q: Positions of the joints (n,).
        qd: Velocities of the joints (n,).
        qdd: Accelerations of the joints (n,).
        tau: Forces of the joints (n,).
        forces: Of the ground on the feet, in axes of the world (contacts, 3) [N].
    """

    turn: Array
    position: Array
    velocity: Array
    acceleration: Array
    angular_velocity: Array
    angular_acceleration: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    forces: Array

    @property
    def base_velocity(self) -> Array:
        """Spatial velocity of the base in its coordinates (6,)."""
        return np.append(self.angular_velocity, self.turn.T @ self.velocity)

    @property
    def base_acceleration(self) -> Array:
        """Spatial acceleration of the base in its coordinates (6,)."""
        spin = np.cross(self.angular_velocity, self.turn.T @ self.velocity)
        return np.append(self.angular_acceleration, self.turn.T @ self.acceleration - spin)


class Stride:
    """The strides of a gait: any number, each further ahead.

    Between the instants of the gait positions are polynomials of degree five that have its
    positions, velocities and accelerations there. Forces of joints and feet are linear.

    Attributes:
        duration: Of a stride [s].
        swings: How long each foot swings (contacts,) [s].
    """

    def __init__(self, gait: Gait) -> None:
        """A gait as a curve."""
        self.duration = gait.duration
        self.swings = gait.duration * (1.0 - np.asarray(gait.duty))
        self._ahead = gait.position[-1] - gait.position[0]
        self._times = np.asarray(gait.times)
        self._pattern = Pattern(tuple(gait.duty), tuple(gait.phases))
        forces = np.asarray(gait.forces)
        self._forces = np.column_stack([gait.tau, forces.reshape(len(forces), -1)])
        self._n = gait.q.shape[1]
        base = [_rates(*row) for row in zip(*_of_base(gait), strict=True)]
        v, a = (np.array(part) for part in zip(*base, strict=True))
        y = np.column_stack([gait.position, gait.orientation, gait.q])
        self._curve = (y, np.column_stack([v, gait.qd]), np.column_stack([a, gait.qdd]))

    def at(self, time: float) -> Moment:
        """Returns the moment at a time since the gait began [s]."""
        strides, since = divmod(time, self.duration)
        k = self._interval(since)
        step = float(self._times[k + 1] - self._times[k])
        share = (since - self._times[k]) / step
        begin, end = ([part[row] for part in self._curve] for row in (k, k + 1))
        y, v, a = _between(begin, end, share, step)
        y[:3] += strides * self._ahead
        forces = (1.0 - share) * self._forces[k] + share * self._forces[k + 1]
        e, rate = y[3:6], v[3:6]
        rows, change = _angular(e), _angular_change(e, rate)
        return Moment(
            turn=rotations(e),
            position=y[:3],
            velocity=v[:3],
            acceleration=a[:3],
            angular_velocity=rows @ rate,
            angular_acceleration=rows @ a[3:6] + change @ rate,
            q=y[6:],
            qd=v[6:],
            qdd=a[6:],
            tau=forces[: self._n],
            forces=forces[self._n :].reshape(-1, 3),
        )

    def swing(self, foot: int, time: float) -> float | None:
        """Returns how much of its swing a foot has behind it, 0 to 1; None while it stands."""
        return self._pattern.swing(foot, (time + _AT_ONCE) / self.duration % 1.0)

    def standing(self, time: float) -> NDArray[np.bool_]:
        """Returns True for each foot that stands (contacts,)."""
        feet = range(len(self._pattern.duty))
        return np.array([self.swing(foot, time) is None for foot in feet])

    def _interval(self, since: float) -> int:
        """The last row at a time or before it, but not the last of all."""
        k = int(np.searchsorted(self._times, since + _AT_ONCE, side="right")) - 1
        return min(k, len(self._times) - 2)


def _of_base(gait: Gait) -> tuple[Array, Array, Array]:
    return gait.orientation, gait.base_velocity, gait.base_acceleration


def _rates(e: Array, velocity: Array, acceleration: Array) -> tuple[Array, Array]:
    """First and second derivatives of place and angles (6,), of a spatial motion of the base."""
    turn, rows, spin = rotations(e), _angular(e), velocity[:3]
    inverse = np.asarray(np.linalg.inv(rows), dtype=np.float64)
    rate: Array = inverse @ spin
    second = inverse @ (acceleration[:3] - _angular_change(e, rate) @ rate)
    moved = acceleration[3:] + np.cross(spin, velocity[3:])
    return np.append(turn @ velocity[3:], rate), np.append(turn @ moved, second)


def _angular(e: Array) -> Array:
    """W with `w = W de/dt` in axes of the base."""
    (cr, cp, _), (sr, sp, _) = np.cos(e), np.sin(e)
    return np.array([[1.0, 0.0, -sp], [0.0, cr, sr * cp], [0.0, -sr, cr * cp]])


def _angular_change(e: Array, rate: Array) -> Array:
    """The derivative of W by time."""
    (cr, cp, _), (sr, sp, _), (dr, dp, _) = np.cos(e), np.sin(e), rate
    return np.array(
        [
            [0.0, 0.0, -cp * dp],
            [0.0, -sr * dr, cr * cp * dr - sr * sp * dp],
            [0.0, -cr * dr, -sr * cp * dr - cr * sp * dp],
        ]
    )


def _between(
    begin: Sequence[Array], end: Sequence[Array], share: float, step: float
) -> tuple[Array, Array, Array]:
    """Position, velocity, acceleration on the polynomial of degree five through both ends.

    Args:
        begin: Position, velocity, acceleration at the beginning of a step.
        end: The same at its end.
        share: How much of the step is over.
        step: Its duration [s].
    """
    units = np.array([1.0, step, step**2])
    y0, v0, a0 = (unit * part for unit, part in zip(units, begin, strict=True))
    y1, v1, a1 = (unit * part for unit, part in zip(units, end, strict=True))
    way, faster, more = y1 - y0 - v0 - a0 / 2, v1 - v0 - a0, a1 - a0
    coefficients = np.array(
        [
            y0,
            v0,
            a0 / 2,
            10 * way - 4 * faster + more / 2,
            -15 * way + 7 * faster - more,
            6 * way - 3 * faster + more / 2,
        ]
    )
    powers = share ** np.arange(6)
    first = np.append(0.0, np.arange(1, 6) * powers[:-1])
    second = np.append([0.0, 0.0], np.arange(2, 6) * np.arange(1, 5) * powers[:-2])
    y, v, a = (
        row @ coefficients / unit for row, unit in zip((powers, first, second), units, strict=True)
    )
    return y, v, a
