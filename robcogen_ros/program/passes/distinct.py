"""Each entry of the outputs once: those that are alike, or constants, are told by their places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from robcogen_ros.program.graph import Node
from robcogen_ros.program.program import Output, Program


@dataclass(frozen=True, slots=True)
class Distinct:
    """A program whose outputs have no two entries alike, and what the entries were.

    Values are counted from the constants on: first these, then all that the outputs have.

    Attributes:
        program: The program; its outputs are vectors.
        constants: Entries that are constants, each once.
        first: For each output, which value its first entry is.
        places: For each output, which value each entry of the matrix it was is.
    """

    program: Program
    constants: tuple[Decimal, ...]
    first: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.constants) + sum(o.argument.size for o in self.program.outputs)


def in_order(first: int, count: int) -> tuple[int, ...]:
    """The places of entries that follow one another."""
    return tuple(range(first, first + count))


def distinct(program: Program) -> Distinct:
    """The program with each entry of its outputs once."""
    everything = [node for output in program.outputs for node in output.nodes]
    constants = tuple(dict.fromkeys(n.literal for n in everything if n.literal is not None))
    of_constant = {value: i for i, value in enumerate(constants)}
    outputs, first, places = [], [], []
    size = len(constants)
    for output in program.outputs:
        nodes = tuple(dict.fromkeys(node for node in output.nodes if node.literal is None))
        place = {node: size + i for i, node in enumerate(nodes)}
        outputs.append(Output(replace(output.argument, rows=len(nodes), columns=None), nodes))
        first.append(size)
        places.append(tuple(_place(node, place, of_constant) for node in output.nodes))
        size += len(nodes)
    return Distinct(
        replace(program, outputs=tuple(outputs)), constants, tuple(first), tuple(places)
    )


def _place(node: Node, place: dict[Node, int], of_constant: dict[Decimal, int]) -> int:
    return place[node] if node.literal is None else of_constant[node.literal]
