"""Contents of the C interface's source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.backends.cpp.batch import ONCE, Values, batch_values
from robcogen_ros.backends.cpp.header import joint_properties, motor_tables, row, tree
from robcogen_ros.backends.cpp.text import comment, double, function_identifiers, quoted
from robcogen_ros.model.motors import motor_names
from robcogen_ros.model.robot import Robot
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


@dataclass(frozen=True, slots=True)
class InterfaceForm:
    """The usual form of a function, or the general one.

    Attributes:
        name: What it is called.
        arguments: What it hands on to what computes it.
        calls: What computes it, each behind the condition on types where it does.
        batched: Declarations of what computes several states and is in no header.
        values: What it computes for several states; None where there is no such form.
    """

    name: str
    arguments: str
    calls: tuple[tuple[str, str], ...]
    batched: tuple[str, ...]
    values: Values | None

    @property
    def places(self) -> list[str]:
        """Names of the tables of places, for each output; null where they are in order."""
        if self.values is None:
            return []
        # numbered among those that there are, as the template writes them
        found = [bool(places) for places in self.values.places]
        return [
            f"places_{sum(found[:i])}" if wanted else "nullptr" for i, wanted in enumerate(found)
        ]


@dataclass(frozen=True, slots=True)
class InterfaceFunction:
    """A function.

    Attributes:
        name: Its name as an identifier.
        label: Its name, quoted.
        inputs: Its inputs.
        outputs: Its outputs.
        forms: The usual form, which takes no optional input; the general one, which takes all,
            where there are optional ones.
    """

    name: str
    label: str
    inputs: tuple[InterfaceArgument, ...]
    outputs: tuple[InterfaceArgument, ...]
    forms: tuple[InterfaceForm, ...]

    @property
    def left_out(self) -> list[str]:
        """Names of the values of inputs that are left out; null where they may not be."""
        return [f"{a.name}_left_out" if a.optional else "nullptr" for a in self.inputs]


def interface_context(library: Library, batch: bool) -> dict[str, Any]:
    """Variables of the template of the C interface; `batch`: several states at once."""
    robot = library.robot
    names = [*function_identifiers(library).values()]
    functions = [
        _function(library, name, identifier, batch)
        for name, identifier in zip(library.names, names, strict=True)
    ]
    parameters = [None if p.default is None else float(p.default) for p in robot.parameters]
    return {
        "robot": comment(robot.name),
        "robot_name": quoted(robot.name),
        "floating_base": int(robot.floating_base),
        "tables": (
            ("joint_names", [quoted(name) for name in robot.joint_names]),
            ("link_names", [quoted(name) for name in robot.link_names]),
            ("frame_names", [quoted(name) for name in robot.frame_names]),
            ("parameter_names", [quoted(p.name) for p in robot.parameters]),
            ("contact_names", [quoted(c.name) for c in robot.contacts]),
            ("moving_joint_names", [quoted(joint.name) for joint in robot.joints]),
        ),
        **_constants(robot),
        "parameter_defaults": [double(value) for value in parameters],
        "body_count": len(robot.bodies),
        "default_constants": [
            double(None if value is None else float(value)) for value in library.default_constants
        ],
        "batch": batch,
        "functions": functions,
        "batched": [each for f in functions for form in f.forms for each in form.batched],
        "summary": _pieces(summarise(library).to_json()),
    }


def _constants(robot: Robot) -> dict[str, Any]:
    """Tables of joints, tree and contacts, and how many there are."""
    properties = joint_properties(robot)
    fixed = [int(i in contact.rows) for contact in robot.contacts for i in range(6)]
    numbers = [(name, values) for name, values, *_ in properties["limits"] + properties["friction"]]
    integers = {**tree(robot), "contact_frames": row([*(c.frame for c in robot.contacts), 0])}
    numbers.append(("joint_multipliers", integers.pop("joint_multipliers")))
    integers["contact_rows"] = row([*fixed, 0])
    motors = motor_tables(robot)
    integers["motor_joints"] = motors.pop("motor_joints")
    numbers += motors.items()
    return {
        "constants": [
            *((name, "double", values) for name, values in numbers),
            *((name, "std::int32_t", values) for name, values in integers.items()),
            ("continuous", "bool", properties["continuous"]),
        ],
        "in_dynamics": [int(inside == "true") for *_, inside in properties["friction"]],
        "moving_joint_count": len(robot.joints),
        "contact_count": len(robot.contacts),
        "motor_count": len(motor_names(robot)),
    }


def _pieces(text: str) -> list[str]:
    """A long text as string literals that the compiler joins."""
    return [quoted(text[i : i + 72]) for i in range(0, len(text), 72)]


def _function(library: Library, name: str, identifier: str, batch: bool) -> InterfaceFunction:
    function, has_parameters = library.function(name), bool(library.robot.parameters)
    usual, general = batch_values(library, name) if batch else (None, None)
    forms = [_form("Usual", identifier, _arguments(function, has_parameters, False), usual)]
    if any(argument.optional for argument in function.inputs):
        every = _arguments(function, has_parameters, True)
        forms.append(_form("General", f"{identifier}_general", every, general))
    return InterfaceFunction(
        identifier,
        quoted(function.name),
        tuple(_argument(argument) for argument in function.inputs),
        tuple(_argument(argument) for argument in function.outputs),
        tuple(forms),
    )


def _form(name: str, function: str, arguments: str, values: Values | None) -> InterfaceForm:
    """A form, and what computes it: of several states, functions beside those in headers."""
    calls, batched = [("", f"functions::{function}<T>")], []
    if values and values.once:
        once = f"{function}{ONCE}"
        kept = ("if constexpr (std::is_same_v<To, Number *>) ", f"functions::several::{once}")
        calls = [kept, ("else ", calls[0][1])]
        batched = [f"void {once}({', '.join(values.types)}) noexcept;"]
    return InterfaceForm(name, arguments, tuple(calls), tuple(batched), values)


def _arguments(function: Function, has_parameters: bool, with_optional: bool) -> str:
    arguments = ["own"] if has_parameters else []
    arguments += [
        f"from[{i}]"
        for i, argument in enumerate(function.inputs)
        if with_optional or not argument.optional
    ]
    return ", ".join([*arguments, *(f"to[{i}]" for i in range(len(function.outputs)))])


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
