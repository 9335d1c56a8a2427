"""A closed position to suggest where the one that is written is none, or is a dead centre."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.closures.spanning_tree import SpanningTree, rank
from robcogen_ros.model.description import Limits

Array = NDArray[np.float64]

_AWAY = 0.3, 1.5
"""Distances from a position at which others are tried [rad or m]."""
_TRIED = 12
_CLIPPED = 20
_INSET = 0.05
"""Share of their range within limits at which positions are sought."""


def closed_nearby(tree: SpanningTree, q: Array, limits: Sequence[Limits]) -> Array | None:
    """A closed position around another; None if none is found.

    Of those that are tried, always the same ones, it is the farthest from singular of those within
    limits, or of all if none is.

    Args:
        tree: The tree.
        q: The other, (n,).
        limits: Limits of each coordinate.
    """
    low, high = ends(limits)
    random, found = np.random.default_rng(56), list[Array]()
    for far in _AWAY:
        for _ in range(_TRIED):
            tried = np.clip(q, low, high) + random.uniform(-far, far, q.shape)
            closed, _ = closed_within(tree, tried, limits)
            found += [] if closed is None else [closed]
    every = [np.concatenate(tree.jacobians(each)) for each in found]
    most = max(map(rank, every), default=0)

    def worth(k: int) -> tuple[bool, float]:
        values = np.linalg.svd(every[k], compute_uv=False)
        inside = bool(((low <= found[k]) & (found[k] <= high)).all())
        return inside, float(values[most - 1] / values[0])

    return found[max(range(len(found)), key=worth)] if found else None


def closed_within(
    tree: SpanningTree, q: Array, limits: Sequence[Limits]
) -> tuple[Array | None, bool]:
    """The closed position next to another, led towards limits, and whether it is within."""
    low, high = ends(limits)
    inset = np.where(np.isfinite(high - low), _INSET * (high - low), 0.0)
    found = None
    for _ in range(_CLIPPED):
        closed = tree.closed(q)
        if closed is None:
            break
        found, q = closed, np.clip(closed, low + inset, high - inset)
        if ((low <= closed) & (closed <= high)).all():
            return closed, True
    return found, False


def ends(limits: Sequence[Limits]) -> tuple[Array, Array]:
    """The least and the greatest position of each coordinate, infinite where there is none."""
    low = [-np.inf if x.lower is None else x.lower for x in limits]
    high = [np.inf if x.upper is None else x.upper for x in limits]
    return np.array(low), np.array(high)
