"""The block of constants that a parametric robot's functions read: names and default values."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.model.scalars.expression import Parameter
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import CONSTANTS, Literal, ParameterValue
from robcogen_ros.program.program import Program


def constant_labels(update: Program) -> dict[tuple[str, int], str]:
    """Returns the names in code of the entries of the block, which the algorithms give.

    Args:
        update: The program that fills the block.
    """
    names = {statement.node: statement.name for statement in update.statements()}
    labels = {}
    for index, node in enumerate(update.outputs[0].nodes):
        leaf = node.leaf
        name = leaf.name if isinstance(leaf, ParameterValue) else names.get(node)
        labels[CONSTANTS, index] = name or f"constant_{index}"
    return labels


def default_constants(
    update: Program, parameters: tuple[Parameter, ...]
) -> tuple[Decimal | None, ...]:
    """The block at the parameters' defaults; None where one has none, or the result no value.

    Args:
        update: The program that fills the block.
        parameters: The robot's parameters.
    """
    defaults = {parameter.name: parameter.default for parameter in parameters}
    values: dict[Node, Decimal | None] = {}

    def value(node: Node) -> Decimal | None:
        if isinstance(node.leaf, Literal):
            return node.leaf.value
        if isinstance(node.leaf, ParameterValue):
            return defaults[node.leaf.name]
        return values[node]

    for statement in update.statements():
        operation = statement.node.operation
        assert operation is not None
        operands = [value(operand) for operand in statement.node.operands]
        try:
            values[statement.node] = None if None in operands else operation.exact(*operands)
        except (ArithmeticError, ValueError):
            values[statement.node] = None
    return tuple(value(node) for node in update.outputs[0].nodes)
