"""The coordinates of a robot from what is measured: positions of motors, or of other joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import listed, nearest

Array = NDArray[np.float64]

_STEPS, _HALVINGS = 30, 8
_LONGEST = 0.5
"""Longest step [rad or m]."""
_LEFT = 1e-10
"""Largest difference of joints that are where they were measured [rad or m]."""
_SINGULAR = 1e-9
_TRIALS = 200

FUNCTIONS = ("joint_positions", "coordinate_jacobian")
"""Functions that a robot needs for it."""


class MeasuredJoints:
    """Joints whose positions are measured, and the positions of the coordinates that follow.

    Coordinates that are measured are taken as they are. Others follow from joints that depend on
    them, by Gauss-Newton steps on `joint_positions` with `coordinate_jacobian`, from where the
    robot was last. What these do not determine stays as near there as can be.

    Attributes:
        determined: Numbers of the coordinates that follow from the joints.
    """

    def __init__(self, robot: Any, names: Sequence[str]) -> None:
        """Looks for the joints.

        Args:
            robot: A robot of `robcogen_ros.build()` or `load()` with the `FUNCTIONS`.
            names: The joints.

        Raises:
            RobcogenError: If the robot has no such joint, or lacks a function.
        """
        names, moving = list(names), robot.moving_joint_names
        for name in names:
            if name not in moving:
                known = nearest(name, moving)
                raise RobcogenError(f"robot '{robot.name}' has no moving joint '{name}'{known}")
        lacking = [f"'{name}'" for name in FUNCTIONS if name not in robot.required_inputs]
        if lacking:
            message = f"robot '{robot.name}' lacks {listed(lacking)}, to tell its coordinates from"
            raise RobcogenError(f"{message} other joints; generate it with FUNCTIONS of that name")
        self._robot = robot
        self._own = [k for k, name in enumerate(robot.joint_names) if name in names]
        self._given = [names.index(robot.joint_names[k]) for k in self._own]
        follow = [name for name in names if name not in robot.joint_names]
        self._rows = [moving.index(name) for name in follow]
        self._measured = [names.index(name) for name in follow]
        self._turns = np.array([_turns(robot).get(name, False) for name in follow], bool)
        G = self._jacobian(start(robot))[self._rows]
        others = [k for k in range(robot.n) if k not in self._own]
        self._sought = [k for k in others if len(G) and abs(G[:, k]).max() > _SINGULAR]
        self.determined = (*self._own, *_determined(G[:, self._sought], self._sought))

    def q(self, positions: ArrayLike, near: ArrayLike) -> Array:
        """Positions of the coordinates: (n,) [rad or m], NaN where loops do not close so.

        Args:
            positions: Of the joints, in the order of their names [rad or m].
            near: (n,) where the robot was last.
        """
        given, q = np.asarray(positions, float), np.array(near, float)
        side = self._side(q)
        q[self._own] = given[self._given]
        if not self._sought:
            return q
        wanted = given[self._measured]
        left = self._left(q, wanted)
        for _ in range(_STEPS):
            G = self._jacobian(q)[np.ix_(self._rows, self._sought)]
            if not (np.isfinite(left).all() and np.isfinite(G).all()):
                break
            step = np.asarray(np.linalg.lstsq(G, left, rcond=_SINGULAR)[0], np.float64)
            length = float(np.abs(step).max())
            if length < 1e-15:
                break
            moved, rest = self._shortened(q, min(1.0, _LONGEST / length) * step, wanted, side)
            if np.abs(rest).max() >= np.abs(left).max():
                break
            q, left = moved, rest
        closed = np.isfinite(left).all() and np.abs(left).max() < _LEFT
        return q if closed else np.full(len(q), np.nan)

    def _side(self, q: Array) -> float:
        """The sign of the rates' determinant; 0 where joints are not as many as coordinates.

        Positions that give the same joints another way are where it is another.
        """
        if len(self._rows) != len(self._sought):
            return 0.0
        return float(np.sign(np.linalg.det(self._jacobian(q)[np.ix_(self._rows, self._sought)])))

    def _shortened(self, q: Array, step: Array, wanted: Array, side: float) -> tuple[Array, Array]:
        """Returns the end of a step, shortened until loops close there, and what is left there."""
        for halving in range(_HALVINGS):
            moved = q.copy()
            moved[self._sought] += step / 2**halving
            left = self._left(moved, wanted)
            if np.isfinite(left).all() and side in (0.0, self._side(moved)):
                return moved, left
        return moved, np.full(len(left), np.inf)

    def _left(self, q: Array, wanted: Array) -> Array:
        found: Array = self._robot.evaluate("joint_positions", q=q)["positions"]
        left = wanted - found[self._rows]
        whole = self._turns * np.round(left / (2 * np.pi))
        return left - 2 * np.pi * np.where(np.isfinite(left), whole, 0)

    def _jacobian(self, q: Array) -> Array:
        G: Array = self._robot.evaluate("coordinate_jacobian", q=q)["G"]
        return G


def _determined(G: Array, sought: Sequence[int]) -> list[int]:
    """The coordinates that no motion changes by which no measured joint moves."""
    if not sought:
        return []
    _, values, V = np.linalg.svd(G)
    free = V[int((values > _SINGULAR * values[0]).sum()) :]
    return [k for k, column in zip(sought, free.T, strict=True) if not (abs(column) > 1e-6).any()]


def _turns(robot: Any) -> dict[str, bool]:
    """Returns for each joint True if it is the same after a turn."""
    known = zip(robot.attachments, robot.origins, strict=True)
    return {a[0]: o is not None and o.turns and not o.pitch for a, o in known}


def start(robot: Any) -> Array:
    """A position (n,) where the loops of a robot are closed: zero, or another within its limits.

    Raises:
        RobcogenError: If none is found.
    """
    lower = np.maximum(robot.lower_limits, -np.pi)
    upper = np.minimum(robot.upper_limits, np.pi)
    random = np.random.default_rng(54)
    for trial in range(_TRIALS):
        q = np.clip(np.zeros(robot.n), lower, upper) if trial == 0 else random.uniform(lower, upper)
        if np.isfinite(robot.evaluate("joint_positions", q=q)["positions"]).all():
            return q
    raise RobcogenError(f"robot '{robot.name}': no position was found where its loops are closed")
