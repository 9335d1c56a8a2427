"""Sign and constant propagation: x - x vanishes, signs move outwards, constant factors merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robcogen_ros.model.scalars.operation import (
    ADD,
    COS,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    SIN,
    SUBTRACT,
    Operation,
)
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import LimbConstant


def cancel(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """The rule of cancelling."""
    handler = _HANDLERS.get(operation)
    return handler(graph, operands) if handler else None


def _negative(graph: Graph, node: Node) -> Node:
    return graph.operate(NEGATE, (node,))


def _is_constant(node: Node) -> bool:
    return node.literal is not None or type(node.leaf) is LimbConstant


def _begins_negative(constant: Node) -> bool:
    """Returns True if a constant, or the first of several limbs that is not zero, is negative."""
    leaf = constant.leaf
    if isinstance(leaf, LimbConstant):
        return next(value for value in leaf.values if value) < 0
    return constant.literal is not None and constant.literal < 0


def _add(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if b.operation is NEGATE:
        return graph.operate(SUBTRACT, (a, b.operands[0]))
    if a.operation is NEGATE:
        return graph.operate(SUBTRACT, (b, a.operands[0]))
    return None


def _subtract(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if a is b:
        return graph.node(0)
    if b.operation is NEGATE:
        return graph.operate(ADD, (a, b.operands[0]))
    if a.operation is NEGATE:
        return _negative(graph, graph.operate(ADD, (a.operands[0], b)))
    return None


def _negate(graph: Graph, operands: Sequence[Node]) -> Node | None:
    (a,) = operands
    if a.operation is SUBTRACT:
        return graph.operate(SUBTRACT, (a.operands[1], a.operands[0]))
    return a.negated()


def _multiply(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if b.operation is None and _is_constant(b):
        a, b = b, a
    if a.operation is None and _is_constant(a):
        if _begins_negative(a):
            return _negative(graph, graph.operate(MULTIPLY, (_negative(graph, a), b)))
        if b.operation is MULTIPLY and _is_constant(b.operands[0]):
            factor = graph.operate(MULTIPLY, (a, b.operands[0]))
            return graph.operate(MULTIPLY, (factor, b.operands[1]))
    if a.operation is NEGATE:
        return _negative(graph, graph.operate(MULTIPLY, (a.operands[0], b)))
    if b.operation is NEGATE:
        return _negative(graph, graph.operate(MULTIPLY, (b.operands[0], a)))
    return graph.operate(MULTIPLY, (a, b)) if a is not operands[0] else None


def _divide(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if b.literal or type(b.leaf) is LimbConstant:
        inverse = graph.operate(DIVIDE, (graph.node(1), b))
        return graph.operate(MULTIPLY, (inverse, a))
    minus_a, minus_b = a.negated(), b.negated()
    if minus_a is not None:
        return _negative(graph, graph.operate(DIVIDE, (minus_a, b)))
    if minus_b is not None:
        return _negative(graph, graph.operate(DIVIDE, (a, minus_b)))
    return None


def _sine(graph: Graph, operands: Sequence[Node]) -> Node | None:
    minus = operands[0].negated()
    return _negative(graph, graph.operate(SIN, (minus,))) if minus is not None else None


def _cosine(graph: Graph, operands: Sequence[Node]) -> Node | None:
    minus = operands[0].negated()
    return graph.operate(COS, (minus,)) if minus is not None else None


_HANDLERS: dict[Operation, Callable[[Graph, Sequence[Node]], Node | None]] = {
    ADD: _add,
    SUBTRACT: _subtract,
    NEGATE: _negate,
    MULTIPLY: _multiply,
    DIVIDE: _divide,
    SIN: _sine,
    COS: _cosine,
}
