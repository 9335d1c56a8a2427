"""A motion in memory, read as a recording is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from robcogen_ros.recordings.motion import Motion
from robcogen_ros.recordings.recording import Recording


def _nothing() -> Motion:
    none = np.zeros((0, 0))
    return Motion(None, none, None, None, none)


@dataclass
class Remembered(Recording):
    """A recording whose `file` is a name for messages, and nothing else.

    Attributes:
        motion: What was recorded, columns in the order of `joints`.
    """

    motion: Motion = field(default_factory=_nothing)

    def _read(self, note: Callable[[str], None]) -> Iterator[Motion]:
        return iter([self.motion])
