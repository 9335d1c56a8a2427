"""Readings of a robot's joints, from messages that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.angles import nearest
from robcogen_ros.control.dynamics import Array, Measured
from robcogen_ros.control.finite import all_finite

Indices: TypeAlias = "NDArray[np.intp] | slice"
"""Entries of a vector; a slice where it is all of them in their order, which NumPy has quicker."""


class NameMap:
    """Places of the values of named joints; the last list of names is remembered."""

    def __init__(self, names: Sequence[str]) -> None:
        self._index = {name: index for index, name in enumerate(names)}
        self._names: tuple[str, ...] = ()
        self._found: tuple[Indices, Indices] = (np.zeros(0, np.intp), np.zeros(0, np.intp))

    def positions(self, names: Sequence[str]) -> tuple[Indices, Indices]:
        """Indices into `names` that are known, and where each belongs."""
        if self._names != tuple(names):
            self._names = tuple(names)
            self._found = self._places(self._names)
        return self._found

    def _places(self, names: tuple[str, ...]) -> tuple[Indices, Indices]:
        if names == tuple(self._index):
            return slice(None), slice(None)
        pairs = [(i, self._index[n]) for i, n in enumerate(names) if n in self._index]
        source, target = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(source, np.intp), np.array(target, np.intp)


class JointReadings:
    """States of a robot's joints from messages; joints may come in several of them.

    Positions of continuous joints go on counting where hardware begins a turn anew.

    Attributes:
        positions: Last position of each joint, NaN before the first.
        position: Positions of the last message, NaN where it has none.
        velocity: Velocities of the last message, NaN where it has none.
    """

    def __init__(self, robot: Measured) -> None:
        self.positions = np.full(robot.n, np.nan)
        self.position = self.positions.copy()
        self.velocity = self.positions.copy()
        self._read = self.positions.copy()
        self._measured = np.zeros(robot.n, bool)
        self._continuous = np.asarray(robot.continuous)
        self._turns = bool(self._continuous.any())
        self._names = NameMap(robot.joint_names)

    def recount(self) -> None:
        """Counts turns from the last reading on."""
        told = np.isfinite(self.position)
        self.positions = self._read.copy()
        self.position[told] = self._read[told]

    def read(
        self,
        names: Sequence[str],
        position: Sequence[float] | Array,
        velocity: Sequence[float] | Array,
    ) -> str | None:
        """Reads a message; returns what is wrong with it, taking nothing then."""
        if len(position) != len(names) or len(velocity) not in (0, len(names)):
            sizes = f"{len(names)} names, {len(position)} positions, {len(velocity)} velocities"
            return f"joint state ignored: it has {sizes}"
        source, target = self._names.positions(names)
        q = np.asarray(position, dtype=float)[source]
        if not all_finite(q):
            return "joint state ignored: it has positions that are not finite"
        velocities = np.full(len(self.positions), np.nan)
        if len(velocity):
            velocities[target] = np.asarray(velocity, dtype=float)[source]
        given = np.isfinite(velocities[target])
        if (self._measured[target] & ~given).any():
            what = "velocities that are not finite" if len(velocity) else "no velocities any more"
            return f"joint state ignored: it has {what}"
        self._measured[target] |= given
        self.position, self.velocity = np.full(len(velocities), np.nan), velocities
        self.position[target] = self._counted(target, q)
        self._read[target], self.positions[target] = q, self.position[target]
        return None

    def _counted(self, target: Indices, q: Array) -> Array:
        """Positions in the turn that is nearest to where the joints were; as read at first."""
        before = self.positions[target]
        if not self._turns:
            return q
        near = np.where(np.isfinite(before), before, q)
        return nearest(q, near, self._continuous[target])
