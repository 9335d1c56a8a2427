"""Motion of a frame through poses at given times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.trajectory import Trajectory

POSE = 7
"""Numbers of a pose: position, then quaternion x, y, z, w."""


@dataclass(frozen=True, slots=True)
class RigidMotion:
    """Motion through points: polynomials of positions and of quaternions of any length."""

    _course: Trajectory

    @classmethod
    def through(
        cls, times: Array, points: Array, *, twists: bool, accelerations: bool
    ) -> RigidMotion:
        """Returns the motion through points, each as the reference of a trunk (19,).

        Twists that are not told are chosen so that no number overshoots a point and the motion
        rests at its ends. Segments are of fifth degree where twists and accelerations are told,
        else of third.

        Args:
            times: Of the points, increasing from zero [s].
            points: (points, 19) pose, angular and linear velocity, then acceleration, of the world.
            twists: Whether velocities are told.
            accelerations: Whether accelerations are told.

        Raises:
            ValueError: If times do not increase.
        """
        poses = points[:, :POSE].copy()
        for before, after in zip(poses[:-1, 3:], poses[1:, 3:], strict=True):
            after *= 1.0 if before @ after >= 0.0 else -1.0  # the same orientation, turned less
        turns, w, v, dw, a = poses[:, 3:], *np.split(points[:, POSE:], 4, axis=1)
        rates = 0.5 * _product(w, turns)
        second = 0.5 * (_product(dw, turns) + _product(w, rates))
        first = np.hstack([v, rates]) if twists else None
        both = np.hstack([a, second]) if twists and accelerations else None
        return cls(Trajectory.through(tuple(times), poses, first, both))

    @property
    def duration(self) -> float:
        """Time of the last point [s]."""
        return self._course.times[-1]

    def at(self, time: float) -> Array:
        """Returns the motion (19,) at a time; beyond the first and the last point it is theirs."""
        state = self._course.sample(min(max(time, 0.0), self.duration))
        (p, q), (v, dq), (a, ddq) = (np.split(part, [3]) for part in state[:3])
        size = float(np.sqrt(q @ q))
        unit = q / size
        rate = (dq - unit * (unit @ dq)) / size
        grows = (rate @ dq + unit @ ddq) / size
        second = ddq / size - 2.0 * rate * (unit @ dq) / size - unit * grows
        back = unit * [-1.0, -1.0, -1.0, 1.0]
        angular, gained = 2.0 * _times(rate, back), 2.0 * _times(second, back)
        return np.concatenate([p, unit, angular[:3], v, gained[:3], a])


def _product(vectors: Array, quaternions: Array) -> Array:
    """Products of vectors (k, 3), as quaternions, and quaternions (k, 4)."""
    pure = np.hstack([vectors, np.zeros((len(vectors), 1))])
    return np.array([_times(a, b) for a, b in zip(pure, quaternions, strict=True)])


def _times(a: Array, b: Array) -> Array:
    """The product of two quaternions x, y, z, w."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])
