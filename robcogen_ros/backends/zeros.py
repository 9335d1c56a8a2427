"""Entries of outputs that are always zero, and so are set to zero together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from robcogen_ros.backends.rows import Rows
from robcogen_ros.program.program import Program

_MANY = 120
"""Number of zeros of an output from which on, a quarter of its entries at least, all entries
are set to zero at once where the program begins; for fewer, that takes longer where caches are
empty."""


@dataclass(frozen=True, slots=True)
class Zeros:
    """Entries that are set to zero where a program begins.

    Attributes:
        output: The output.
        first: The first entry.
        count: How many entries.
    """

    output: str
    first: int
    count: int

    def entries(self) -> Iterator[tuple[str, int]]:
        """The entries."""
        for i in range(self.count):
            yield self.output, self.first + i


def whole_outputs(program: Program) -> Iterator[Zeros]:
    """Outputs with many entries that are always zero: all their entries."""
    for output in program.outputs:
        zeros = sum(node.structurally_zero for node in output.nodes)
        if zeros >= max(_MANY, len(output.nodes) / 4):
            yield Zeros(output.argument.name, 0, len(output.nodes))


def runs(program: Program, rows: Sequence[Rows]) -> Iterator[Zeros]:
    """Entries that are always zero, those together that follow one another.

    Args:
        program: The program.
        rows: What is written in rows, some with a zero behind.
    """
    behind = {zero for each in rows for zero in each.zeros()}
    for output in program.outputs:
        name = output.argument.name
        first = 0
        for i in range(len(output.nodes) + 1):
            ends = i == len(output.nodes) or not output.nodes[i].structurally_zero
            if ends or (name, i) in behind:
                if i - first > 1:
                    yield Zeros(name, first, i - first)
                first = i + 1
