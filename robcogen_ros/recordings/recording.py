"""A recorded motion: read, checked, and given the velocities and accelerations that it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.archive import read_archive
from robcogen_ros.recordings.bag import is_bag, read_bag
from robcogen_ros.recordings.derived import WINDOW, derived
from robcogen_ros.recordings.motion import Array, Motion
from robcogen_ros.recordings.table import read_csv, read_parquet

_WORDS = {"q": "position", "qd": "velocity", "qdd": "acceleration", "tau": "effort"}


@dataclass
class Recording:
    """A motion in a file; going through it gives blocks of it.

    Attributes:
        file: npz, CSV or Parquet file; ROS 2 bag: its directory, mcap or sqlite3 file.
        joints: Names of the joints, in the order of the robot.
        topic: Of a bag, where joint states are; None if there is only one such topic.
        rate: States a second, of a file without times.
        window: Length [s] of the window that the motion is smoothed over; None smooths only
            where velocities or accelerations are not recorded, over 0.1 s.
        every: Of smoothed states, one of how many is kept; None: as many as are independent.
        notes: What was odd, after all of it was read.
    """

    file: str | Path
    joints: Sequence[str]
    topic: str | None = None
    rate: float | None = None
    window: float | None = None
    every: int | None = None
    notes: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Motion]:
        """Blocks of the motion, one after the other, with velocities and accelerations.

        Raises:
            RobcogenError: If the file cannot be read or lacks something, time goes back, or a
                number is not finite.
        """
        self.notes.clear()
        name, blocks = str(self.file), iter(_Checked(self, self._read()))
        first = next(blocks, None)
        if first is None:
            raise RobcogenError(f"{name}: no states")
        whole = _chained(first, blocks)
        if self.window is None and first.qd is not None and first.qdd is not None:
            for motion in whole:
                yield replace(motion, turns=np.zeros(motion.q.shape, dtype=bool))
            return
        if first.time is None:
            raise RobcogenError(
                f"{name}: no times, which accelerations need; name a column time, or tell the rate"
            )
        yield from derived(name, whole, self.window or WINDOW, self.every, self.notes.append)

    def _read(self) -> Iterator[Motion]:
        name, path = str(self.file), Path(self.file)
        if not path.exists():
            raise RobcogenError(f"{name}: no such file")
        if is_bag(path):
            return read_bag(name, self.joints, self.topic)
        if path.suffix == ".npz":
            return read_archive(name, self.joints)
        if path.suffix == ".csv":
            return read_csv(name, self.joints)
        if path.suffix in (".parquet", ".pq"):
            return read_parquet(name, self.joints)
        raise RobcogenError(
            f"{name}: not known as a recording; expected .npz, .csv, .parquet, .mcap, .db3 or the "
            "directory of a bag"
        )


def _chained(first: Motion, rest: Iterator[Motion]) -> Iterator[Motion]:
    yield first
    yield from rest


class _Checked:
    """Blocks whose numbers are finite and whose times grow; states of the same time count once."""

    def __init__(self, recording: Recording, blocks: Iterator[Motion]) -> None:
        self._recording, self._blocks = recording, blocks
        self._begin: float | None = None
        self._last = -np.inf
        self._states = self._twice = 0

    def __iter__(self) -> Iterator[Motion]:
        for block in self._blocks:
            motion = self._once(replace(block, time=self._time(block)))
            self._refuse_numbers(motion)
            self._states += len(block)
            if len(motion):
                yield motion
        if self._twice:
            self._recording.notes.append(
                f"{self._recording.file}: {self._twice} states have the time of the one before and "
                "are left out"
            )

    def _time(self, block: Motion) -> Array | None:
        """Seconds since the first state."""
        if block.time is None:
            rate = self._recording.rate
            return None if rate is None else (self._states + np.arange(len(block))) / rate
        if not np.isfinite(block.time).all():
            raise RobcogenError(f"{self._recording.file}: a time is not a number")
        if self._begin is None:
            self._begin = float(block.time[0])
        return block.time - self._begin

    def _once(self, motion: Motion) -> Motion:
        """The states that are later than the one before."""
        if motion.time is None:
            return motion
        steps = np.diff(motion.time, prepend=self._last)
        if (steps < 0).any():
            k = int(np.argmax(steps < 0))
            before = motion.time[k] - steps[k]
            raise RobcogenError(
                f"{self._recording.file}: time goes back from {before:.6f} s to "
                f"{motion.time[k]:.6f} s; cut the recording there"
            )
        self._last = float(motion.time[-1])
        if (steps > 0).all():
            return motion
        kept = steps > 0
        self._twice += int((~kept).sum())
        return motion.rows(kept)

    def _refuse_numbers(self, motion: Motion) -> None:
        """Refuse what is not finite."""
        for name, array in motion.arrays():
            if not np.isfinite(array).all():
                row, joint = np.argwhere(~np.isfinite(array))[0]
                place = f"{motion.time[row]:.6f} s" if motion.time is not None else "some state"
                raise RobcogenError(
                    f"{self._recording.file}: {_WORDS[name]} of {self._recording.joints[joint]} is "
                    f"{array[row, joint]} at {place}"
                )
