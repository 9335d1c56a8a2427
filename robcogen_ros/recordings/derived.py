"""Velocities and accelerations of a recorded motion, by a filter without delay.

Local polynomials of degree four over a window, in the sense of least squares (Savitzky, Golay 1964,
"Smoothing and differentiation of data by simplified least squares procedures"): the middle value of
each is the smoothed one, its derivatives are velocity and acceleration. The filter is symmetric, so
nothing is late, and forces go through the same one. It sees a window at a time: blocks overlap by
one, and the result does not depend on how they are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import Array, Motion

WINDOW = 0.1
"""Length of the window where none is given [s]."""

GAP = 5.0
"""Steps without a state that make a gap."""

LEAST = 9
"""States that a window has at least where none is given."""

SLOWEST = 0.1
"""Largest step between states of which accelerations can be told [s]."""

_DEGREE = 4
_ROUNDING = 1e-6
"""Part of a step by which times of a file may be rounded."""


@dataclass(frozen=True)
class Smoothing:
    """A window that motion and forces are smoothed over.

    Attributes:
        step: Between states [s].
        half: States on each side of the middle one.
        every: Of the smoothed states, one of how many is kept.
    """

    step: float
    half: int
    every: int

    @classmethod
    def of(
        cls, file: str, step: float, window: float | None = None, every: int | None = None
    ) -> Smoothing:
        """Returns that of a recording.

        Args:
            file: The recording.
            step: Between its states [s].
            window: Length of the window [s]; None takes 0.1 s, or nine states if that is longer.
            every: Of the smoothed states, one of how many is kept; None keeps as many as the
                filter leaves independent, twice its bandwidth (Schafer 2011, "What is a
                Savitzky-Golay filter?").

        Raises:
            RobcogenError: If the window is shorter than the polynomial needs.
        """
        if not step > 0:
            raise RobcogenError(f"{file}: a single state cannot be differentiated")
        half = max(round(WINDOW / step / 2), LEAST // 2)
        if window is not None:
            half = round(window / step / 2)
        if 2 * half + 1 <= _DEGREE:
            raise RobcogenError(
                f"{file}: a window of {window:g} s has {2 * half + 1} states of {step:.3g} s; "
                f"expected more than {_DEGREE}: a window of {(LEAST - 1) * step:.2g} s has {LEAST}"
            )
        return cls(step, half, every or max(1, round((3.2 * half - 4.6) / (_DEGREE + 1))))

    @property
    def window(self) -> float:
        """Length of the window [s]."""
        return 2 * self.half * self.step

    def disturbances(
        self, noise: dict[str, Array], states: int, random: np.random.Generator
    ) -> tuple[Array, Array, Array]:
        """Returns noise of smoothed positions, velocities and accelerations, (states, n) each.

        Args:
            noise: (n,) standard deviations of what was recorded and is differentiated: of `q`, and
                of `qd` if it was recorded.
            states: How many are wanted, which are independent of each other.
            random: Where from.
        """
        kernels = _Kernels.of(self.half, self.step)
        rows = np.stack([kernels.value, kernels.first, kernels.second])
        root = np.linalg.cholesky(rows @ rows.T + 1e-12 * np.diag((rows**2).sum(axis=1)))
        n = len(noise["q"])
        q, qd, qdd = noise["q"] * np.tensordot(root, random.normal(size=(3, states, n)), 1)
        if "qd" in noise:
            qd, qdd, _ = noise["qd"] * np.tensordot(root, random.normal(size=(3, states, n)), 1)
        return q, qd, qdd

    def __str__(self) -> str:
        return (
            f"smoothed over {self.window:.3g} s, {2 * self.half + 1} states; "
            f"one of {self.every} is used"
        )


@dataclass(frozen=True, slots=True)
class _Kernels:
    """Weights of the states in a window: of the value, and of its first and second derivative."""

    value: Array
    first: Array
    second: Array

    @classmethod
    def of(cls, half: int, step: float) -> _Kernels:
        """Returns the kernels of a window of `half` steps to each side, `step` seconds long."""
        steps = np.arange(-half, half + 1) / half
        rows = np.linalg.pinv(np.vander(steps, _DEGREE + 1, increasing=True))
        unit = half * step
        return cls(rows[0], rows[1] / unit, 2 * rows[2] / unit**2)


def derived(
    file: str, motions: Iterable[Motion], smoothing: Smoothing, note: Callable[[str], None]
) -> Iterator[Motion]:
    """The motion with velocities and accelerations, smoothed, at even steps.

    Args:
        file: The recording.
        motions: What was recorded, with times.
        smoothing: The window.
        note: Told what is odd.

    Raises:
        RobcogenError: If the motion is shorter than the window.
    """
    smoother = _Smoother(smoothing)
    gaps, longest, where = 0, 0.0, 0.0
    last = -np.inf
    for motion in motions:
        assert motion.time is not None
        steps = np.diff(motion.time, prepend=last)
        cuts = np.flatnonzero(steps > GAP * smoother.step)
        for k in cuts[np.isfinite(steps[cuts])]:
            gaps += 1
            if steps[k] > longest:
                longest, where = float(steps[k]), float(motion.time[k])
        for piece in _pieces(motion, cuts):
            yield from smoother.feed(*piece)
        last = motion.time[-1]
    if not smoother.told:
        raise RobcogenError(
            f"{file}: nothing in it is as long as the window of {smoothing.window:g} s"
        )
    if gaps:
        note(
            f"{file}: {gaps} gaps, the longest of {longest:.3g} s before {where:.3f} s; motion is "
            "differentiated on each side of them alone"
        )


def _pieces(motion: Motion, cuts: NDArray[np.intp]) -> Iterator[tuple[bool, Motion]]:
    """Parts of a motion without gaps, and whether a gap is before each."""
    ends = [*cuts.tolist(), len(motion)]
    if ends[0] != 0:
        yield False, motion.rows(slice(0, ends[0]))
    for begin, end in pairwise(ends):
        yield True, motion.rows(slice(begin, end))


class _Smoother:
    """Interpolates a motion at even steps, and smooths it."""

    def __init__(self, smoothing: Smoothing) -> None:
        self.step, self.told = smoothing.step, False
        self._half, self._every = smoothing.half, smoothing.every
        self._kernels = _Kernels.of(smoothing.half, smoothing.step)
        self._begin = 0.0
        self._taken = self._left = 0
        self._raw_time: Array = np.zeros(0)
        self._raw: Array = np.zeros((0, 0))
        self._even: Array = np.zeros((0, 0))

    def feed(self, begins: bool, motion: Motion) -> Iterator[Motion]:
        """Yields what is known with more of the motion, which begins anew after a gap."""
        assert motion.time is not None
        names = [name for name, _ in motion.arrays()]
        values = np.concatenate([array for _, array in motion.arrays()], axis=1)
        if begins:
            self._begin, self._taken, self._left = float(motion.time[0]), 0, 0
            self._raw_time, self._raw = np.zeros(0), np.zeros((0, values.shape[1]))
            self._even = self._raw
        time = np.concatenate([self._raw_time, motion.time])
        raw = np.concatenate([self._raw, values])
        self._raw_time, self._raw = time[-1:], raw[-1:]
        self._even = np.concatenate([self._even, self._interpolated(time, raw)])
        count = len(self._even) - 2 * self._half
        if count > 0:
            yield from self._smoothed(names, count)
            self._even = self._even[count:]
            self._left += count
            self.told = True

    def _interpolated(self, time: Array, raw: Array) -> Array:
        """Values at the even steps that lie within these times."""
        end = int(np.floor((time[-1] - self._begin) / self.step + _ROUNDING)) + 1
        steps = self._begin + self.step * np.arange(self._taken, end)
        self._taken = max(self._taken, end)
        return np.stack([np.interp(steps, time, column) for column in raw.T], axis=1)

    def _smoothed(self, names: list[str], count: int) -> Iterator[Motion]:
        """The states in the middle of each window, those that are kept."""
        first = -self._left % self._every
        numbers = self._left + np.arange(first, count, self._every)
        if not len(numbers):
            return
        parts = dict(zip(names, np.split(self._even, len(names), axis=1), strict=True))
        q, tau = (
            self._filter(parts["q"], "value", first),
            self._filter(parts["tau"], "value", first),
        )
        qd = self._derivative(parts, first, ("qd", "value"), ("q", "first"))
        qdd = self._derivative(parts, first, ("qdd", "value"), ("qd", "first"), ("q", "second"))
        time: Array = np.asarray(self._begin + self.step * (numbers + self._half), np.float64)
        yield Motion(time, q, qd, qdd, tau, self._turns(parts, first))

    def _turns(self, parts: dict[str, Array], first: int) -> NDArray[np.bool_]:
        """Returns True for each joint and window in which velocities have both signs."""
        size = 2 * self._half
        rates = parts["qd"][:-1] if "qd" in parts else np.diff(parts["q"], axis=0)
        windows = sliding_window_view(rates, size, axis=0)[first :: self._every]
        turns: NDArray[np.bool_] = (windows.min(axis=-1) <= 0) & (windows.max(axis=-1) >= 0)
        return turns

    def _derivative(self, parts: dict[str, Array], first: int, *ways: tuple[str, str]) -> Array:
        """A derivative by the first way whose quantity was recorded."""
        name, kernel = next((name, kernel) for name, kernel in ways if name in parts)
        return self._filter(parts[name], kernel, first)

    def _filter(self, values: Array, kernel: str, first: int) -> Array:
        weights = getattr(self._kernels, kernel)
        found = [np.correlate(column, weights, "valid") for column in values.T]
        return np.stack(found, axis=1)[first :: self._every]
