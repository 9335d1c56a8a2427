"""A motion through given points: Hermite polynomials of the degree that the points determine."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from robcogen_ros.control.dynamics import Array

LOOKS = 17
"""Points at which a segment is looked at for its extent."""


class MotionState(NamedTuple):
    """Positions, velocities, accelerations, and efforts to add; one value a joint."""

    position: Array
    velocity: Array
    acceleration: Array
    effort: Array

    @classmethod
    def at_rest(cls, position: Array) -> MotionState:
        """Standing at a position."""
        zero = np.zeros_like(position)
        return cls(position, zero, zero, zero)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A motion over time, from its first point to its last.

    Attributes:
        times: Increasing times of the points since the start [s]: beside the time of day, points
            that follow each other by less than a microsecond would fall together.
        positions: One row a point, one column a joint.
        efforts: Efforts to add at the points, interpolated linearly.
        coefficients: Of the polynomials of positions in the time since a segment's start, by
            (segment, power, joint).
        motions: The same of positions, velocities, accelerations and efforts side by side, by
            (segment, power, 4 joints).
        start: The time that they count from [s].
    """

    times: tuple[float, ...]
    positions: Array
    efforts: Array
    coefficients: Array
    motions: Array
    start: float = 0.0

    @classmethod
    def through(
        cls,
        times: tuple[float, ...],
        positions: Array,
        velocities: Array | None = None,
        accelerations: Array | None = None,
        efforts: Array | None = None,
        start: float = 0.0,
    ) -> Trajectory:
        """The motion through points.

        Velocities that are not given (rows of NaN, or None) are chosen so that the motion never
        overshoots a point and rests at its ends. Segments are of fifth degree where accelerations
        are given at both ends, otherwise of third.

        Raises:
            ValueError: If times do not increase.
        """
        steps = np.diff(times)
        if (steps <= 0).any():
            raise ValueError("times of trajectory points must increase")
        if velocities is None:
            velocities = np.full_like(positions, np.nan)
        velocities = _completed(steps, positions, velocities)
        if accelerations is None:
            accelerations = np.full_like(positions, np.nan)
        if efforts is None:
            efforts = np.zeros_like(positions)
        coefficients = _coefficients(steps[:, None], positions, velocities, accelerations)
        motions = _motions(coefficients, efforts, steps[:, None])
        return cls(times, positions, efforts, coefficients, motions, start)

    def extent(self) -> tuple[Array, Array]:
        """Least and greatest position of each joint on the way, looked for at many times."""
        shares = np.linspace(0.0, 1.0, LOOKS)
        powers = np.vander(shares, self.coefficients.shape[1], increasing=True)
        steps = np.diff(self.times)[:, None] ** np.arange(self.coefficients.shape[1])
        places = np.einsum("kp,sp,spj->skj", powers, steps, self.coefficients)
        along = np.vstack([self.positions, places.reshape(-1, self.positions.shape[1])])
        return along.min(axis=0), along.max(axis=0)

    def sample(self, time: float) -> MotionState:
        """Returns the motion at a time; at rest before the first and after the last point."""
        time -= self.start
        if time > self.times[-1] or len(self.times) == 1:
            return self._standing(-1)
        if time < self.times[0]:
            return self._standing(0)
        segment = min(bisect_right(self.times, time), len(self.times) - 1) - 1
        t = time - self.times[segment]
        t2 = t * t
        powers = np.array([1.0, t, t2, t2 * t, t2 * t2, t2 * t2 * t])
        return MotionState(*powers.dot(self.motions[segment]).reshape(4, -1))

    def _standing(self, point: int) -> MotionState:
        still = MotionState.at_rest(self.positions[point])
        return still._replace(effort=self.efforts[point])


def _motions(coefficients: Array, efforts: Array, steps: Array) -> Array:
    """Coefficients of positions with those of their derivatives and of linear efforts."""
    effort = np.zeros_like(coefficients)
    effort[:, 0], effort[:, 1] = efforts[:-1], np.diff(efforts, axis=0) / steps
    velocity = _derivative(coefficients)
    parts = [coefficients, velocity, _derivative(velocity), effort]
    return np.concatenate(parts, axis=2)


def _derivative(coefficients: Array) -> Array:
    """Coefficients of the derivatives of polynomials."""
    powers = np.arange(coefficients.shape[1])[:, None]
    return np.roll(powers * coefficients, -1, axis=1)


def _completed(steps: Array, positions: Array, velocities: Array) -> Array:
    """Velocities with the missing ones filled in: harmonic mean of the slopes on both sides."""
    filled = np.zeros_like(positions)
    slopes = np.diff(positions, axis=0) / steps[:, None]
    before, after = slopes[:-1], slopes[1:]
    product = before * after
    with np.errstate(divide="ignore", invalid="ignore"):
        filled[1:-1] = np.where(product > 0, 2 * product / (before + after), 0.0)
    return np.where(np.isnan(velocities), filled, velocities)


def _coefficients(h: Array, q: Array, v: Array, a: Array) -> Array:
    """Hermite polynomials of all segments of lengths h."""
    rise, v0, v1, a0, a1 = q[1:] - q[:-1], v[:-1], v[1:], a[:-1], a[1:]
    cubic = np.stack(
        [
            q[:-1],
            v0,
            3 * rise / h**2 - (2 * v0 + v1) / h,
            -2 * rise / h**3 + (v0 + v1) / h**2,
            np.zeros_like(v0),
            np.zeros_like(v0),
        ],
        axis=1,
    )
    quintic = np.stack(
        [
            q[:-1],
            v0,
            a0 / 2,
            10 * rise / h**3 - (6 * v0 + 4 * v1) / h**2 - (3 * a0 - a1) / (2 * h),
            -15 * rise / h**4 + (8 * v0 + 7 * v1) / h**3 + (3 * a0 - 2 * a1) / (2 * h**2),
            6 * rise / h**5 - 3 * (v0 + v1) / h**4 - (a0 - a1) / (2 * h**3),
        ],
        axis=1,
    )
    known = np.isfinite(a0 + a1)[:, None, :]
    return np.where(known, quintic, cubic)
