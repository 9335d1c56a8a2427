"""Single calls, the longest of a million: `robcogen bench --tail` over robots."""

from __future__ import annotations

from collections.abc import Iterator

from bench.batch import ROBOTS
from robcogen_ros.bench.comparison import Comparison
from robcogen_ros.bench.measured import FUNCTIONS
from robcogen_ros.bench.meter import Tail

CALLS = 1_000_000

_FUNCTIONS = [f for f in FUNCTIONS if not (f.derivative or f.entries)]


def rows() -> Iterator[tuple[str, str, tuple[Tail, Tail, Tail]]]:
    """Robot, function, and what single calls take, as `Meter.tail` tells."""
    for subject in ROBOTS:
        for function, tails in Comparison(subject.read(), []).tails(_FUNCTIONS, CALLS):
            yield subject.title, function, tails
