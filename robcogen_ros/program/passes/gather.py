"""Gathering: what was taken away comes back, equal factors of constants are one, constants meet.

(a - b) + b = a;  k1 x + k2 x = (k1 + k2) x for constants k, or what parameters alone make;
k1 + (k2 + x) = (k1 + k2) + x.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.model.operation import ADD, MULTIPLY, NEGATE, SUBTRACT, Operation
from robcogen_ros.program.graph import Graph, Node, Stage

_EARLY = Stage.PARAMETERS
"""The last stage before the state is known."""


def gather(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """The rule of gathering."""
    if operation is not ADD and operation is not SUBTRACT:
        return None
    a, b = operands
    simpler = _returned(a, b) if operation is ADD else _left_over(graph, a, b)
    if simpler is None and (a is b or a.operation is MULTIPLY or b.operation is MULTIPLY):
        simpler = _common(graph, operation, a, b)
    if simpler is None and (a.literal is None) is not (b.literal is None):
        simpler = _met(graph, operation, a, b)
    return simpler


def _returned(a: Node, b: Node) -> Node | None:
    """(x - b) + b = x, either way round."""
    if a.operation is SUBTRACT and a.operands[1] is b:
        return a.operands[0]
    if b.operation is SUBTRACT and b.operands[1] is a:
        return b.operands[0]
    return None


def _left_over(graph: Graph, a: Node, b: Node) -> Node | None:
    """(x + b) - b = x; (b - x) - b = -x; a - (a + x) = -x; a - (a - x) = x."""
    if a.operation is ADD and b in a.operands:
        return _other(a, b)
    if b.operation is ADD and a in b.operands:
        return graph.operate(NEGATE, (_other(b, a),))
    if a.operation is SUBTRACT and a.operands[0] is b:
        return graph.operate(NEGATE, (a.operands[1],))
    if b.operation is SUBTRACT and b.operands[0] is a:
        return b.operands[1]
    return None


def _other(total: Node, part: Node) -> Node:
    """The second of two summands."""
    first, second = total.operands
    return second if first is part else first


def _common(graph: Graph, operation: Operation, a: Node, b: Node) -> Node | None:
    """The sum or difference of two multiples of one node."""
    (k, x), (m, y) = _multiple(a), _multiple(b)
    if x is not y or x.stage <= _EARLY:
        return None
    one = graph.node(1)
    factor = graph.operate(operation, (k or one, m or one))
    return graph.operate(MULTIPLY, (factor, x))


def _met(graph: Graph, operation: Operation, a: Node, b: Node) -> Node | None:
    """A number and a sum with a number in it, either way round: a sum with one number.

    Constants of limbs stay where they are, so that limbs remain alike.
    """
    first = a.literal is not None
    m, sign, x = _constant_part(graph, b if first else a)
    if m is None:
        return None
    if not first:
        return graph.operate(sign, (graph.operate(operation, (m, b)), x))
    if operation is SUBTRACT:
        sign = ADD if sign is SUBTRACT else SUBTRACT
    return graph.operate(sign, (graph.operate(operation, (a, m)), x))


def _constant_part(graph: Graph, node: Node) -> tuple[Node | None, Operation, Node]:
    """The m, operation and x of a sum m + x or difference m - x; no m of any other node."""
    if node.operation is ADD or node.operation is SUBTRACT:
        a, b = node.operands
        if a.literal is not None:
            return a, node.operation, b
        if b.literal is not None:
            return b if node.operation is ADD else graph.operate(NEGATE, (b,)), ADD, a
    return None, ADD, node


def _multiple(node: Node) -> tuple[Node | None, Node]:
    """The k and x of a node k x, k known before the state is; no k of any other node."""
    if node.operation is MULTIPLY:
        a, b = node.operands
        if a.stage <= _EARLY < b.stage:
            return a, b
        if b.stage <= _EARLY < a.stage:
            return b, a
    return None, node
