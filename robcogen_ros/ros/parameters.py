"""Parameters of nodes from one table: declared, described, checked."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from robcogen_ros.ros.assignments import NO_ROBOT, NodeArguments


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a node.

    Attributes:
        name: Its name.
        default: Its default, which also tells its type; a number may be given as an integer, too. A
            list of numbers keeps its length, a list of texts is one of names, which may also be
            given as one text, with spaces between them or as a list in brackets. An empty list
            stands for numbers that are known elsewhere.
        description: What it does.
        low: Least value of a number, or of each number of a list.
        high: Greatest value.
        choices: All allowed texts, if not any.
        many: Whether a number may also be a list of numbers, one a joint.
        fixed: Whether it stays as it is once the node runs.
        length: How many numbers a list has that is empty by default.
    """

    name: str
    default: Any
    description: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    many: bool = False
    fixed: bool = False
    length: int = 0

    @property
    def vector(self) -> bool:
        """Whether it is a list of numbers of one length."""
        return isinstance(self.default, list) and (
            self.length > 0 or isinstance(self.default[0], float)
        )

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value."""
        if isinstance(self.default, float):
            return self._problem_of_numbers(value)
        if self.vector:
            return self._problem_of_vector(value)
        if isinstance(self.default, list):
            return self._problem_of_names(value)
        if type(value) is not type(self.default):
            kind = {str: "a text", bool: "true or false"}[type(self.default)]
            return f"{self.name}: expected {kind}, found {value!r}"
        if self.choices and value not in self.choices:
            return f"{self.name}: expected one of {', '.join(self.choices)}, found '{value}'"
        return None

    def _problem_of_names(self, value: Any) -> str | None:
        try:
            listed = names(value) if isinstance(value, str) else value
        except ValueError:
            listed = None
        texts = isinstance(listed, Sequence) and all(isinstance(name, str) for name in listed)
        return None if texts else f"{self.name}: expected a list of names, found {value!r}"

    def _problem_of_vector(self, value: Any) -> str | None:
        length = self.length or len(self.default)
        wanted = f"{self.name}: expected {length} numbers" + (" or none" if self.length else "")
        if not isinstance(value, Sequence) or isinstance(value, str):
            return f"{wanted}, found {value!r}"
        if len(value) != length and (value or not self.length):
            return f"{wanted}, found {len(value)}"
        return self._problem_of_each(value)

    def _problem_of_numbers(self, value: Any) -> str | None:
        listed = self.many and isinstance(value, Sequence) and not isinstance(value, str)
        return self._problem_of_each(value if listed else (value,))

    def _problem_of_each(self, numbers: Iterable[Any]) -> str | None:
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                return f"{self.name}: expected a number, found {number!r}"
            if not self.low <= number <= self.high:
                return f"{self.name}: {number} is not within {self.low:g} and {self.high:g}"
        return None

    def read(self, value: Any) -> Any:
        """The value as the program wants it: numbers as float, names without empty ones."""
        if isinstance(self.default, list) and not self.vector:
            return [name for name in (names(value) if isinstance(value, str) else value) if name]
        if not isinstance(self.default, (float, list)):
            return value
        return [float(x) for x in value] if isinstance(value, Sequence) else float(value)


class Parameters:
    """The parameters of a running node.

    Attributes:
        values: Their values by name.
    """

    def __init__(
        self,
        node: Any,
        table: Iterable[Parameter],
        change: Callable[[Mapping[str, Any]], str | None] = lambda _: None,
        arguments: NodeArguments = NO_ROBOT,
    ) -> None:
        """Declares the parameters.

        Args:
            node: The ROS node.
            table: The parameters.
            change: Takes over all values after a change, or tells why it refuses them.
            arguments: The robot that the command line names.

        Raises:
            ValueError: If a value given at the start is wrong.
            RobcogenError: If parameters and command line do not fit together.
        """
        self._table = {parameter.name: parameter for parameter in table}
        self._change = change
        self.values: dict[str, Any] = {}
        for parameter in self._table.values():
            value = _declared(node, parameter)
            if (problem := parameter.problem(value)) is not None:
                raise ValueError(problem)
            self.values[parameter.name] = parameter.read(value)
        self.values = arguments.merged(self.values)
        node.add_on_set_parameters_callback(self._on_set)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def _on_set(self, changes: Sequence[Any]) -> Any:
        from rcl_interfaces.msg import SetParametersResult

        reason = self._refusal({c.name: c.value for c in changes if c.name in self._table})
        return SetParametersResult(successful=reason is None, reason=reason or "")

    def _refusal(self, changes: Mapping[str, Any]) -> str | None:
        for name, value in changes.items():
            if (problem := self._table[name].problem(value)) is not None:
                return problem
        new = {name: self._table[name].read(value) for name, value in changes.items()}
        if not new:
            return None
        if (reason := self._change({**self.values, **new})) is not None:
            return reason
        self.values.update(new)
        return None


def _declared(node: Any, parameter: Parameter) -> Any:
    """The value of a parameter at the start; what is beyond its range, ROS itself refuses."""
    from rclpy.exceptions import InvalidParameterValueException

    try:
        return node.declare_parameter(
            parameter.name, parameter.default, _descriptor(parameter)
        ).value
    except InvalidParameterValueException:
        within = f"is not within {parameter.low:g} and {parameter.high:g}"
        raise ValueError(f"{parameter.name}: the value {within}") from None


def names(text: str) -> list[str]:
    """The names in a text: words as a shell has them, or a list in brackets, with commas."""
    listed = text.strip().startswith("[")
    words = shlex.shlex(text.strip()[1:].removesuffix("]") if listed else text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    words.whitespace = "," if listed else " \t\r\n"
    return [word.strip() for word in words]


def _descriptor(parameter: Parameter) -> Any:
    from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor

    number = isinstance(parameter.default, float) or parameter.vector
    ranged = number and math.isfinite(parameter.low) and math.isfinite(parameter.high)
    ends = FloatingPointRange(from_value=parameter.low, to_value=parameter.high) if ranged else None
    return ParameterDescriptor(
        description=parameter.description,
        additional_constraints=", ".join(parameter.choices),
        read_only=parameter.fixed,
        dynamic_typing=number or isinstance(parameter.default, list),
        floating_point_range=[ends] if ends is not None else [],
    )
