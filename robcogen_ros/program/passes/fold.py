"""Folding: operations on constants are computed; 0 and 1 leave or absorb the other operand."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.model.operation import ADD, DIVIDE, MULTIPLY, NEGATE, SUBTRACT, Operation
from robcogen_ros.program.graph import Graph, Literal, Node


def fold(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """The rule of folding."""
    first, last = operands[0].literal, operands[-1].literal
    if first is None and last is None:
        return None
    values = [operand.literal for operand in operands]
    if None not in values:
        return graph.leaf(Literal(operation.exact(*values)))
    neutral = _NEUTRAL.get(operation)
    return neutral(graph, operands) if neutral else None


def _add(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    return b if a.literal == 0 else a if b.literal == 0 else None


def _subtract(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if b.literal == 0:
        return a
    return graph.operate(NEGATE, [b]) if a.literal == 0 else None


def _multiply(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if a.literal == 0 or b.literal == 1:
        return a
    if b.literal == 0 or a.literal == 1:
        return b
    return None


def _divide(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    return a if a.literal == 0 or b.literal == 1 else None


_NEUTRAL = {ADD: _add, SUBTRACT: _subtract, MULTIPLY: _multiply, DIVIDE: _divide}
