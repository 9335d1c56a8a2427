"""Joint positions that put the foot of one leg at its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from robcogen_ros.model.contacts import Array, Contact

AWRY = 5e-3
"""Greatest distance from a place of which a leg cannot choose all, as legs of five joints do whose
axes are not quite parallel [rad, m]."""
_LIGHT = np.array([1.0, 1.0, 3e-3, 3e-3, 3e-3, 1.0])
"""Weights of the rows of a foot's pose there: it is level, at its height, and turned and placed on
the plane as nearly as can be."""
_ITERATIONS, _DAMPING, _EXACT = 80, 1e-6, 1e-10


class Chain:
    """The joints that move one foot, and no other."""

    def __init__(
        self, robot: Any, foot: Contact, joints: Sequence[int], lower: Array, upper: Array
    ) -> None:
        """Looks which rows of the foot they can choose.

        Args:
            robot: The robot.
            foot: The foot.
            joints: Indices of these joints.
            lower: Limits of all joints of the robot (n,).
            upper: Likewise.
        """
        self._robot, self._base, self._frame = robot, robot.link_names[0], foot.frame
        self._name = robot.frame_names[foot.frame]
        self._joints, self._lower, self._upper = list(joints), lower, upper
        self._rows = list(foot.rows)
        chosen = len(joints) >= len(self._rows)
        self._weights = np.ones(len(self._rows)) if chosen else _LIGHT[self._rows]

    def solved(self, q: Array, target: Array, awry: float) -> tuple[Array, Array]:
        """Positions (k, n) at which the foot is at its place, found by Newton's method from others.

        Args:
            q: These (k, n).
            target: Pose of the foot in the base (4, 4).
            awry: Distance from it that may remain in rows which the leg cannot choose.

        Returns:
            Positions, and which of them are solutions within limits (k,).
        """
        joints, lower, upper, last = self._joints, self._lower, self._upper, q
        for _ in range(_ITERATIONS):
            error = self._error(q, target)
            opened = np.asarray(~np.isfinite(error).all(axis=1))
            if opened.any():  # loops do not close there: half the step
                q = np.where(opened[:, None], 0.5 * (q + last), q)
                continue
            if np.abs(error).max() < _EXACT:
                break
            error = error * self._weights
            J = self._robot.jacobian(self._base, self._name, q)[:, self._rows][..., joints]
            J = J * self._weights[:, None]
            step = _least(J, error)
            held = ((q <= lower)[:, joints] & (step < 0)) | ((q >= upper)[:, joints] & (step > 0))
            if held.any():
                step = _least(np.where(held[:, None], 0.0, J), error)
            step *= np.minimum(1.0, 0.3 / np.abs(step).max(axis=1, initial=1e-9))[:, None]
            last, q = q, q.copy()
            q[:, joints] = np.clip(q[:, joints] + step, lower[joints], upper[joints])
        most = np.where(self._weights < 1.0, awry, 1e3 * _EXACT)
        return q, np.asarray((np.abs(self._error(q, target)) < most).all(axis=1))

    def _error(self, q: Array, target: Array) -> Array:
        """Returns the error of the rows of the foot's pose (k, rows), angular first."""
        poses = self._robot.frame_poses(q)[:, self._frame]
        angular = 0.5 * np.cross(poses[:, :3, :3], target[None, :3, :3], axis=1).sum(axis=2)
        error = np.concatenate([angular, target[:3, 3] - poses[:, :3, 3]], axis=1)
        return np.asarray(error[:, self._rows])


def _least(J: Array, error: Array) -> Array:
    """The damped least squares (k, joints) of `J step = error`."""
    transposed = J.swapaxes(1, 2)
    square = transposed @ J + _DAMPING * np.eye(J.shape[2])
    return np.asarray(np.linalg.solve(square, transposed @ error[..., None])[..., 0])
