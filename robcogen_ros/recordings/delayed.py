"""Efforts that were recorded later than the positions they belong to, or earlier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from robcogen_ros.recordings.motion import Motion


def in_time(motions: Iterable[Motion], delay: float) -> Iterator[Motion]:
    """Yields a motion whose efforts are those of a moment later, where there are such.

    Args:
        motions: Blocks with times.
        delay: The moment [s]; negative takes earlier ones.
    """
    held: Motion | None = None
    done = -np.inf
    for block in motions:
        held = block if held is None else _joined(held, block)
        assert held.time is not None
        wanted = held.time + delay
        told = (held.time > done) & (wanted >= held.time[0]) & (wanted <= held.time[-1])
        if told.any():
            efforts = [np.interp(wanted[told], held.time, column) for column in held.tau.T]
            yield replace(held.rows(told), tau=np.stack(efforts, axis=1))
            done = held.time[told][-1]
        kept = int(np.searchsorted(held.time, held.time[-1] - abs(delay))) - 1
        held = held.rows(slice(max(kept, 0), None))


def _joined(one: Motion, other: Motion) -> Motion:
    """Returns two blocks as one."""
    parts = {
        name: np.concatenate([array, getattr(other, name)])
        for name, array in (("time", one.time), *one.arrays())
    }
    return replace(one, **parts)
