"""The state of a robot, put together from messages that name their joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robcogen_ros.control.angles import wrapped
from robcogen_ros.control.dynamics import Array, Dynamics

VELOCITY_FILTER = 0.005


class NameMap:
    """Where the values of named joints go; the last list of names is remembered."""

    def __init__(self, names: Sequence[str]) -> None:
        self._index = {name: index for index, name in enumerate(names)}
        self._names: tuple[str, ...] = ()
        self._found = (np.zeros(0, np.intp), np.zeros(0, np.intp))

    def positions(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Indices into `names` that are known, and where each belongs."""
        if self._names != tuple(names):
            self._names = tuple(names)
            pairs = [(i, self._index[n]) for i, n in enumerate(names) if n in self._index]
            source, target = zip(*pairs, strict=True) if pairs else ((), ())
            self._found = (np.array(source, np.intp), np.array(target, np.intp))
        return self._found


class Measurements:
    """Last positions and velocities of all joints; joints may come in several messages.

    Attributes:
        positions: Last position of each joint, NaN before the first.
        velocities: Last velocity of each joint; estimated where messages carry none.
        times: When each joint was last heard of [s].
    """

    def __init__(self, robot: Dynamics) -> None:
        self.positions = np.full(robot.n, np.nan)
        self.velocities = np.zeros(robot.n)
        self.times = np.full(robot.n, -np.inf)
        self._continuous = np.asarray(robot.continuous)
        self._names = NameMap(robot.joint_names)

    @property
    def complete(self) -> bool:
        """Whether every joint has been heard of."""
        return bool(np.isfinite(self.times).all())

    def fresh(self, now: float, timeout: float) -> bool:
        """Whether every joint has been heard of within the timeout; zero means ever."""
        return self.complete and (timeout <= 0 or now - float(self.times.min()) <= timeout)

    def take(
        self, names: Sequence[str], position: Sequence[float], velocity: Sequence[float], now: float
    ) -> str | None:
        """Takes over a message's values; returns what is wrong with it, taking nothing then."""
        if len(position) != len(names) or len(velocity) not in (0, len(names)):
            sizes = f"{len(names)} names, {len(position)} positions, {len(velocity)} velocities"
            return f"joint state ignored: it has {sizes}"
        source, target = self._names.positions(names)
        q = np.asarray(position, dtype=float)[source]
        if not np.isfinite(q).all():
            return "joint state ignored: it has positions that are not finite"
        if len(velocity):
            qd = np.asarray(velocity, dtype=float)[source]
            if not np.isfinite(qd).all():
                return "joint state ignored: it has velocities that are not finite"
            self.velocities[target] = qd
        else:
            self._estimate_velocities(target, q, now)
        self.positions[target] = q
        self.times[target] = now
        return None

    def _estimate_velocities(self, target: np.ndarray, q: Array, now: float) -> None:
        """Filtered differences of positions."""
        step = now - self.times[target]
        moved = wrapped(q - self.positions[target], self._continuous[target])
        known = np.isfinite(step) & (step > 0)
        safe = np.where(known, step, 1.0)
        gain = safe / (safe + VELOCITY_FILTER)
        change = gain * (moved / safe - self.velocities[target])
        self.velocities[target] += np.where(known, change, 0.0)
