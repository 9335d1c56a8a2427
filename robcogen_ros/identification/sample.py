"""Some states of recordings of any length, in runs of neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.recordings import Motion

Array = NDArray[np.float64]

_RUN, _MOST = 20, 160
"""States that follow one another, and how many such runs are kept."""


class Sample:
    """Keeps up to 160 runs of 20 states, spread evenly over all that was added."""

    def __init__(self) -> None:
        self._runs: list[tuple[Array, ...]] = []
        self._seen, self._every = 0, 1

    def add(self, motion: Motion) -> None:
        """Take a block, which follows the one before."""
        time = np.full(len(motion), np.nan) if motion.time is None else motion.time
        arrays = [time[:, None], *(array for _, array in motion.arrays())]
        for begin in range(0, len(motion) - _RUN + 1, _RUN):
            if self._seen % self._every == 0:
                self._runs.append(tuple(a[begin : begin + _RUN].copy() for a in arrays))
            self._seen += 1
            if len(self._runs) > _MOST:
                self._runs, self._every = self._runs[::2], 2 * self._every

    def arrays(self) -> tuple[Array, Array, Array, Array, Array]:
        """Returns time (runs, 20), then q, qd, qdd and tau (runs, 20, n)."""
        time, q, qd, qdd, tau = (np.stack(parts) for parts in zip(*self._runs, strict=True))
        return time[..., 0], q, qd, qdd, tau

    def __len__(self) -> int:
        return len(self._runs)
