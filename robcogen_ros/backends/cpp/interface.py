"""What the C interface's source is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.backends.cpp.several import Values, several_values
from robcogen_ros.backends.cpp.text import double, function_identifiers, quoted
from robcogen_ros.backends.wrap import filled
from robcogen_ros.program.library import Library
from robcogen_ros.program.summary import summarise


@dataclass(frozen=True, slots=True)
class InterfaceArgument:
    """An argument: quoted name, shape, whether optional, values where it is left out."""

    name: str
    label: str
    rows: int
    columns: int
    optional: bool
    default: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of values."""
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class InterfaceFunction:
    """A function: arguments, and the argument lists that the wrapper calls it with.

    Attributes:
        name: Its name as an identifier.
        label: Its name, quoted.
        inputs: Its inputs.
        outputs: Its outputs.
        usual: Arguments of the call without optional ones.
        general: Arguments of the call with all.
        all: Every input, a default where it is left out.
        condition: When the usual call serves; empty if nothing is optional.
        usual_values: What the usual call computes for several states; None if there is none.
        general_values: What the general call computes for several states; None if there is none.
    """

    name: str
    label: str
    inputs: tuple[InterfaceArgument, ...]
    outputs: tuple[InterfaceArgument, ...]
    usual: str
    general: str
    all: tuple[str, ...]
    condition: str
    usual_values: Values | None
    general_values: Values | None

    @property
    def in_values(self) -> int:
        """Number of values that it is given."""
        return sum(argument.size for argument in self.inputs)

    @property
    def out_values(self) -> int:
        """Number of values of its results."""
        return sum(argument.size for argument in self.outputs)


def interface_context(library: Library, batch: bool) -> dict[str, Any]:
    """Variables of the template of the C interface; `batch`: several states at once."""
    robot = library.robot
    names = function_identifiers(library.names)
    parameters = [None if p.default is None else float(p.default) for p in robot.parameters]
    return {
        "robot_name": quoted(robot.name),
        "floating_base": int(robot.floating_base),
        "tables": (
            ("joint_names", [quoted(name) for name in robot.joint_names]),
            ("link_names", [quoted(name) for name in robot.link_names]),
            ("frame_names", [quoted(name) for name in robot.frame_names]),
            ("parameter_names", [quoted(p.name) for p in robot.parameters]),
        ),
        "parameter_defaults": [double(value) for value in parameters],
        "body_count": len(robot.bodies),
        "default_constants": [
            double(None if value is None else float(value)) for value in library.default_constants
        ],
        "batch": batch,
        "functions": [
            _function(library, name, identifier, batch)
            for name, identifier in zip(library.names, names, strict=True)
        ],
        "summary": _pieces(summarise(library).to_json()),
    }


def _pieces(text: str) -> list[str]:
    """A long text as string literals that the compiler joins."""
    return [quoted(text[i : i + 72]) for i in range(0, len(text), 72)]


def _function(library: Library, name: str, identifier: str, batch: bool) -> InterfaceFunction:
    function, has_parameters = library.function(name), bool(library.robot.parameters)
    usual_values, general_values = several_values(library, name) if batch else (None, None)
    inputs = tuple(_argument(argument) for argument in function.inputs)
    optional = [i for i, argument in enumerate(inputs) if argument.optional]
    return InterfaceFunction(
        name=identifier,
        label=quoted(function.name),
        inputs=inputs,
        outputs=tuple(_argument(argument) for argument in function.outputs),
        usual=_arguments(function, has_parameters, with_optional=False),
        general=_arguments(function, has_parameters, with_optional=True),
        all=tuple(
            f"inputs[{i}] ? inputs[{i}] : {identifier}_{a.name}" if a.optional else f"inputs[{i}]"
            for i, a in enumerate(inputs)
        ),
        condition=" && ".join(f"inputs[{i}] == nullptr" for i in optional),
        usual_values=usual_values,
        general_values=general_values,
    )


def _arguments(function: Function, has_parameters: bool, with_optional: bool) -> str:
    arguments = ["constants"] if has_parameters else []
    arguments += [
        f"inputs[{i}]"
        for i, argument in enumerate(function.inputs)
        if with_optional or not argument.optional
    ]
    arguments += [f"outputs[{i}]" for i in range(len(function.outputs))]
    return filled(arguments, indent="    ")


def _argument(argument: Argument) -> InterfaceArgument:
    values = tuple(str(float(x)) for x in argument.values_left_out) if argument.optional else ()
    return InterfaceArgument(
        argument.name,
        quoted(argument.name),
        argument.rows,
        1 if argument.columns is None else argument.columns,
        argument.optional,
        values,
    )
