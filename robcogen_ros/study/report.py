"""Failures of a study, reported at its end."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import Location
from robcogen_ros.study.table import Table
from robcogen_ros.study.work import Failure

_MOST = 5
"""Kinds of failures that are told."""


def failures(table: Table, script: str) -> Iterator[str]:
    """Yields the number of points that failed, and each line's first traceback."""
    if not table.failures:
        return
    first: dict[tuple[int, str], tuple[int, Failure]] = {}
    for index, failure in sorted(table.failures.items()):
        known = first.setdefault(_kind(failure), (index, failure))
        if not known[1].traceback and failure.traceback:
            first[_kind(failure)] = index, failure
    for index, failure in [*first.values()][:_MOST]:
        count = sum(_kind(other) == _kind(failure) for other in table.failures.values())
        where = f"{Location(script, failure.line)}: " if failure.line else ""
        at = f"at {table.points.described(index)}"
        yield f"{where}error: {failure.message} ({at}; {count} of {len(table.points)} points)"
        if failure.traceback:
            yield failure.traceback
    yield (
        f"{len(table.failures)} of {len(table.points)} points have no results: see the column "
        "error; the same command tries them again"
    )


def _kind(failure: Failure) -> tuple[int, str]:
    """Returns a key that alike failures share: the line, and what was raised."""
    return failure.line, failure.message.partition(":")[0]
