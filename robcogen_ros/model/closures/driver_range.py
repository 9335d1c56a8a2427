"""Range of a coordinate until a loop binds, or a joint that depends on it ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.closures.forms import Newton
from robcogen_ros.model.closures.spanning_tree import SpanningTree
from robcogen_ros.model.description import JointDescription, Limits, Mimic

Array = NDArray[np.float64]

_STEP = 0.02
"""Distance between positions that are tried [rad or m]."""
_HALVINGS = 45
_SHORTEST = _STEP / 2**_HALVINGS
_FARTHEST = 2 * math.pi
_STEPS = 8


def followed_limits(
    joint: JointDescription, followers: Iterable[tuple[JointDescription, Mimic]]
) -> Limits:
    """Limits of a joint, within those of joints that follow it by linear functions."""
    found = joint.limits
    for follower, mimic in followers:
        limits, ratio, offset = (
            follower.limits.meant(),
            float(mimic.multiplier),
            float(mimic.offset),
        )
        ends = [None if x is None else (x - offset) / ratio for x in (limits.lower, limits.upper)]
        low, high = ends if ratio > 0 else reversed(ends)
        found = within(found, low, high)
    return found


def within(limits: Limits, low: float | None, high: float | None) -> Limits:
    """Limits within others, of which there may be none."""
    own = limits.meant()
    lower, upper = _inner(max, own.lower, low), _inner(min, own.upper, high)
    return replace(limits, lower=lower, upper=upper)


def _inner(
    choose: Callable[[float, float], float], a: float | None, b: float | None
) -> float | None:
    return b if a is None else a if b is None else choose(a, b)


def outside_of(q: Array, numbers: Sequence[int], limits: Sequence[Limits]) -> list[int]:
    """Returns the coordinates, of some, that a position (n,) has beyond their limits."""
    return [
        k
        for k, own in zip(numbers, limits, strict=True)
        if (own.lower is not None and q[k] < own.lower)
        or (own.upper is not None and q[k] > own.upper)
    ]


def closes_within(
    tree: SpanningTree, begin: Array, numbers: Sequence[int], limits: Sequence[Limits]
) -> bool:
    """Returns True if a way leads from a closed position to one within some limits."""
    own, to, q = dict(zip(numbers, limits, strict=True)), dict[int, float](), begin
    while outside := [k for k in outside_of(q, numbers, limits) if k not in to]:
        for k in outside:
            lower, upper = own[k].lower, own[k].upper
            to[k] = lower if lower is not None and q[k] < lower else float(upper or 0.0)
        found = tree.moved(begin, to)
        if found is None:
            return False
        q = found
    return True


class DriverRange:
    """The range of a coordinate of a tree within which its loops stay closed as they are."""

    def __init__(
        self,
        tree: SpanningTree,
        driver: int,
        dependent: Sequence[int],
        limits: Sequence[Limits],
        rings: Sequence[int],
        newtons: Sequence[Newton] = (),
    ) -> None:
        """Prepares the search.

        Args:
            tree: The tree.
            driver: Number of the coordinate.
            dependent: Numbers of those that depend on it.
            limits: Limits of these.
            rings: Numbers of the loops that these follow through.
            newtons: What is to lead to positions, of loops that are solved by steps.
        """
        self._tree, self._newtons = tree, newtons
        self._driver, self._dependent = driver, list(dependent)
        self._limits, self._rings = limits, rings

    def beyond(self, q: Array) -> list[int]:
        """Numbers of the dependent coordinates that a position has beyond their limits."""
        return outside_of(q, self._dependent, self._limits)

    def from_position(self, q: Array) -> tuple[float, float]:
        """Lower and upper end of the range around a closed position within the limits."""
        low, high = (self._end(q, sign) for sign in (-1, 1))
        return low, high

    def _end(self, start: Array, sign: int) -> float:
        """The end of the range in one direction; infinite where there is none."""
        origin, path, step = float(start[self._driver]), [start], _STEP
        while abs(path[-1][self._driver] - origin) < _FARTHEST:
            moved = self._moved(path[-1], sign * step)
            if moved is not None:
                path.append(moved)
                step = min(2 * step, _STEP)
            elif step < _SHORTEST:
                break
            else:  # near where loops bind others go far at each step
                step /= 2
        led = self._led(np.array(path))
        if led.all():
            return float(path[-1][self._driver]) if moved is None else sign * math.inf
        good, step = path[max(int(led.argmin()) - 1, 0)], _STEP
        for _ in range(_HALVINGS):
            step /= 2
            moved = self._moved(good, sign * step)
            good = moved if moved is not None and self._led(moved[None]).all() else good
        return float(good[self._driver])

    def _led(self, path: Array) -> NDArray[np.bool_]:
        """Returns for each position True if steps lead to it."""
        found = np.ones(len(path), dtype=np.bool_)
        for newton in self._newtons:
            found &= newton.led(path) > 0
        return found

    def _moved(self, q: Array, step: float) -> Array | None:
        """The position with the coordinate further on, if it can be."""
        _, K = map(np.concatenate, self._tree.part(q, self._rings))
        own = K[:, self._dependent]
        moved = q.copy()
        moved[self._driver] += step
        moved[self._dependent] -= np.linalg.lstsq(own, K[:, self._driver] * step, rcond=None)[0]
        if np.abs(moved - q).max() > 100 * _STEP:
            return None
        for _ in range(_STEPS):
            gap, now = map(np.concatenate, self._tree.part(moved, self._rings))
            now = now[:, self._dependent]
            if np.abs(gap).max() < 10 * self._tree.closed_at:
                same = float(np.linalg.det(own.T @ now)) > 0
                return moved if same and not self.beyond(moved) else None
            moved[self._dependent] -= np.linalg.lstsq(now, gap, rcond=None)[0]
        return None
