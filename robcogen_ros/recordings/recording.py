"""A recorded motion: read, checked, and given the velocities and accelerations that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.archive import read_archive
from robcogen_ros.recordings.bag import is_bag, read_bag
from robcogen_ros.recordings.conventions import Conventions, Converter
from robcogen_ros.recordings.csv_table import read_csv
from robcogen_ros.recordings.delayed import in_time
from robcogen_ros.recordings.derived import SLOWEST, Smoothing, derived
from robcogen_ros.recordings.motion import Array, Motion
from robcogen_ros.recordings.names import recorded_names
from robcogen_ros.recordings.survey import Survey, surveyed
from robcogen_ros.recordings.table import read_parquet

_RESTING = 0.02
"""Velocity that a joint at rest may be recorded with [rad/s or m/s]."""

_WORDS = {"q": "position", "tau": "effort"}


@dataclass
class Recording:
    """A motion in a file; going through it gives blocks of it. The file is read twice.

    Velocities and accelerations are derived from positions where they are not recorded, or are not
    those of the positions, which `notes` tell.

    Attributes:
        file: npz, CSV or Parquet file; ROS 2 bag: its directory, mcap or sqlite3 file.
        joints: Names of the joints, in the order of the robot.
        topic: Of a bag, where joint states are; None if there is only one such topic.
        rate: States a second, of a file without times.
        window: Length [s] of the window that the motion is smoothed over; None smooths only
            where velocities or accelerations are not recorded, over 0.1 s, or nine states.
        every: Of smoothed states, one of how many is kept; None: as many as are independent.
        conventions: How the recorder wrote it.
        at_rest: Whether each state is a pose at rest: it needs no times, and velocities and
            accelerations are zero.
        notes: What was odd, after all of it was read.

    Example:
        >>> for motion in Recording("run.csv", arm.joint_names, rate=500.0):
        ...     print(motion.q.shape)
    """

    file: str | Path
    joints: Sequence[str]
    topic: str | None = None
    rate: float | None = None
    window: float | None = None
    every: int | None = None
    conventions: Conventions = field(default_factory=Conventions)
    at_rest: bool = False
    notes: list[str] = field(default_factory=list)

    @cached_property
    def survey(self) -> Survey:
        """The contents of the recording, found in a pass over all of it.

        Raises:
            RobcogenError: If the file cannot be read or lacks something, time goes back, or a
                number is not finite.
        """
        told = self.notes.append
        blocks = _Checked(self, told)
        found = surveyed(str(self.file), self.joints, blocks)
        for quantity, reason in (
            ("velocities", found.velocities),
            ("accelerations", found.accelerations),
        ):
            if reason:
                told(f"{self.file}: {reason}: recorded {quantity} are not used")
        if found.states > 1 and blocks.twice > found.states:
            raise RobcogenError(
                f"{self.file}: {blocks.twice} of {blocks.twice + found.states} states have the "
                "time of the one before; expected times that tell states apart"
            )
        return found

    @cached_property
    def smoothing(self) -> Smoothing | None:
        """The window that the motion is smoothed over; None if it is used as recorded.

        Raises:
            RobcogenError: As `survey`; if there are no times, or too few a second.
        """
        if self.at_rest:
            return None
        survey, name = self.survey, str(self.file)
        first = next(self._usable(lambda _: None))
        if self.window is None and first.qd is not None and first.qdd is not None:
            return None
        if first.time is None:
            raise RobcogenError(
                f"{name}: no times, which accelerations need; name a column time, or tell the rate"
            )
        if survey.step > SLOWEST:
            raise RobcogenError(
                f"{name}: its states are {survey.step:.3g} s apart, too far for accelerations; "
                f"expected {SLOWEST:g} s at most. If its times are in ms, us or ns, tell the unit"
            )
        return Smoothing.of(name, survey.step, self.window, self.every)

    def __iter__(self) -> Iterator[Motion]:
        """Yields blocks of the motion, one after the other, with velocities and accelerations.

        Raises:
            RobcogenError: As `smoothing`.
        """
        smoothing = self.smoothing
        if smoothing is not None:
            yield from derived(
                str(self.file), self._usable(lambda _: None), smoothing, self._told_once
            )
            return
        for motion in self._usable(lambda _: None):
            turns = np.zeros(motion.q.shape, dtype=bool)
            if not self.at_rest:
                yield replace(motion, turns=turns)
                continue
            moving = 0 if motion.qd is None else np.count_nonzero(np.abs(motion.qd) > _RESTING)
            if moving:
                self._told_once(f"{self.file}: joints of poses at rest move; slower states wanted")
            still = np.zeros(motion.q.shape)
            yield replace(motion, qd=still, qdd=still, turns=turns)

    def _told_once(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _usable(self, note: Callable[[str], None]) -> Iterator[Motion]:
        """Yields blocks without the rates that are not used."""
        survey, delay = self.survey, self.conventions.delay
        if delay and next(iter(_Checked(self, note))).time is None:
            raise RobcogenError(f"{self.file}: no times, which a delay needs; tell the rate")
        checked = _Checked(self, note)
        for motion in in_time(checked, delay) if delay else checked:
            qd, qdd = motion.qd, motion.qdd
            bad = survey.velocities
            yield replace(
                motion, qd=None if bad else qd, qdd=None if bad or survey.accelerations else qdd
            )

    def _read(self, note: Callable[[str], None]) -> Iterator[Motion]:
        name, path = str(self.file), Path(self.file)
        names = recorded_names(self.joints, self.conventions.rename, self.conventions.prefix)
        if not path.exists():
            raise RobcogenError(f"{name}: no such file")
        if is_bag(path):
            return read_bag(name, names, self.topic)
        if path.suffix == ".npz":
            return read_archive(name, names)
        if path.suffix in (".csv", ".tsv", ".txt"):
            return read_csv(name, names, note)
        if path.suffix in (".parquet", ".pq"):
            return read_parquet(name, names)
        raise RobcogenError(
            f"{name}: not known as a recording; expected .npz, .csv, .parquet, .mcap, .db3 or the "
            "directory of a bag"
        )


class _Checked:
    """Blocks whose numbers are finite and whose times grow; states of the same time count once.

    Attributes:
        twice: How many states have the time of the one before.
    """

    def __init__(self, recording: Recording, note: Callable[[str], None]) -> None:
        self._recording, self._note, self._file = recording, note, recording.file
        self._converter = Converter(recording.joints, recording.conventions)
        self._begin: float | None = None
        self._last = -np.inf
        self._states = self.twice = 0

    def __iter__(self) -> Iterator[Motion]:
        for block in self._recording._read(self._note):
            motion = self._once(replace(block, time=self._time(block)))
            self._refuse_numbers(motion)
            self._states += len(block)
            if len(motion):
                yield self._converter.motion(motion)
        self._tell()

    def _tell(self) -> None:
        if self.twice:
            self._note(
                f"{self._file}: {self.twice} states have the time of the one before and are left "
                "out"
            )
        if self._begin is not None and self._converter.unit not in (
            "s",
            self._recording.conventions.time_unit,
        ):
            self._note(f"{self._file}: times are read as {self._converter.unit} since 1970")
        for count, joint in zip(self._converter.turns, self._recording.joints, strict=True):
            if count:
                self._note(f"{self._file}: {joint} has {count} jumps of whole turns, made up for")

    def _time(self, block: Motion) -> Array | None:
        """Seconds since the first state."""
        if block.time is None:
            rate = self._recording.rate
            return None if rate is None else (self._states + np.arange(len(block))) / rate
        if not np.isfinite(block.time).all():
            row = int(np.argmin(np.isfinite(block.time))) + self._states
            raise RobcogenError(f"{self._file}: a time is not a number, of state {row}")
        if self._begin is None and len(block):
            self._begin = float(block.time[0])
            self._converter.seconds(block.time)
        return self._converter.seconds(block.time - (self._begin or 0.0))

    def _once(self, motion: Motion) -> Motion:
        """The states that are later than the one before."""
        if motion.time is None or not len(motion):
            return motion
        steps = np.diff(motion.time, prepend=self._last)
        if (steps < 0).any():
            k = int(np.argmax(steps < 0))
            before = motion.time[k] - steps[k]
            raise RobcogenError(
                f"{self._file}: time goes back from {before:.6f} s to "
                f"{motion.time[k]:.6f} s (state {self._states + k}); cut the recording there"
            )
        self._last = float(motion.time[-1])
        if (steps > 0).all():
            return motion
        kept = steps > 0
        self.twice += int((~kept).sum())
        return motion.rows(kept)

    def _refuse_numbers(self, motion: Motion) -> None:
        """Refuse what is not finite, where it is needed."""
        for name, word in _WORDS.items():
            array = getattr(motion, name)
            if not np.isfinite(array).all():
                row, joint = np.argwhere(~np.isfinite(array))[0].tolist()
                place = f"{motion.time[row]:.6f} s" if motion.time is not None else "a state"
                raise RobcogenError(
                    f"{self._file}: {word} of {self._recording.joints[joint]} is "
                    f"{array[row, joint]} at {place} (state {self._states + row})"
                )
