"""The reference backend: a program evaluated with NumPy, over any batch of states, or exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import Operation
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import (
    Input,
    Leaf,
    LimbConstant,
    Literal,
    PackedConstant,
    PackedInput,
    ParameterValue,
)
from robcogen_ros.program.program import Program

Array = NDArray[np.float64]
Values = Mapping[str, Sequence[Any]]


def interpret(
    program: Program, inputs: Values, parameters: Mapping[str, float] | None = None
) -> dict[str, list[Any]]:
    """The entries of each output.

    Args:
        program: The program.
        inputs: For each input, its entries: floats or arrays of one shape; floats where limbs are
            side by side.
        parameters: Values of the robot's parameters, by name.

    Returns:
        For each output, its entries, column-major: floats or arrays.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return _Run(_DOUBLE, inputs, parameters or {}).run(program)


def interpret_exactly(
    program: Program,
    inputs: Mapping[str, Sequence[Decimal]],
    parameters: Mapping[str, Decimal] | None = None,
) -> dict[str, list[Decimal]]:
    """The entries of each output, computed with 50 digits.

    Args:
        program: The program.
        inputs: For each input, its entries.
        parameters: Values of the robot's parameters, by name.

    Returns:
        For each output, its entries, column-major.

    Raises:
        ArithmeticError: If it divides by zero.
        ValueError: If it takes the square root of a negative number.
    """
    return _Run(_EXACT, inputs, parameters or {}).run(program)


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """Arithmetic of an interpreter: its constants, and its functions of operations."""

    constant: Callable[[Decimal], Any]
    function: Callable[[Operation], Callable[..., Any]]


_DOUBLE = _Arithmetic(number.to_float, attrgetter("numeric"))
_EXACT = _Arithmetic(number.number, attrgetter("exact"))


class _Run:
    """One evaluation of a program."""

    def __init__(
        self,
        arithmetic: _Arithmetic,
        inputs: Values,
        parameters: Mapping[str, Any],
    ) -> None:
        self._arithmetic = arithmetic
        self._inputs = inputs
        self._parameters = parameters
        self._values: dict[Node, Any] = {}

    def run(self, program: Program) -> dict[str, list[Any]]:
        values, value, function = self._values, self._value, self._arithmetic.function
        for statement in program.statements():
            node = statement.node
            assert node.operation is not None
            values[node] = function(node.operation)(*[value(o) for o in node.operands])
        return {
            output.argument.name: [self._value(node) for node in output.nodes]
            for output in program.outputs
        }

    def _value(self, node: Node) -> Any:
        known = self._values.get(node)
        if known is None:
            assert node.leaf is not None
            known = self._values[node] = self._leaf(node.leaf)
        return known

    def _leaf(self, leaf: Leaf) -> Any:
        if isinstance(leaf, Literal):
            return self._arithmetic.constant(leaf.value)
        if isinstance(leaf, Input):
            return self._inputs[leaf.name][leaf.index]
        if isinstance(leaf, ParameterValue):
            return self._parameters[leaf.name]
        if isinstance(leaf, LimbConstant):
            return self._arithmetic.constant(leaf.values[leaf.limb])
        if isinstance(leaf, PackedConstant):
            return np.array([self._arithmetic.constant(value) for value in leaf.values])
        assert isinstance(leaf, PackedInput), "what belongs to steps of sweeps is not for programs"
        return np.array([self._inputs[leaf.name][index] for index in leaf.indices])
