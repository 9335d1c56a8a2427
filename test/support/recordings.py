"""Motions written to files of every format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from robcogen_ros.recordings import Motion

BEGIN = 1_700_000_000 * 10**9


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


class Bag:
    """A bag that messages are written to."""

    def __init__(self, path: Path, storage: str) -> None:
        from rosbags.rosbag2 import StoragePlugin, Writer
        from rosbags.typesys import Stores, get_typestore

        self._store = get_typestore(Stores.ROS2_HUMBLE)
        self._writer = Writer(path, version=9, storage_plugin=StoragePlugin[storage.upper()])
        self._now = BEGIN
        self._topics: dict[tuple[str, str], object] = {}

    def __enter__(self) -> Bag:
        self._writer.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def joint_state(self, stamp: int, names, q, qd, tau, topic="/joint_states", frame="") -> None:
        """Write a message of a time [ns]; a stamp of 0 leaves its own time out."""
        types, kind = self._store.types, "sensor_msgs/msg/JointState"
        time = types["builtin_interfaces/msg/Time"](stamp // 10**9, stamp % 10**9)
        header = types["std_msgs/msg/Header"](time, frame)
        arrays = [np.array(array, dtype=np.float64) for array in (q, qd, tau)]
        message = types[kind](header, list(names), *arrays)
        self._write(topic, kind, message)

    def text(self, topic: str) -> None:
        """Write a message of another type."""
        kind = "std_msgs/msg/String"
        self._write(topic, kind, self._store.types[kind]("hello"))

    def _write(self, topic: str, kind: str, message: object) -> None:
        self._now += 10**6
        key = (topic, kind)
        if key not in self._topics:
            self._topics[key] = self._writer.add_connection(topic, kind, typestore=self._store)
        self._writer.write(self._topics[key], self._now, self._store.serialize_cdr(message, kind))


def write_bag(path: Path, motion: Motion, joints: Sequence[str], storage: str = "mcap") -> None:
    """The motion as joint states, without accelerations."""
    stamps = BEGIN + np.rint(1e9 * motion.time).astype(np.int64)
    qd = np.zeros((len(motion), 0)) if motion.qd is None else motion.qd
    with Bag(path, storage) as bag:
        for stamp, *state in zip(stamps.tolist(), motion.q, qd, motion.tau, strict=True):
            bag.joint_state(stamp, joints, *state)
