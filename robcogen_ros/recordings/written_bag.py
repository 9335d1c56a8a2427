"""Motions as ROS 2 bags of sensor_msgs/JointState."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.extras import package
from robcogen_ros.recordings.motion import Motion

TYPE = "sensor_msgs/msg/JointState"
BEGIN = 1_700_000_000 * 10**9
"""Time when bags begin [ns]."""


class Bag:
    """A bag that joint states are written to, a new folder."""

    def __init__(self, path: Path, storage: str = "mcap") -> None:
        """Opens nothing yet.

        Args:
            path: The folder.
            storage: mcap or sqlite3.

        Raises:
            RobcogenError: If rosbags is missing.
        """
        files = package("rosbags.rosbag2", f"the bag {path}")
        kinds = package("rosbags.typesys", f"the bag {path}")
        self.store = kinds.get_typestore(kinds.Stores.ROS2_HUMBLE)
        plugin = files.StoragePlugin[storage.upper()]
        self._writer = files.Writer(path, version=9, storage_plugin=plugin)
        self._topics: dict[tuple[str, str], Any] = {}

    def __enter__(self) -> Bag:
        self._writer.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def joint_state(
        self,
        when: int,
        stamp: int,
        names: Sequence[str],
        *state: ArrayLike,
        topic: str = "/joint_states",
        frame: str = "",
    ) -> None:
        """Writes a message.

        Args:
            when: When it was recorded [ns].
            stamp: Its own time [ns].
            names: Of the joints.
            state: Their positions, velocities and efforts, (n,) each or empty.
            topic: Where.
            frame: Its frame.
        """
        types = self.store.types
        time = types["builtin_interfaces/msg/Time"](stamp // 10**9, stamp % 10**9)
        header = types["std_msgs/msg/Header"](time, frame)
        arrays = [np.array(array, dtype=np.float64) for array in state]
        self.write(when, topic, TYPE, types[TYPE](header, list(names), *arrays))

    def write(self, when: int, topic: str, kind: str, message: object) -> None:
        """Writes a message of any type."""
        key = (topic, kind)
        if key not in self._topics:
            self._topics[key] = self._writer.add_connection(topic, kind, typestore=self.store)
        self._writer.write(self._topics[key], when, self.store.serialize_cdr(message, kind))


def write_bag(path: Path, motion: Motion, joints: Sequence[str], storage: str = "mcap") -> None:
    """Writes a motion with times as joint states, without accelerations.

    Args:
        path: A folder that is not there yet.
        motion: The motion.
        joints: Names of its joints.
        storage: mcap or sqlite3.

    Raises:
        RobcogenError: If rosbags is missing.
    """
    assert motion.time is not None
    qd = np.zeros((len(motion), 0)) if motion.qd is None else motion.qd
    with Bag(path, storage) as bag:
        for time, *state in zip(motion.time.tolist(), motion.q, qd, motion.tau, strict=True):
            stamp = BEGIN + round(1e9 * time)
            bag.joint_state(stamp, stamp, joints, *state)
