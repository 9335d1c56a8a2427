"""Noticing that something has stopped coming."""

from __future__ import annotations


class Watchdog:
    """Expires when it has not been fed for a while; never before its first feeding.

    Time counts only while it is looked at: a process that was itself suspended does not blame the
    others.

    Attributes:
        timeout: How long it waits [s]; zero waits for ever.
        period: How often it is looked at [s].
    """

    def __init__(self, timeout: float, period: float) -> None:
        self.timeout = timeout
        self.period = period
        self._waited: float | None = None
        self._looked = 0.0

    def feed(self) -> None:
        """What is watched has come."""
        self._waited = 0.0

    def expired(self, now: float) -> bool:
        """Whether it has been away for too long."""
        passed = min(max(now - self._looked, 0.0), 1.5 * self.period)
        self._looked = now
        if self._waited is None or self.timeout <= 0:
            return False
        self._waited += passed
        return self._waited > self.timeout
