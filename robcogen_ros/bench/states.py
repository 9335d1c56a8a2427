"""States to measure at, for us and for other libraries, and their results in our order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.bench.measured import (
    AXES,
    BASE_FIRST,
    ENTRIES,
    IMPACT_DERIVATIVES,
    INVERSE,
    JACOBIAN,
    MATRIX,
    MOTION,
    MOTION_DERIVATIVES,
    NUMBERS,
    Measured,
)
from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.sparse_pattern import SparsePattern

Array = NDArray[np.float64]

_COUNT, _SEED = 16, 5
_SWAP = [3, 4, 5, 0, 1, 2]


class States:
    """Random states of a robot.

    Attributes:
        robot: The robot.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._random = np.random.default_rng(_SEED)
        lengths = np.array([c.kind.is_length for c in robot.coordinates], dtype=bool)
        q = self._random.uniform(-3, 3, (_COUNT, robot.n))
        self._values: dict[str, Array] = {
            "q": np.where(lengths, q / 3, q),
            "gravity": np.tile(robot.gravity, (_COUNT, 1)),
        }

    def __len__(self) -> int:
        return _COUNT

    def given(self, **values: Array) -> None:
        """Takes values of arguments, a row a state."""
        self._values |= values

    def ours(self, function: Function) -> Array:
        """The inputs of a function that may not be left out, a row a state."""
        needed = [a for a in function.inputs if not a.optional]
        self._rest(function.name)
        return np.hstack([np.zeros((_COUNT, 0)), *(self._of(a.name, a.size) for a in needed)])

    def _rest(self, name: str) -> None:
        """No velocities where poses are fixed: others let the spatial acceleration be zero there.

        Where points are fixed theirs is the inertial one, as ours; impacts know no accelerations.
        """
        poses = any(len(contact.rows) == 6 for contact in self.robot.contacts)
        if poses and name.startswith("contact_forward_dynamics"):
            still = {"qd": self.robot.n, "base_velocity": 6}
            self._values |= {key: np.zeros((_COUNT, size)) for key, size in still.items()}

    def theirs(self, function: Measured, mujoco: bool = False) -> Array:
        """Position, velocity, and acceleration or force, as other libraries order them.

        Args:
            function: What is computed.
            mujoco: Whether velocity and acceleration of a floating base are those of its origin
                in the world, as MuJoCo has them, instead of spatial vectors.
        """
        n = self.robot.n
        q, qd = (self._of(name, n)[:, self._order] for name in ("q", "qd"))
        if not self.robot.floating_base:
            return np.hstack([q, qd, self._last(function)])
        unit = [0.0, 0.0, 0.0, *((1.0, 0.0, 0.0, 0.0) if mujoco else (0.0, 0.0, 0.0, 1.0))]
        velocity = self._of("base_velocity", 6)
        last = self._last(function)
        if mujoco and function.last == "qdd":
            last[:, :3] += _turning(velocity)
        poses = np.tile(unit, (_COUNT, 1))
        return np.hstack([poses, q, velocity[:, _SWAP], qd, last])

    def _last(self, function: Measured) -> Array:
        """Acceleration or force, as other libraries order them."""
        base = 6 if self.robot.floating_base else 0
        if function.last == "b":
            every = self._of("b", base + self.robot.n)
        else:
            moving = base and function.last == "qdd"
            first = self._of("base_acceleration", 6) if moving else np.zeros((_COUNT, base))
            every = np.hstack([first, self._of(function.last, self.robot.n)])
        theirs: Array = every @ self._spread().T
        return theirs

    def compared(self, function: Measured, results: Array) -> Array:
        """Returns the part of our results that others have too."""
        size = self.robot.n + (6 if self.robot.floating_base else 0)
        counts = {MOTION: size, MOTION_DERIVATIVES: 3 * size**2, IMPACT_DERIVATIVES: 2 * size**2}
        if function.result in counts:
            return results[:, : counts[function.result]]
        return results[:, -6 * self.robot.n :] if function.result == AXES else results

    def result(self, function: Measured, raw: Array, mujoco: bool = False) -> Array:
        """Results of another library, a row a state, in our order."""
        spread = self._spread()
        size = len(spread)
        kind = function.result
        if kind == NUMBERS:
            return raw
        if kind == BASE_FIRST:
            return np.reshape(raw.reshape(len(raw), -1, size) @ spread, (len(raw), -1))
        if kind in (JACOBIAN, AXES):
            return self._jacobians(raw.reshape(len(raw), size, -1), kind)
        if kind in (MATRIX, ENTRIES, INVERSE):
            columns = raw.reshape(-1, size, size)
            columns = columns.swapaxes(1, 2) if kind == INVERSE else columns
            full = spread.T @ _symmetric(columns) @ spread
            if kind == ENTRIES:
                return _entries(full, self.robot.patterns.inertia)
            return np.reshape(full, (len(raw), -1))
        if function.derivative:
            return self._derivatives(function, raw.reshape(len(raw), -1, size, size))
        rows = raw @ spread
        if self.robot.floating_base:
            if mujoco and function.last == "tau":
                rows[:, 3:6] -= _turning(self._of("base_velocity", 6))
            rows = np.roll(rows, -6, axis=1)
        return rows

    def _jacobians(self, columns: Array, kind: str) -> Array:
        """Jacobians of all velocities, or the axes of joints, of columns in the order of others."""
        ours = self._spread().T @ columns
        if columns.shape[2] == 6:
            ours = ours[:, :, _SWAP]
        if kind == AXES:
            return np.reshape(ours[:, -self.robot.n :], (len(columns), -1))
        return np.reshape(ours, (len(columns), -1))

    def _derivatives(self, function: Measured, blocks: Array) -> Array:
        """Derivatives by positions, velocities and the third, of which half may be given."""
        if function.result != IMPACT_DERIVATIVES:
            blocks = np.concatenate([blocks[:, :-1], _symmetric(blocks[:, -1])[:, None]], axis=1)
        blocks = self._spread().T @ blocks @ self._spread()
        if not function.entries:
            return np.reshape(blocks, (len(blocks), -1))
        patterns = self.robot.patterns
        kinds = (patterns.by_positions, patterns.by_velocities, patterns.inertia)
        columns = blocks.swapaxes(2, 3)
        return np.hstack([_entries(columns[:, i], pattern) for i, pattern in enumerate(kinds)])

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
    """Returns w x v, which a spatial acceleration lacks of that of a point."""
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
