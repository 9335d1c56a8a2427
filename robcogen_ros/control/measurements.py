"""The state of a robot, put together from messages that name their joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.angles import nearest
from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.finite import all_finite

VELOCITY_FILTER = 0.005


Indices: TypeAlias = "NDArray[np.intp] | slice"
"""Entries of a vector; a slice where it is all of them in their order, which NumPy has quicker."""


class NameMap:
    """Where the values of named joints go; the last list of names is remembered."""

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


class Measurements:
    """Last positions and velocities of all joints; joints may come in several messages.

    Positions of continuous joints go on counting where hardware begins a turn anew. The velocity
    of a joint that never had one is not measured: it is a filtered difference of positions.

    Attributes:
        positions: Last position of each joint, NaN before the first.
        velocities: Last velocity of each joint; estimated where messages carry none.
        times: When each joint was last heard of [s].
    """

    def __init__(self, robot: Dynamics) -> None:
        self.positions = np.full(robot.n, np.nan)
        self.velocities = np.zeros(robot.n)
        self.times = np.full(robot.n, -np.inf)
        self._read = np.full(robot.n, np.nan)
        self._measured = np.zeros(robot.n, bool)
        self._continuous = np.asarray(robot.continuous)
        self._turns = bool(self._continuous.any())
        self._names = NameMap(robot.joint_names)

    @property
    def complete(self) -> bool:
        """Whether every joint has been heard of."""
        return self._oldest > -math.inf

    @property
    def _oldest(self) -> float:
        """When the joint was last heard of that was not heard of for longest [s]."""
        return float(self.times.min(initial=math.inf))

    def fresh(self, now: float, timeout: float) -> bool:
        """Whether every joint has been heard of within the timeout; zero means ever."""
        oldest = self._oldest
        return oldest > -math.inf and (timeout <= 0 or now - oldest <= timeout)

    def recount(self) -> None:
        """Counts turns from the last reading on."""
        self.positions = self._read.copy()

    def take(
        self,
        names: Sequence[str],
        position: Sequence[float] | Array,
        velocity: Sequence[float] | Array,
        now: float,
    ) -> str | None:
        """Takes over a message's values; returns what is wrong with it, taking nothing then."""
        if len(position) != len(names) or len(velocity) not in (0, len(names)):
            sizes = f"{len(names)} names, {len(position)} positions, {len(velocity)} velocities"
            return f"joint state ignored: it has {sizes}"
        source, target = self._names.positions(names)
        q = np.asarray(position, dtype=float)[source]
        if not all_finite(q):
            return "joint state ignored: it has positions that are not finite"
        counted = self._counted(target, q)
        if not len(velocity):
            self.velocities[target] = self._estimated(target, counted, now)
        elif all_finite(qd := np.asarray(velocity, dtype=float)[source]):
            self.velocities[target] = qd
            self._measured[target] = True
        else:
            given = np.isfinite(qd)
            if (self._measured[target] & ~given).any():
                return "joint state ignored: it has velocities that are not finite"
            self.velocities[target] = np.where(given, qd, self._estimated(target, counted, now))
            self._measured[target] |= given
        self.positions[target] = counted
        self._read[target] = q
        self.times[target] = now
        return None

    def _counted(self, target: Indices, q: Array) -> Array:
        """Positions of which continuous ones go on from the last."""
        if not self._turns:
            return q
        last = self.positions[target]
        return np.where(np.isnan(last), q, nearest(q, last, self._continuous[target]))

    def _estimated(self, target: Indices, q: Array, now: float) -> Array:
        """Velocities as filtered differences of positions."""
        last, step = self.velocities[target], now - self.times[target]
        known = np.isfinite(step) & (step > 0)
        safe = np.where(known, step, 1.0)
        gain = safe / (safe + VELOCITY_FILTER)
        change = gain * ((q - self.positions[target]) / safe - last)
        return np.where(known, last + change, last)
