"""The Python module of a robot: functions of arrays, on top of functions of numbers."""

from __future__ import annotations

from pathlib import PurePosixPath
from textwrap import wrap

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.python.private import TAKEN, entry_of, private, shape_of, update
from robcogen_ros.backends.python.text import LANGUAGE, RESERVED, listed, literal, quoted
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import (
    RobotScript,
    Variant,
    by_default,
    default_values,
    described,
    parameter_fields,
    robot_scripts,
    selects,
)
from robcogen_ros.program.leaf import CONSTANTS
from robcogen_ros.program.library import Library

_WIDTH = 92


def python_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the module, by path."""
    refuse_keywords([target.name], RESERVED, "Python")
    robot = library.robot
    fields = [
        (field, 'float("nan")' if field.value is None else literal(field.value))
        for field in parameter_fields(robot, LANGUAGE)
    ]
    scripts = robot_scripts(library, LANGUAGE, _entry_of, TAKEN, derived=True)
    context = {
        "model": comment(target.model),
        "robot": comment(robot.name),
        "names": {
            "JOINT_NAMES": quoted(robot.joint_names),
            "LINK_NAMES": quoted(robot.link_names),
            "FRAME_NAMES": quoted(robot.frame_names),
        },
        "parameters": fields,
        "update": update(library) if fields else None,
        "selects": any(map(selects, scripts)),
        "functions": [_function(function, bool(fields)) for function in scripts],
    }
    return {PurePosixPath(f"{target.name}.py"): render("python/robot.py.jinja", context)}


def _entry_of(argument: Argument | None, index: int, name: str) -> str:
    """An entry of what is given flat: of a matrix row by row."""
    if argument is not None and argument.matrix and argument.columns:
        column, row = divmod(index, argument.rows)
        index = row * argument.columns + column
    return entry_of(argument, index, name)


def _function(function: RobotScript, has_parameters: bool) -> dict[str, object]:
    results = [result.argument for result in function.usual.results]
    names = [result.name for result in results]
    returns = "Array" if len(results) == 1 else f"tuple[{', '.join(['Array'] * len(results))}]"
    declared = [_declared(a) for a in function.inputs if not a.optional]
    by_name = [_declared(a) for a in function.inputs if a.optional]
    notes = [*map(_described, function.inputs)]
    if has_parameters:
        by_name.append("parameters: Parameters = Parameters()")
        notes.append("parameters: of the robot")
    by_name.append("maths: Any = None")
    notes.append("maths: what has sin, cos and sqrt of the entries, if these are no real numbers")
    declared += ["*", *by_name]
    return {
        "name": function.name,
        "summary": "\n    ".join(wrap(f"{function.summary}.", _WIDTH)),
        "signature": listed(declared, "", 89 - len(function.name) - len(returns)),
        "returns": returns,
        "arguments": notes,
        "results": [described(a, shape_of(a)[::-1]) for a in results],
        "assigned": f"({names[0]},)" if len(names) == 1 else ", ".join(names),
        "returned": ", ".join(names),
        "calls": _calls(function, has_parameters),
        "variants": [
            private(function.usual, f"_{function.name}"),
            *([private(function.general, f"_{function.name}_general")] if function.general else []),
        ],
    }


def _declared(argument: Argument) -> str:
    return f"{argument.name}: ArrayLike" + (" | None = None" if argument.optional else "")


def _described(argument: Argument) -> str:
    text, default = described(argument, shape_of(argument)), by_default(argument)
    if len(text + default) > _WIDTH:
        default = default.replace("; ", ";\n            ")
    return text + default


def _calls(function: RobotScript, has_parameters: bool) -> list[dict[str, object]]:
    """The usual form where optional arguments are left out, then the general one."""
    general, name = function.general, f"_{function.name}"
    if general is None:
        return [_call(name, function.usual, "", has_parameters)]
    absent = " and ".join(f"{a.name} is None" for a in general.inputs if a.optional)
    return [
        _call(name, function.usual, absent, has_parameters),
        _call(f"{name}_general", general, "", has_parameters),
    ]


def _call(name: str, variant: Variant, condition: str, has_parameters: bool) -> dict[str, object]:
    indent = " " * (8 if condition else 4)
    inputs = [argument for argument in variant.inputs if argument.name != CONSTANTS]
    optional = [argument for argument in inputs if argument.optional]
    given = listed([f'"{a.name}": ({a.name}, {shape_of(a)})' for a in inputs], f"{indent}    ", 80)
    shapes = ", ".join(str(shape_of(result.argument)[::-1]) for result in variant.results)
    constants = ["_constants(parameters, maths)"] if has_parameters else []
    return {
        "condition": condition,
        "defaults": [(a.name, _default(a)) for a in optional if len(optional) > 1],
        "arguments": listed([name, f"{{{given}}}", f"[{shapes}]", "maths", *constants], indent, 60),
    }


def _default(argument: Argument) -> str:
    values = default_values(argument)
    if not any(values):
        return f"np.zeros({shape_of(argument)})"
    if argument.columns is None:
        return str(tuple(values))
    rows = argument.rows
    return str(tuple(tuple(values[i : i + rows]) for i in range(0, len(values), rows)))
