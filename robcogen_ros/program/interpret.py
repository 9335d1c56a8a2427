"""The reference backend: a program evaluated with NumPy, over any batch of states, or exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model import number
from robcogen_ros.model.operation import Operation
from robcogen_ros.program.graph import (
    Input,
    Leaf,
    LimbConstant,
    Literal,
    Node,
    PackedConstant,
    PackedInput,
    ParameterValue,
    TableEntry,
)
from robcogen_ros.program.program import Block, Call, Loop, Program, Region

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
    return _Run(_DOUBLE, inputs, parameters or {}, {}).run(program)


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
    return _Run(_EXACT, inputs, parameters or {}, {}).run(program)


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """How constants enter, and which of an operation's functions computes."""

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
        tables: Mapping[str, Sequence[Any]],
    ) -> None:
        self._arithmetic = arithmetic
        self._inputs = inputs
        self._parameters = parameters
        self._tables = tables
        self._values: dict[Node, Any] = {}
        self._results: dict[tuple[int, int, str, int], Any] = {}

    def run(self, program: Program) -> dict[str, list[Any]]:
        for region in program.body:
            self._region(region)
        return {
            output.argument.name: [self._value(node) for node in output.nodes]
            for output in program.outputs
        }

    def _region(self, region: Region) -> None:
        if isinstance(region, Block):
            values, value, function = self._values, self._value, self._arithmetic.function
            for statement in region.statements:
                node = statement.node
                assert node.operation is not None
                values[node] = function(node.operation)(*[value(o) for o in node.operands])
        elif isinstance(region, Call):
            for k, instance in enumerate(region.instances):
                self._keep(region, k, self._evaluate(region, instance, k))
        else:
            self._loop(region)

    def _loop(self, loop: Loop) -> None:
        values = {name: [self._value(n) for n in nodes] for name, nodes in loop.inputs.items()}
        for turn in range(loop.count):
            values.update(self._inner(loop, turn, values))
        self._keep(loop, 0, values)

    def _evaluate(
        self, call: Call, instance: Mapping[str, tuple[Node, ...]], k: int
    ) -> dict[str, list[Any]]:
        inputs = {name: [self._value(n) for n in nodes] for name, nodes in instance.items()}
        return self._inner(call, k, inputs)

    def _inner(self, region: Call | Loop, k: int, inputs: Values) -> dict[str, list[Any]]:
        constant = self._arithmetic.constant
        tables = {name: [constant(x) for x in rows[k]] for name, rows in region.tables.items()}
        return _Run(self._arithmetic, inputs, self._parameters, tables).run(region.subprogram)

    def _keep(self, region: Call | Loop, instance: int, values: Mapping[str, list[Any]]) -> None:
        for output in region.subprogram.outputs:
            name = output.argument.name
            for i, value in enumerate(values[name]):
                self._results[region.number, instance, name, i] = value

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
        if isinstance(leaf, TableEntry):
            return self._tables[leaf.table][leaf.index]
        if isinstance(leaf, LimbConstant):
            return self._arithmetic.constant(leaf.values[leaf.limb])
        if isinstance(leaf, PackedConstant):
            return np.array([self._arithmetic.constant(value) for value in leaf.values])
        if isinstance(leaf, PackedInput):
            return np.array([self._inputs[leaf.name][index] for index in leaf.indices])
        return self._results[leaf.region, leaf.instance, leaf.name, leaf.index]
