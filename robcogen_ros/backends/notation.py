"""Expressions as text: infix operators with as few parentheses as the language needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from robcogen_ros.model.scalars.operation import NEGATE, SUBTRACT, Operation
from robcogen_ros.program.graph import Node


@dataclass(frozen=True, slots=True)
class Dialect:
    """Differences of a language from the usual notation.

    Attributes:
        literal: Text of a constant.
        functions: Names of functions that are called otherwise than the operation.
    """

    literal: Callable[[Decimal], str]
    functions: Mapping[str, str] = field(default_factory=dict)


def text(node: Node, names: Mapping[Node, str], dialect: Dialect) -> str:
    """The expression of a node: operands that have names by name, others written out."""
    assert node.operation is not None
    return _operation(node, node.operation, names, dialect)


def operand(node: Node, names: Mapping[Node, str], dialect: Dialect) -> str:
    """A node as it stands inside expressions, without parentheses."""
    return _operand(node, names, dialect)[0]


def _operation(
    node: Node, operation: Operation, names: Mapping[Node, str], dialect: Dialect
) -> str:
    if not operation.symbol:
        function = dialect.functions.get(operation.name, operation.name)
        parts = [_operand(child, names, dialect)[0] for child in node.operands]
        return f"{function}({', '.join(parts)})"
    left, precedence = _operand(node.operands[0], names, dialect)
    if precedence < operation.precedence:
        left = f"({left})"
    if operation.arity == 1:
        return operation.symbol + left
    right, precedence = _operand(node.operands[1], names, dialect)
    if precedence <= operation.precedence:  # keeps the order of evaluation
        right = f"({right})"
    return f"{left} {operation.symbol} {right}"


def _operand(node: Node, names: Mapping[Node, str], dialect: Dialect) -> tuple[str, int]:
    """Text and precedence."""
    name = names.get(node)
    if name is not None:
        return name, 9
    if node.literal is not None:
        text = dialect.literal(node.literal)
        return text, NEGATE.precedence if text.startswith("-") else 9
    assert node.operation is not None
    precedence = node.operation.precedence if node.operation.symbol else 9
    return _operation(node, node.operation, names, dialect), precedence


def wrapped(line: str, indent: str, width: int = 100) -> str:
    """A line broken before operators where it would be too wide."""
    if len(line) <= width:
        return line
    head, rest, lines = "", line, []
    while len(head) + len(rest) > width:
        cut = _last_break(rest, width - len(head))
        if cut is None:
            break
        lines.append(head + rest[:cut].rstrip())
        head, rest = indent, rest[cut:]
    return "\n".join([*lines, head + rest])


def _last_break(line: str, width: int) -> int | None:
    """Returns the place of the last operator within the width; None if there is none."""
    found = None
    for symbol in (" + ", f" {SUBTRACT.symbol} ", " * ", " / "):
        at = line.rfind(symbol, 20, width - 2)
        if at > 0 and (found is None or at > found):
            found = at + 1
    return found
