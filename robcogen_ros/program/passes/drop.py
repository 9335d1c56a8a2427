"""Dropping: statements and calls that no output needs disappear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from robcogen_ros.program.graph import Node, Result
from robcogen_ros.program.program import Block, Program, Region


def drop(program: Program, outputs: Sequence[str] | None = None) -> Program:
    """The program without what its outputs, or the named ones of them, do not need."""
    kept = tuple(o for o in program.outputs if outputs is None or o.argument.name in outputs)
    live = {node for output in kept for node in output.nodes}
    regions = _results(live)
    whole = program.is_straight_line
    body: list[Region] = []
    for region in reversed(program.body):
        if isinstance(region, Block):
            statements = []
            for statement in reversed(region.statements):
                node = statement.node
                if node in live:
                    statements.append(statement)
                    live.update(node.operands)
                    if not whole:
                        regions |= _results(node.operands)
            body.append(Block(tuple(reversed(statements))))
        elif region.number in regions:
            live.update(region.nodes())
            regions |= _results(region.nodes())
            body.append(region)
    return replace(program, outputs=kept, body=tuple(reversed(body)))


def _results(nodes: Iterable[Node]) -> set[int]:
    """The calls and loops that nodes are results of."""
    return {node.leaf.region for node in nodes if isinstance(node.leaf, Result)}
