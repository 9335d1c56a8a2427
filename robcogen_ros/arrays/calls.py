"""Calls of a compiled robot on arrays of a library that differentiates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from robcogen_ros.arrays.jacobians import PARAMETERS, Blocks, names_with_rules, rule_of
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.summary import ArgumentSummary, FunctionSummary
from robcogen_ros.runtime.arguments import Signature, array_shape, namespace, size
from robcogen_ros.runtime.evaluators.compiled import CompiledEvaluator
from robcogen_ros.runtime.parameters import Parameters
from robcogen_ros.runtime.robot import Robot

Given = tuple[str, ...]
"""Names of the arguments that are given, the robot's parameters first."""


class ArrayCalls(ABC):
    """The functions of a robot on arrays.

    Within, each array is flat: (leading dimensions..., numbers), a matrix column by column, and
    all have as many leading dimensions.

    Attributes:
        evaluator: The compiled robot.
        parameters: (P,) values of the robot's parameters, an array of any library.
    """

    library: str

    def __init__(self, robot: Robot, parameters: Any = None) -> None:
        """Prepares the calls.

        Args:
            robot: The robot.
            parameters: (P,) values of its parameters in their order; by default those it has now.

        Raises:
            RobcogenError: If it is not compiled, or a parameter without a default is not set.
            TypeError: If it is no robot, or one on arrays already.
        """
        if not isinstance(getattr(robot, "parameters", None), Parameters):
            found = f"{type(robot).__module__}.{type(robot).__name__}"
            raise TypeError(
                f"{self.library}: expected a robot of robcogen_ros.build() or load(), found {found}"
            )
        evaluator = robot._evaluator
        if not isinstance(evaluator, CompiledEvaluator):
            raise RobcogenError(
                f"{self.library} calls compiled robots, and '{robot.name}' is interpreted: "
                "build it with backend='cpp', batch=True"
            )
        self.evaluator = evaluator
        self._summary = evaluator.summary
        self._functions = {f.name: (i, f) for i, f in enumerate(self._summary.functions)}
        self._signatures = robot._signatures
        count = len(self._summary.parameters)
        values = robot.parameters.array() if parameters is None else parameters
        self.parameters = self.array("parameters", values, (count,))

    @abstractmethod
    def array(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        """Returns an argument as an array of doubles of the library.

        Raises:
            TypeError: If it holds no real numbers.
            ValueError: If it has another shape after leading dimensions.
        """

    @abstractmethod
    def compute(self, name: str, given: Given, arrays: Sequence[Any]) -> Sequence[Any]:
        """Returns the outputs of a function, flat, of flat arguments in the order of `given`."""

    def call(self, name: str, arguments: Mapping[str, Any], parameters: Any) -> dict[str, Any]:
        """Returns the outputs of a function by name, each (leading dimensions..., its shape)."""
        signature = self._signatures[name]
        arrays, batch = signature.checked(arguments, self.array)
        function = self._functions[name][1]
        shapes = {a.name: array_shape(a) for a in function.inputs if a.name in arrays}
        rank = max(len(batch), parameters.ndim - 1)
        flat = [_flat(parameters, parameters.shape[-1:], rank)]
        flat += [_flat(arrays[each], shape, rank) for each, shape in shapes.items()]
        results = self.compute(name, (PARAMETERS, *shapes), flat)
        named = dict(zip((a.name for a in function.outputs), results, strict=True))
        leading = np.broadcast_shapes(*(array.shape[:-1] for array in flat))
        return signature.shaped(named, leading)

    def blocks(
        self, name: str, given: Given, arrays: Sequence[Any], wanted: Sequence[str]
    ) -> list[list[Any]]:
        """Returns the Jacobian of a function at flat arguments: for each output, by each argument.

        Args:
            name: The function.
            given: The arguments that are given.
            arrays: Their values.
            wanted: The arguments by which it is differentiated.

        Raises:
            RobcogenError: If the robot has no function that computes it.
        """
        floating = self._summary.floating_base
        rule = rule_of(name, self._functions, floating)
        if rule is None:
            raise RobcogenError(
                f"{name} of robot '{self._summary.name}' has no derivative in {self.library}; "
                f"these have: {', '.join(names_with_rules(floating))}"
            )
        parameters, *rest = arrays
        function = self._functions[name][1]
        values = dict(zip(given[1:], rest, strict=True))
        shaped = {
            a.name: _shaped_input(values[a.name], a) for a in function.inputs if a.name in values
        }

        def call(other: str, **arguments: Any) -> dict[str, Any]:
            known = self._needed(other, name).shapes
            taken = {k: v for k, v in arguments.items() if k in known}
            return self.call(other, taken, _with_ranks(parameters, taken, known))

        found = rule(call, shaped, frozenset(wanted))
        return [[self._block(found, name, a, by) for by in wanted] for a in function.outputs]

    def _needed(self, other: str, name: str) -> Signature:
        if other not in self._signatures:
            wanted = self.evaluator.wanted
            raise RobcogenError(
                f"the derivative of {name} calls {other}, and robot '{self._summary.name}' was "
                f"generated without it; name it in {wanted}"
            )
        return self._signatures[other]

    def _block(self, found: Blocks, name: str, output: ArgumentSummary, by: str) -> Any:
        block = found.get((output.name, by))
        if block is None:
            known = sorted({argument for _, argument in found})
            raise RobcogenError(
                f"{name} of robot '{self._summary.name}' has no derivative of {output.name} by "
                f"{by} in {self.library}, only by {', '.join(known)}"
            )
        if output.columns is None:
            return block
        across = namespace(block).swapaxes(block, -3, -2)
        return across.reshape(*across.shape[:-3], output.rows * output.columns, across.shape[-1])

    def index(self, name: str) -> tuple[int, FunctionSummary]:
        """Returns the number of a function in the table of the C interface, and its arguments."""
        return self._functions[name]


def bits(function: FunctionSummary, given: Given) -> int:
    """Returns a number with a bit for each argument of a function that is given."""
    return sum(1 << i for i, a in enumerate(function.inputs) if a.name in given)


def given_by(function: FunctionSummary, given: int) -> Given:
    """Returns the names of arguments of such a number, the robot's parameters first."""
    names = (a.name for i, a in enumerate(function.inputs) if given >> i & 1)
    return (PARAMETERS, *names)


def _flat(array: Any, shape: tuple[int, ...], rank: int) -> Any:
    leading = array.shape[: array.ndim - len(shape)]
    return array.reshape(*(1,) * (rank - len(leading)), *leading, size(shape))


def _shaped_input(array: Any, argument: ArgumentSummary) -> Any:
    whole = array.reshape(*array.shape[:-1], *array_shape(argument))
    return namespace(whole).swapaxes(whole, -1, -2) if argument.matrix else whole


def _with_ranks(parameters: Any, arguments: Mapping[str, Any], shapes: Mapping[str, Any]) -> Any:
    """Returns parameters with leading dimensions that go with those of arguments.

    A rule may give arguments one dimension more, for the columns that it asks for.
    """
    ranks = [v.ndim - len(shapes[k]) for k, v in arguments.items() if v is not None]
    more = max(ranks, default=0) - (parameters.ndim - 1)
    return parameters.reshape(*parameters.shape[:-1], *(1,) * more, parameters.shape[-1])
