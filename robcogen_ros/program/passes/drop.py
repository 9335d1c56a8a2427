"""Dropping: statements and calls that no output needs disappear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from robcogen_ros.program.graph import Node, Result
from robcogen_ros.program.program import Block, Program, Region


def drop(program: Program, outputs: Sequence[str] | None = None) -> Program:
    """The program without what its outputs, or the named ones of them, do not need."""
    kept = tuple(o for o in program.outputs if outputs is None or o.argument.name in outputs)
    live: set[Node] = set()
    regions: set[int] = set()
    _need((node for output in kept for node in output.nodes), live, regions)
    body: list[Region] = []
    for region in reversed(program.body):
        if isinstance(region, Block):
            statements = []
            for statement in reversed(region.statements):
                if statement.node in live:
                    statements.append(statement)
                    _need(statement.node.operands, live, regions)
            body.append(Block(tuple(reversed(statements))))
        elif region.number in regions:
            _need(region.nodes(), live, regions)
            body.append(region)
    return replace(program, outputs=kept, body=tuple(reversed(body)))


def _need(nodes: Iterable[Node], live: set[Node], regions: set[int]) -> None:
    for node in nodes:
        live.add(node)
        if isinstance(node.leaf, Result):
            regions.add(node.leaf.region)
