"""Keeps the log from being told the same again and again."""

from __future__ import annotations

import time


class Throttle:
    """Lets each text pass once in a while, and few different ones in that time.

    The throttle of rclpy's loggers counts what one line of code says, whatever it says.
    """

    def __init__(self, seconds: float = 2.0, most: int = 5) -> None:
        """Begins with nothing told.

        Args:
            seconds: Least time between equal texts [s].
            most: Different texts in that time; more are not told.
        """
        self._seconds, self._most = seconds, most
        self._told: dict[str, float] = {}

    def passes(self, text: str) -> bool:
        """Returns True if a text is to be told now."""
        now = time.monotonic()
        self._told = {t: at for t, at in self._told.items() if now - at < self._seconds}
        if text in self._told or len(self._told) >= self._most:
            return False
        self._told[text] = now
        return True
