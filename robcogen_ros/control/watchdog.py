"""Noticing that something has stopped coming."""

from __future__ import annotations

import math


class Watchdog:
    """Expires when it has not been fed for `timeout` seconds; never before its first feeding."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._fed = math.inf

    def feed(self, now: float) -> None:
        """What is watched has come."""
        self._fed = now

    def expired(self, now: float) -> bool:
        """Whether it has been away for too long; a timeout of zero never expires."""
        return self.timeout > 0 and now - self._fed > self.timeout
