"""Gathering: what was taken away comes back, and equal factors of constants are one.

(a - b) + b = a;  k1 x + k2 x = (k1 + k2) x for constants k, or what parameters alone make.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.model.operation import ADD, MULTIPLY, NEGATE, SUBTRACT, Operation
from robcogen_ros.program.graph import Graph, Node, Stage


def gather(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """The rule of gathering."""
    if operation is ADD:
        return _returned(*operands) or _common(graph, operation, *operands)
    if operation is SUBTRACT:
        return _left_over(graph, *operands) or _common(graph, operation, *operands)
    return None


def _returned(a: Node, b: Node) -> Node | None:
    """(x - b) + b = x, either way round."""
    for whole, part in ((a, b), (b, a)):
        if whole.operation is SUBTRACT and whole.operands[1] is part:
            return whole.operands[0]
    return None


def _left_over(graph: Graph, a: Node, b: Node) -> Node | None:
    """(x + b) - b = x; (b - x) - b = -x; a - (a + x) = -x; a - (a - x) = x."""
    if a.operation is ADD and b in a.operands:
        return _other(a, b)
    if b.operation is ADD and a in b.operands:
        return graph.operate(NEGATE, [_other(b, a)])
    if a.operation is SUBTRACT and a.operands[0] is b:
        return graph.operate(NEGATE, [a.operands[1]])
    if b.operation is SUBTRACT and b.operands[0] is a:
        return b.operands[1]
    return None


def _other(total: Node, part: Node) -> Node:
    """The second of two summands."""
    first, second = total.operands
    return second if first is part else first


def _common(graph: Graph, operation: Operation, a: Node, b: Node) -> Node | None:
    """The sum or difference of two multiples of one node."""
    (k, x), (m, y) = _multiple(graph, a), _multiple(graph, b)
    if x is not y or x.stage <= Stage.PARAMETERS:
        return None
    return graph.operate(MULTIPLY, [graph.operate(operation, [k, m]), x])


def _multiple(graph: Graph, node: Node) -> tuple[Node, Node]:
    """The k and x of a node k x, k known before the state is; k = 1 of any other node."""
    if node.operation is MULTIPLY:
        a, b = node.operands
        for k, x in ((a, b), (b, a)):
            if k.stage <= Stage.PARAMETERS < x.stage:
                return k, x
    return graph.node(1), node
