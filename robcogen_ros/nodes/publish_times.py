"""Times at which transforms are due, at most at a rate, by the stamps of joint states."""

from __future__ import annotations

from collections.abc import Sequence


class PublishTimes:
    """The times of the last states that were published, joint by joint, as integers [ns].

    Attributes:
        interval: Least time between two published states of a joint [ns].
        always: Whether all states are due, whatever their time.
    """

    def __init__(self, interval: int = 0, always: bool = False) -> None:
        self.interval = interval
        self.always = always
        self._now = 0
        self._published: dict[str, int] = {}

    def jumped_back(self, now: int) -> bool:
        """Returns True if the clock went back since the last state; all joints are due then."""
        back = now < self._now
        self._now = now
        if back:
            self._published.clear()
        return back

    def due(self, names: Sequence[str], stamp: int) -> bool:
        """Returns True if a state is due for some of its joints; all then count as published.

        Args:
            names: The joints of the state.
            stamp: Its time. Times of earlier states that lie ahead of the clock count as its now.
        """
        published = self._published
        if not self.always:
            last = min((published.get(name, 0) for name in names), default=self._now)
            if stamp < min(last, self._now) + self.interval:
                return False
        published.update(dict.fromkeys(names, stamp))
        return True


def interval(frequency: float) -> int:
    """Least time between two states at a frequency [Hz], in ns; 0 stands for no limit."""
    return round(1e9 / frequency) if frequency > 0 else 0
