"""Conventions of a recorder: names, units, signs, and turns that were cut off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from robcogen_ros.recordings.motion import Array, Motion

TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
"""Units of times, in seconds."""

_EARLIEST = 9e8
_LATEST = 9e9
"""Seconds since 1970 that are taken for dates: 1998 to 2255."""


@dataclass(frozen=True)
class Conventions:
    """Names of joints in a recording, and its units.

    Attributes:
        rename: Pairs of a name in the recording and one of the robot; beginnings of names stand
            for all that begin so.
        prefix: What the recording has before each name.
        degrees: Whether positions, velocities and accelerations of turning joints are in degrees.
        time_unit: Of `TIME_UNITS`; None takes seconds, and dates in any of these.
        efforts: What the efforts of joints are multiplied by, by names of the robot: torque
            constants of currents [N m/A], -1 where efforts are reactions. Others count as they are.
        delay: Time by which efforts are later than positions [s].
        sliding: Joints that slide: degrees are not theirs.
        endless: Joints that turn without end: positions of theirs may be cut off at each turn.
    """

    rename: Sequence[tuple[str, str]] = ()
    prefix: str = ""
    degrees: bool = False
    time_unit: str | None = None
    efforts: Mapping[str, float] = field(default_factory=dict)
    delay: float = 0.0
    sliding: frozenset[str] = frozenset()
    endless: frozenset[str] = frozenset()


class Converter:
    """Brings blocks of a motion to s, rad, m and N m, and whole turns back that were cut off.

    Attributes:
        unit: Of the times, of `TIME_UNITS`; None before the first block.
        turns: How often positions of each joint were cut off.
    """

    def __init__(self, joints: Sequence[str], conventions: Conventions) -> None:
        self.unit = conventions.time_unit
        self.turns = np.zeros(len(joints), dtype=int)
        sizes = [1.0 if name in conventions.sliding else np.pi / 180 for name in joints]
        self._angles = np.array(sizes if conventions.degrees else [1.0] * len(joints))
        self._efforts = np.array([conventions.efforts.get(name, 1.0) for name in joints])
        self._endless = np.array([name in conventions.endless for name in joints], dtype=bool)
        self._last: Array | None = None
        self._whole = np.zeros(len(joints))

    def seconds(self, time: Array) -> Array:
        """Returns times in seconds."""
        if self.unit is None and len(time):
            dates = [u for u, s in TIME_UNITS.items() if _EARLIEST < s * time[0] < _LATEST]
            self.unit = dates[0] if dates else "s"
        return time * TIME_UNITS[self.unit or "s"]

    def motion(self, motion: Motion) -> Motion:
        """Returns a block, which follows the one before."""
        scaled = {name: array * self._angles for name, array in motion.arrays() if name != "tau"}
        scaled["tau"] = motion.tau * self._efforts
        scaled["q"] = self._unwrapped(scaled["q"])
        return replace(motion, **scaled)

    def _unwrapped(self, q: Array) -> Array:
        """Returns positions in which steps of half a turn and more are made up for."""
        if not self._endless.any() or not len(q):
            return q
        before = q[:1] if self._last is None else self._last
        self._last = q[-1:].copy()
        steps = np.round(np.diff(q, axis=0, prepend=before) / (2 * np.pi)) * self._endless
        self.turns += np.count_nonzero(steps, axis=0)
        turned = self._whole - np.cumsum(steps, axis=0)
        self._whole = turned[-1]
        return np.asarray(q + 2 * np.pi * turned, dtype=np.float64)
