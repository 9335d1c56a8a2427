"""Efforts that come up slowly when control begins."""

from __future__ import annotations

LONGEST_STEP = 0.02
"""How far one cycle may bring it on [s]: a pause does not make up for cycles that did not come."""


class Ramp:
    """Which part of the efforts beyond gravity's is given: from 0 at the start to 1."""

    def __init__(self, duration: float) -> None:
        """Begins at the start.

        Args:
            duration: How long it takes [s]; 0: no time at all.
        """
        self._duration = duration
        self._share = 0.0
        self._last: float | None = None

    def restart(self) -> None:
        """Begins anew."""
        self._share = 0.0
        self._last = None

    def share(self, now: float) -> float:
        """The part at a time [s]."""
        passed = 0.0 if self._last is None else min(max(now - self._last, 0.0), LONGEST_STEP)
        self._last = now
        rise = passed / self._duration if self._duration > 0 else 1.0
        self._share = min(1.0, self._share + rise)
        return self._share
