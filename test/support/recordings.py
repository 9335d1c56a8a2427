"""Motions written to files of every format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from robcogen_ros.recordings import Motion, written_bag
from robcogen_ros.recordings.written_bag import BEGIN


def sines(joints: int, states: int, step: float = 0.001, seed: int = 0) -> Motion:
    """Slow sums of sines with exact derivatives, and forces that are other sines."""
    random = np.random.default_rng(seed)
    rate, phase, size = random.uniform((1, 0, 0.2), (6, 6, 1), size=(4, joints, 3)).T
    time = step * np.arange(states)
    angle = time[:, None, None] * rate + phase
    q = (size * np.sin(angle)).sum(axis=-1)
    qd = (size * rate * np.cos(angle)).sum(axis=-1)
    qdd = -(size * rate**2 * np.sin(angle)).sum(axis=-1)
    return Motion(time, q, qd, qdd, np.cos(angle).sum(axis=-1))


def table(motion: Motion, joints: Sequence[str]) -> dict[str, np.ndarray]:
    """Columns of a motion by name."""
    words = {"q": "position", "qd": "velocity", "qdd": "acceleration", "tau": "effort"}
    columns = {} if motion.time is None else {"time": motion.time}
    for name, array in motion.arrays():
        columns |= {f"{j}.{words[name]}": array[:, k] for k, j in enumerate(joints)}
    return columns


def write_npz(path: Path, motion: Motion, joints: Sequence[str]) -> None:
    times = {} if motion.time is None else {"time": motion.time}
    arrays = {name: np.ascontiguousarray(array) for name, array in motion.arrays()}
    np.savez_compressed(path, joint_names=np.array(joints), **times, **arrays)


def write_csv(path: Path, motion: Motion, joints: Sequence[str]) -> None:
    columns = table(motion, joints)
    rows = np.column_stack(list(columns.values()))
    np.savetxt(path, rows, fmt="%.17g", delimiter=",", header=",".join(columns), comments="")


def write_parquet(path: Path, motion: Motion, joints: Sequence[str]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(table(motion, joints)), path)


class Bag(written_bag.Bag):
    """A bag whose messages come a millisecond after each other, whatever their own times are."""

    _now = BEGIN

    def joint_state(self, stamp: int, names, *state, **more) -> None:
        """Writes a message of a time [ns]; a stamp of 0 leaves its own time out."""
        super().joint_state(self._next(), stamp, names, *state, **more)

    def text(self, topic: str) -> None:
        """Writes a message of another type."""
        kind = "std_msgs/msg/String"
        self.write(self._next(), topic, kind, self.store.types[kind]("hello"))

    def _next(self) -> int:
        self._now += 10**6
        return self._now
