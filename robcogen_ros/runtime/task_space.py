"""Operational space of a task on arrays, from an inertia matrix and a Jacobian (Khatib 1987)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import ROWS
from robcogen_ros.runtime.arguments import checked_array, common_batch

Array = NDArray[np.float64]

_SINGULAR = 1e-12
"""Least eigenvalue, of a matrix scaled to a unit diagonal, of one that is inverted."""


class TaskSpace:
    """A task at some positions, batches included.

    Attributes:
        J: The task's Jacobian, (..., t, n).
        response: H^-1 J', or J' where no inertia is given, (..., n, t).

    Example:
        >>> space = arm.operational_space("base_link", "tool0", q, task="position")
        >>> F = space.inertia() @ acceleration  # the force that gives the tool an acceleration
    """

    def __init__(
        self, J: Array, H: Array | None, damping: ArrayLike | None = None, name: str = "the task"
    ) -> None:
        """A task.

        Args:
            J: Its Jacobian, (..., t, n).
            H: Inertia matrix, (..., n, n); None for a kinematic task.
            damping: (t,) added to the diagonal of what is inverted; nothing where it is left out.
            name: What to call it in messages.
        """
        self.J = J
        across = np.swapaxes(J, -1, -2)
        self.response = across if H is None else _solved(H, across)
        self._name = name
        rows = J.shape[-2]
        added = np.zeros(rows) if damping is None else checked_array("damping", damping, (rows,))
        common_batch({"q": J.shape[:-2], "damping": added.shape[:-1]})
        self._damping: Array = added[..., None] * np.eye(rows)

    def mobility(self) -> Array:
        """J H^-1 J', (..., t, t)."""
        product: Array = self.J @ self.response
        return product

    def inertia(self) -> Array:
        """(J H^-1 J' + damping)^-1, (..., t, t).

        Raises:
            RobcogenError: If that is singular at one of the positions.
        """
        felt = self.mobility() + self._damping
        diagonal = np.einsum("...ii->...i", felt)
        scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        scaled = felt / scale[..., :, None] / scale[..., None, :]
        if np.linalg.eigvalsh(scaled).min(initial=1.0) < _SINGULAR:
            raise RobcogenError(f"the Jacobian of {self._name} loses rank here: give damping")
        return _solved(felt, np.eye(felt.shape[-1]))

    def inverse(self) -> Array:
        """H^-1 J' times the inertia, (..., n, t)."""
        product: Array = self.response @ self.inertia()
        return product

    def null_space(self) -> Array:
        """1 - inverse J, (..., n, n)."""
        projector: Array = np.eye(self.J.shape[-1]) - self.inverse() @ self.J
        return projector


def _solved(matrix: Array, right: Array) -> Array:
    solution: Array = np.linalg.solve(matrix, right).astype(np.float64, copy=False)
    return solution


def rows_of(task: str) -> list[int]:
    """The rows of a Jacobian that are a task.

    Raises:
        ValueError: If there is no such task.
    """
    if not isinstance(task, str) or task not in ROWS:
        raise ValueError(f"task: expected {', '.join(map(repr, ROWS))}, found {task!r}")
    return list(ROWS[task])
