"""States that follow one another, as they were recorded or as they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BLOCK = 2048
"""States that are read at a time."""


@dataclass(frozen=True, slots=True)
class Motion:
    """States that follow one another; what was not recorded is None.

    Attributes:
        time: (m,) seconds since the first state of the recording.
        q: (m, n) positions of the joints [rad or m].
        qd: (m, n) velocities.
        qdd: (m, n) accelerations.
        tau: (m, n) forces [N m or N].
        turns: (m, n) whether a joint turns round within the window that a state is smoothed over,
            where dry friction is smeared; False where nothing was smoothed.
    """

    time: Array | None
    q: Array
    qd: Array | None
    qdd: Array | None
    tau: Array
    turns: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.q)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Yields the quantities that there are of each joint, with their names."""
        for name in ("q", "qd", "qdd", "tau"):
            array = getattr(self, name)
            if array is not None:
                yield name, array

    def rows(self, chosen: slice | NDArray[np.generic]) -> Motion:
        """Some of the states.

        Args:
            chosen: Numbers of rows, a slice of these, or for each row whether it is wanted.
        """
        time, turns = self.time, self.turns
        parts = {name: array[chosen] for name, array in self.arrays()}
        return Motion(
            None if time is None else time[chosen],
            parts["q"],
            parts.get("qd"),
            parts.get("qdd"),
            parts["tau"],
            None if turns is None else turns[chosen],
        )
