"""Constant folding: operations on constants are computed; 0 and 1 leave or absorb operands.

Constants of limbs of equal shape are computed for all limbs at once: what is zero for some of them
only stays a number, so that all take the same operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from robcogen_ros.model.scalars.number import ONE
from robcogen_ros.model.scalars.operation import (
    ADD,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    SELECT,
    SUBTRACT,
    Operation,
)
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import LimbConstant


def fold(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """The rule of folding."""
    if operation is SELECT:
        return _select(graph, operands)
    first, last = operands[0], operands[-1]
    if first.operation is not None and last.operation is not None:
        return None
    if first.literal is not None and last.literal is not None:
        return graph.constant(operation.exact(*[operand.literal for operand in operands]))
    if first.operation is None and last.operation is None:
        constant = _of_limbs(graph, operation, operands)
        if constant is not None:
            return constant
    if first.literal is None and last.literal is None:
        return None
    neutral = _NEUTRAL.get(operation)
    return neutral(graph, operands) if neutral else None


def _of_limbs(graph: Graph, operation: Operation, operands: Sequence[Node]) -> Node | None:
    """An operation on constants of limbs; constants of several limbs give a plain number."""
    leaves = []
    for operand in operands:
        if type(operand.leaf) is not LimbConstant and operand.literal is None:
            return None
        leaves.append(operand.leaf)
    limbs = {(leaf.group, leaf.limb) for leaf in leaves if isinstance(leaf, LimbConstant)}
    if len(limbs) > 1:
        return graph.constant(operation.exact(*(_own(operand) for operand in operands)))
    count = max(len(leaf.values) for leaf in leaves if isinstance(leaf, LimbConstant))
    rows = [
        leaf.values if isinstance(leaf, LimbConstant) else (operand.literal,) * count
        for leaf, operand in zip(leaves, operands, strict=True)
    ]
    values = tuple(operation.exact(*row) for row in zip(*rows, strict=True))
    ((group, limb),) = limbs
    return graph.limb_constant(group, values, limb)


def _own(constant: Node) -> Decimal | None:
    """The value of a constant, of a limb's the limb's own."""
    leaf = constant.leaf
    return leaf.values[leaf.limb] if isinstance(leaf, LimbConstant) else constant.literal


def _is_zero(node: Node) -> bool:
    return node.literal is not None and not node.literal


def _is_one(node: Node) -> bool:
    return node.literal is not None and node.literal == ONE


def _add(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    return b if _is_zero(a) else a if _is_zero(b) else None


def _subtract(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if _is_zero(b):
        return a
    return graph.operate(NEGATE, (b,)) if _is_zero(a) else None


def _multiply(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    if _is_zero(a) or _is_one(b):
        return a
    return b if _is_zero(b) or _is_one(a) else None


def _divide(graph: Graph, operands: Sequence[Node]) -> Node | None:
    a, b = operands
    return a if _is_zero(a) or _is_one(b) else None


def _select(graph: Graph, operands: Sequence[Node]) -> Node | None:
    condition, first, second = operands
    if first is second:
        return first
    if condition.literal is None:
        return None
    return first if condition.literal >= 0 else second


_NEUTRAL = {ADD: _add, SUBTRACT: _subtract, MULTIPLY: _multiply, DIVIDE: _divide}
