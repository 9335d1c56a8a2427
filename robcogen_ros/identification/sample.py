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

    def __init__(self, run: int = _RUN) -> None:
        """Starts without states.

        Args:
            run: States that follow one another: 1 where no state is another's neighbour.
        """
        self._run, self._most = run, _RUN * _MOST // run
        self._runs: list[tuple[Array, ...]] = []
        self._rest: list[Array] = []
        self._seen, self._every = 0, 1

    def add(self, motion: Motion) -> None:
        """Takes a block, which follows the one before."""
        time = np.full(len(motion), np.nan) if motion.time is None else motion.time
        arrays = [time[:, None], *(array for _, array in motion.arrays())]
        if self._rest:
            arrays = [np.concatenate(pair) for pair in zip(self._rest, arrays, strict=True)]
        whole = len(arrays[0]) // self._run * self._run
        for begin in range(0, whole, self._run):
            if self._seen % self._every == 0:
                self._runs.append(tuple(a[begin : begin + self._run].copy() for a in arrays))
            self._seen += 1
            if len(self._runs) > self._most:
                self._runs, self._every = self._runs[::2], 2 * self._every
        self._rest = [array[whole:].copy() for array in arrays]

    def arrays(self) -> tuple[Array, Array, Array, Array, Array]:
        """Returns time (runs, 20), then q, qd, qdd and tau (runs, 20, n)."""
        time, q, qd, qdd, tau = (np.stack(parts) for parts in zip(*self._runs, strict=True))
        return time[..., 0], q, qd, qdd, tau

    def __len__(self) -> int:
        return len(self._runs)


def apart_from(Q: Array, columns: Array) -> Array:
    """Returns what is left of columns beside orthonormal ones."""
    return np.asarray(columns - Q @ (Q.T @ columns), dtype=np.float64)
