"""Measurements of a run: histograms of times, and what must not happen in a loop."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Histogram:
    """Histogram of times.

    Attributes:
        bins: First and last time [ns] of each bin, and how many were in it, from short to long.
        total: How many there were.
        mean: Their mean [ns].
        worst: The longest [ns].
    """

    bins: tuple[tuple[int, int, int], ...]
    total: int
    mean: float
    worst: int

    @classmethod
    def of(cls, data: dict[str, Any]) -> Histogram:
        """Returns the histogram that the program printed."""
        bins = tuple((first, last, count) for first, last, count in data["bins"])
        return cls(bins, data["total"], data["sum"] / max(1, data["total"]), data["worst"])

    def quantile(self, share: float) -> int | None:
        """A time [ns] that this share of all did not exceed; None where they are too few to tell.

        It is the upper end of a bin, so never less than the true one, and at most 1/64 more.
        """
        if self.total * (1 - share) < 1 - 1e-9:
            return None
        seen = 0
        for _, last, count in self.bins:
            seen += count
            if seen >= share * self.total:
                return min(last, self.worst)
        return self.worst

    def between(self, low: float, high: float) -> int:
        """Returns the number of times in [low, high) [ns], by the lower ends of their bins."""
        return sum(count for first, _, count in self.bins if low <= first < high)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Measurements of a run.

    Attributes:
        wake_up: From when a cycle was due to when it began.
        execution: Of the control law.
        simulation: Of the simulated robot.
        missed: Cycles that did not run, for the one before was not done.
        page_faults: Of the thread of the loop.
        allocations: Calls of the allocator in the loop; None where they cannot be counted.
        migrations: How often the loop moved to another CPU.
        preemptions: How often it was made to wait.
        tracking_error: Largest error of a joint [rad or m]; None if the motion ran away.
        fifo: Whether SCHED_FIFO was granted.
        pinned: Whether the loop was kept on one CPU.
        locked: Whether memory was locked.
        awake: Whether CPUs were kept from deep sleep.
        notes: What was not granted, and what to do about it.
    """

    wake_up: Histogram
    execution: Histogram
    simulation: Histogram
    missed: int
    page_faults: int
    allocations: int | None
    migrations: int
    preemptions: int
    tracking_error: float | None
    fifo: bool
    pinned: bool
    locked: bool
    awake: bool
    notes: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Outcome:
        """Returns the measurements that the program printed."""
        data = json.loads(text)
        for name in ("wake_up", "execution", "simulation"):
            data[name] = Histogram.of(data[name])
        return cls(**{**data, "notes": tuple(data["notes"])})
