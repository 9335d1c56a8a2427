"""Running a loop at a fixed rate without drifting from the clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Statistics:
    """Punctuality of a loop.

    Attributes:
        cycles: Cycles that were run.
        missed: Deadlines that passed without a cycle.
        worst: Greatest lateness of a cycle [s].
    """

    cycles: int = 0
    missed: int = 0
    worst: float = 0.0


class Pacer:
    """Absolute deadlines, one period apart; those that cannot be met any more are counted."""

    def __init__(
        self,
        period: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.statistics = Statistics()
        self._period = period
        self._clock = clock
        self._sleep = sleep
        self._start = clock()
        self._deadline = 0

    def wait(self) -> int:
        """Waits for the next deadline; returns the periods since the last: 1 if none was missed."""
        last, self._deadline = self._deadline, self._deadline + 1
        now = (self._clock() - self._start) / self._period
        if now < self._deadline:
            self._sleep((self._deadline - now) * self._period)
            now = (self._clock() - self._start) / self._period
        self._deadline = max(self._deadline, math.floor(now))
        elapsed = self._deadline - last
        self.statistics.cycles += 1
        self.statistics.missed += elapsed - 1
        late = (now - (last + 1)) * self._period
        self.statistics.worst = max(self.statistics.worst, late)
        return elapsed


class Unpaced:
    """A loop that runs as fast as it can; see Pacer."""

    def __init__(self) -> None:
        self.statistics = Statistics()

    def wait(self) -> int:
        """Waits for nothing."""
        self.statistics.cycles += 1
        return 1
