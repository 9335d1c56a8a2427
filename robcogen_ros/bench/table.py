"""Measurements as a table of text, and as data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from robcogen_ros.bench.batch import BatchRow
from robcogen_ros.bench.comparison import OURS, Row
from robcogen_ros.bench.meter import Tail

_HEAD = ("function", "library", "mul", "add", "instr", "hot ns", "x", "cold ns", "x", "bytes")
_HEAD_END = ("compile s",)


def cells(rows: Sequence[Row]) -> Iterator[list[str]]:
    """The cells of each row; `x` tells how many times as long as ours it takes."""
    ours: dict[str, Row] = {}
    for row in rows:
        ours.setdefault(row.function, row)
        first = ours[row.function]
        own = row is first
        yield [
            row.function,
            row.library,
            _count(row.multiplications),
            _count(row.additions),
            _count(row.instructions),
            _nanoseconds(row.hot),
            "" if own else f"{row.hot / first.hot:.1f}",
            _nanoseconds(row.cold),
            "" if own else f"{row.cold / first.cold:.1f}",
            _count(row.bytes),
            "-" if row.compile_seconds is None else f"{row.compile_seconds:.1f}",
        ]


def text(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a table, a function after the other."""
    yield from _columns([[*_HEAD, *_HEAD_END], *cells(rows)])


def markdown(rows: Sequence[Row], robot: str) -> Iterator[str]:
    """Lines of a table in Markdown, without its head; the robot's name first."""
    for line in cells(rows):
        yield f"| {' | '.join([robot, *line])} |"


def markdown_head() -> Iterator[str]:
    """The first two lines of that table."""
    head = ("robot", *_HEAD, *_HEAD_END)
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"


def data(rows: Sequence[Row], robot: str, machine: str, notes: Sequence[str]) -> str:
    """All that was measured, as JSON."""
    everything = {
        "robot": robot,
        "machine": machine,
        "notes": list(notes),
        "rows": [asdict(row) for row in rows],
    }
    return json.dumps(everything, indent=2) + "\n"


TAIL_HEAD = ("median", "99.9 %", "99.999 %", "worst", "over 2x", "switches", "faults", "interrupts")
"""Columns of single calls: nanoseconds, then how many."""


def tail_cells(
    function: str, tails: tuple[Tail, Tail, Tail]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields cells of single calls of a function, and of what has nothing to do with it."""
    names = (function, "  additions that take as long", "  reading the clock alone")
    for name, tail in zip(names, tails, strict=True):
        times = (tail.median, tail.most, tail.nearly_all, tail.worst)
        counts = (tail.late, tail.switches, tail.faults)
        interrupts = "-" if tail.interrupts < 0 else str(tail.interrupts)
        yield name, (*(f"{time:.0f}" for time in times), *map(str, counts), interrupts)


def tail_lines(function: str, tails: tuple[Tail, Tail, Tail]) -> Iterator[str]:
    """Lines of text of these."""
    for name, cells in tail_cells(function, tails):
        yield f"{name:36}" + "".join(cell.rjust(11) for cell in cells)


def tail_head() -> str:
    """Returns the line above those lines."""
    return f"{'ns of a single call':36}" + "".join(word.rjust(11) for word in TAIL_HEAD)


def batch_lines(rows: Sequence[BatchRow]) -> Iterator[str]:
    """Lines of a table of many states a call; `x` tells how often ours fits into a single call."""
    sets = list(dict.fromkeys(name for row in rows for name in row.states))
    head = ["function", "one call", "ns", *(word for name in sets for word in (f"{name} ns", "x"))]
    lines = [head]
    for row in rows:
        for library, single in ((OURS, row.single), *row.theirs.items()):
            cells = (
                text
                for each in (row.states[name] for name in sets)
                for text in (_nanoseconds(each), f"{single / each:.1f}")
            )
            lines.append([row.function, library, _nanoseconds(single), *cells])
    yield from _columns(lines)


def _columns(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines in columns, an empty one before each whose first cell is another; that is told once."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    before = ""
    for line in lines:
        if before not in ("", line[0]):
            yield ""
        shown = ["" if line[0] == before else line[0], *line[1:]]
        before = line[0]
        yield "  ".join(_aligned(shown, widths)).rstrip()


def _aligned(line: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for i, (cell, width) in enumerate(zip(line, widths, strict=True)):
        yield cell.ljust(width) if i < 2 else cell.rjust(width)


def _count(value: int | None) -> str:
    return "-" if value is None else str(value)


def _nanoseconds(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"
