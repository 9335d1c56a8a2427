"""The Python module of a robot."""

from __future__ import annotations

from pathlib import PurePosixPath

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.python.text import LANGUAGE, RESERVED, literal
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import (
    RobotScript,
    Variant,
    default_values,
    described,
    parameter_fields,
    robot_scripts,
)
from robcogen_ros.model.operation import COS, SIN, SQRT
from robcogen_ros.program.library import Library

_TAKEN = frozenset({"shape", "Parameters", "NamedTuple"})


def python_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the module, by path."""
    refuse_keywords([target.name], RESERVED, "Python")
    robot = library.robot
    fields = [
        (field, 'float("nan")' if field.value is None else literal(field.value))
        for field in parameter_fields(robot, LANGUAGE)
    ]
    programs = [library.entry(name).general for name in library.names]
    operations = {s.node.operation for program in programs for s in program.statements()}
    context = {
        "model": comment(target.model),
        "uses": [o.name for o in (COS, SIN, SQRT) if o in operations],
        "names": {
            "JOINT_NAMES": _quoted(robot.joint_names),
            "LINK_NAMES": _quoted(robot.link_names),
            "FRAME_NAMES": _quoted(robot.frame_names),
        },
        "parameters": fields,
        "functions": [
            _function(function, bool(fields))
            for function in robot_scripts(library, LANGUAGE, _read, _TAKEN)
        ],
    }
    return {PurePosixPath(f"{target.name}.py"): render("python/robot.py.jinja", context)}


def _quoted(names: tuple[str, ...]) -> list[str]:
    return [ascii(name) for name in names]


def _read(argument: Argument | None, index: int, field: str) -> str:
    if argument is None:
        return f"parameters.{field}"
    if argument.columns is None:
        return f"{argument.name}[..., {index}]"
    return f"{argument.name}[..., {index // argument.rows}, {index % argument.rows}]"


def _function(function: RobotScript, has_parameters: bool) -> dict[str, object]:
    more = ["parameters"] if has_parameters else []
    optional = [a.name for a in function.inputs if a.optional]
    declared = [f"{a.name}=None" if a.optional else a.name for a in function.inputs]
    declared += [f"{name}=Parameters()" for name in more]
    filled = [
        f"{_default(a)} if {a.name} is None else {a.name}" if a.optional else a.name
        for a in (function.general.inputs if function.general else ())
    ]
    return {
        "name": function.name,
        "summary": function.summary,
        "signature": _listed(declared, ""),
        "arguments": [described(a, _shape(a)) for a in function.inputs],
        "results": [described(r.argument, _result(r.argument)) for r in function.usual.results],
        "usual_only": " and ".join(f"{name} is None" for name in optional),
        "usual_call": ", ".join([*(a.name for a in function.usual.inputs), *more]),
        "general_call": _listed([*filled, *more], "    "),
        "variants": [
            _variant(function.usual, f"_{function.name}", more),
            *(
                [_variant(function.general, f"_{function.name}_general", more)]
                if function.general
                else []
            ),
        ],
    }


def _variant(variant: Variant, name: str, more: list[str]) -> dict[str, object]:
    names = [argument.name for argument in variant.inputs]
    shapes = [f"{a.name}.shape[:{-len(_shape(a))}]" for a in variant.inputs]
    return {
        "name": name,
        "signature": _listed([*names, *more], ""),
        "inputs": names,
        "batch": _listed(shapes, "    "),
        "variant": variant,
        "results": [
            {
                "name": result.argument.name,
                "shape": ", ".join(["*shape", *map(str, _result(result.argument))]),
                "lines": [
                    LANGUAGE.assigned(_entry(result.argument, row, column), text)
                    for row, column, text in result.entries
                ],
            }
            for result in variant.results
        ],
    }


def _entry(argument: Argument, row: int, column: int) -> str:
    if argument.scalar:
        return f"{argument.name}[...]"
    if argument.columns is None:
        return f"{argument.name}[..., {row}]"
    return LANGUAGE.entry(argument.name, row, column)


def _shape(argument: Argument) -> tuple[int, ...]:
    """Shape of the array given for an argument: a matrix column by column."""
    return (argument.rows,) if argument.columns is None else (argument.columns, argument.rows)


def _result(argument: Argument) -> tuple[int, ...]:
    return () if argument.scalar else _shape(argument)[::-1]


def _default(argument: Argument) -> str:
    values = default_values(argument)
    if any(values):
        return f"({', '.join(map(repr, values))})"
    return f"np.zeros({_shape(argument)})"


def _listed(items: list[str], indent: str) -> str:
    """Items between commas: on one line, or each on its own where they are too long for one."""
    line = ", ".join(items)
    if len(line) <= 60:
        return line
    lines = "".join(f"\n{indent}    {item}," for item in items)
    return f"{lines}\n{indent}"
