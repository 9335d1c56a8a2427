"""States to measure at, for us and for other libraries, and their results in our order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.function import Function
from robcogen_ros.bench.measured import ENTRIES, MATRIX, Measured
from robcogen_ros.bench.robot_file import depth_first
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.sparse_pattern import SparsePattern

Array = NDArray[np.float64]

_COUNT, _SEED = 16, 5
_STANDARD_GRAVITY = (0.0, 0.0, -9.81)
_SWAP = [3, 4, 5, 0, 1, 2]


class States:
    """Random states of a robot.

    Attributes:
        robot: The robot.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._random = np.random.default_rng(_SEED)
        prismatic = np.array([c.prismatic for c in robot.coordinates], dtype=bool)
        q = self._random.uniform(-3, 3, (_COUNT, robot.n))
        self._values: dict[str, Array] = {
            "q": np.where(prismatic, q / 3, q),
            "gravity": np.tile(_STANDARD_GRAVITY, (_COUNT, 1)),
        }

    def __len__(self) -> int:
        return _COUNT

    def ours(self, function: Function) -> Array:
        """The inputs of a function that may not be left out, a row a state."""
        needed = [a for a in function.inputs if not a.optional]
        return np.hstack([np.zeros((_COUNT, 0)), *(self._of(a.name, a.size) for a in needed)])

    def theirs(self, function: Measured, mujoco: bool = False) -> Array:
        """Position, velocity, and acceleration or force, as other libraries order them.

        Args:
            function: What is computed.
            mujoco: Whether velocity and acceleration of a floating base are those of its origin
                in the world, as MuJoCo has them, instead of spatial vectors.
        """
        n = self.robot.n
        order = self._order
        joints = [self._of(name, n)[:, order] for name in ("q", "qd", function.last)]
        if not self.robot.floating_base:
            return np.hstack(joints)
        unit = [0.0, 0.0, 0.0, *((1.0, 0.0, 0.0, 0.0) if mujoco else (0.0, 0.0, 0.0, 1.0))]
        velocity = self._of("base_velocity", 6)
        last = np.zeros((_COUNT, 6))
        if function.last == "qdd":
            last = self._of("base_acceleration", 6).copy()
            last[:, 3:] += _turning(velocity) if mujoco else 0.0
        q, qd, third = joints
        poses = np.tile(unit, (_COUNT, 1))
        return np.hstack([poses, q, velocity[:, _SWAP], qd, last[:, _SWAP], third])

    def result(self, function: Measured, raw: Array, mujoco: bool = False) -> Array:
        """Results of another library, a row a state, in our order."""
        spread = self._spread()
        size = len(spread)
        if function.result in (MATRIX, ENTRIES):
            full = spread.T @ _symmetric(raw.reshape(-1, size, size)) @ spread
            if function.result == ENTRIES:
                return _entries(full, self.robot.patterns.inertia)
            return np.reshape(full, (len(raw), -1))
        if function.derivative:
            blocks = raw.reshape(len(raw), -1, size, size).copy()
            blocks[:, -1] = _symmetric(blocks[:, -1])
            blocks = spread.T @ blocks @ spread
            if function.entries:
                patterns = self.robot.patterns
                kinds = (patterns.by_positions, patterns.by_velocities, patterns.inertia)
                return np.hstack(
                    [
                        _entries(np.swapaxes(blocks[:, i], 1, 2), pattern)
                        for i, pattern in enumerate(kinds)
                    ]
                )
            return np.reshape(blocks, (len(raw), -1))
        rows = raw @ spread
        if self.robot.floating_base:
            if mujoco and function.last == "tau":
                rows[:, 3:6] -= _turning(self._of("base_velocity", 6))
            rows = np.roll(rows, -6, axis=1)
        return rows

    @property
    def _order(self) -> list[int]:
        return [self.robot.joints[i].coordinate for i in depth_first(self.robot)]

    def _spread(self) -> Array:
        """The matrix from our velocities, base first, to those of others."""
        base = _SWAP if self.robot.floating_base else []
        columns = [*base, *(len(base) + i for i in self._order)]
        return np.eye(len(columns))[columns]

    def _of(self, name: str, size: int) -> Array:
        if name not in self._values:
            self._values[name] = self._random.normal(size=(_COUNT, size))
        return self._values[name]


def _entries(matrices: Array, pattern: SparsePattern) -> Array:
    """The entries of a pattern, a row a state."""
    rows, columns = np.array(pattern.places, dtype=np.intp).reshape(-1, 2).T
    return np.asarray(matrices[:, rows, columns])


def _symmetric(columns: Array) -> Array:
    """Matrices, columns first, of which only the upper triangle is given."""
    upper = np.tril(columns)
    full: Array = upper + np.tril(upper, -1).swapaxes(-1, -2)
    return full


def _turning(velocity: Array) -> Array:
    """What a spatial acceleration lacks of that of a point: w x v."""
    return np.cross(velocity[:, :3], velocity[:, 3:])


def disagreement(ours: Array, theirs: Array, kind: str) -> float:
    """The largest difference of results, a row a state.

    Entries of a matrix are judged by the diagonal, H_ij by sqrt(H_ii H_jj); others by the largest
    of their state.
    """
    if ours.shape != theirs.shape:
        return float("inf")
    if kind == MATRIX:
        size = round(ours.shape[1] ** 0.5)
        diagonal = np.sqrt(np.abs(theirs[:, :: size + 1]))
        scale = (diagonal[:, :, None] * diagonal[:, None, :]).reshape(ours.shape)
    else:
        scale = np.max(np.abs(theirs), axis=1, keepdims=True, initial=0.0)
    floor = 1e-12 * np.max(scale, initial=1e-12)
    return float(np.max(np.abs(ours - theirs) / np.maximum(scale, floor), initial=0.0))
