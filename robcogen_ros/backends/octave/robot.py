"""The Octave and MATLAB package of a robot: a file for each function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.octave.spatial_v2 import spatial_v2_model
from robcogen_ros.backends.octave.text import LANGUAGE, RESERVED, literal, quoted
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import (
    RobotScript,
    Variant,
    default_values,
    described,
    parameter_fields,
    robot_scripts,
    selects,
)
from robcogen_ros.model.gravity import texts
from robcogen_ros.program.library import Library

_PARAMETERS = "What changes from time to time; NaN where the model gives no default."


def octave_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Texts of all files, by path."""
    refuse_keywords([target.name], RESERVED, "Octave")
    robot = library.robot
    package = PurePosixPath(f"+{target.name}")
    common = {"model": comment(target.model), "package": target.name}
    taken = frozenset({target.name, "parameters", "names", "spatial_v2", "usual", "general"})
    fields = [
        (field, "NaN" if field.value is None else literal(field.value))
        for field in parameter_fields(robot, LANGUAGE)
    ]
    files = {
        package / f"{function.name}.m": render(
            "octave/function.m.jinja", {**common, **_function(function, target.name, bool(fields))}
        )
        for function in robot_scripts(library, LANGUAGE, _read, taken)
    }
    if fields:
        values = {"name": "parameters", "meaning": _PARAMETERS, "fields": fields}
        files[package / "parameters.m"] = render("octave/fields.m.jinja", {**common, **values})
    names = {"joints": robot.joint_names, "links": robot.link_names, "frames": robot.frame_names}
    parts = {kind: list(map(quoted, given)) for kind, given in names.items()}
    named = {"robot": comment(robot.name), "names": parts}
    files[package / "names.m"] = render("octave/names.m.jinja", {**common, **named})
    if not robot.has_loops:  # such a structure is a tree
        context = {
            "has_parameters": bool(fields),
            "floating": robot.floating_base,
            "terms": robot.terms.names,
            "gravity": texts(robot.gravity),
            "tree": spatial_v2_model(robot),
        }
        files[package / "spatial_v2.m"] = render("octave/spatial_v2.m.jinja", {**common, **context})
    return files


def _read(argument: Argument | None, index: int, field: str) -> str:
    return f"parameters.{field}" if argument is None else f"{argument.name}({index + 1})"


def _function(function: RobotScript, package: str, has_parameters: bool) -> dict[str, object]:
    more = ["parameters"] if has_parameters else []
    names = [argument.name for argument in function.inputs]
    optional = [
        (i, a.name, _default(a)) for i, a in enumerate(function.inputs, start=1) if a.optional
    ]
    general = function.general
    return {
        "name": function.name,
        "summary": function.summary,
        "results": _results(function.usual),
        "arguments": ", ".join([*names, *more]),
        "described": [described(a, _shape(a)) for a in function.inputs],
        "returned": [described(r.argument, _shape(r.argument)) for r in function.usual.results],
        "optional": optional,
        "checks": [(a.name, *_shape(a), _wrong(a)) for a in function.inputs],
        "has_parameters": has_parameters,
        "count": len(names),
        "selects": selects(function),
        "usual_only": " && ".join(f"isempty({name})" for _, name, _ in optional),
        "usual": _variant(function.usual, "usual", more),
        "general": None if general is None else _variant(general, "general", more),
    }


def _variant(variant: Variant, name: str, more: Sequence[str]) -> dict[str, object]:
    return {
        "name": name,
        "results": _results(variant),
        "arguments": ", ".join([*(a.name for a in variant.inputs), *more]),
        "variant": variant,
        "lines": [
            line
            for result in variant.results
            for line in (
                f"{result.argument.name} = zeros({', '.join(map(str, _shape(result.argument)))});",
                *(
                    LANGUAGE.assigned(_entry(result.argument, row, column), text)
                    for row, column, text in result.entries
                ),
            )
        ],
    }


def _entry(argument: Argument, row: int, column: int) -> str:
    if argument.columns is None:
        return f"{argument.name}({row + 1})"
    return LANGUAGE.entry(argument.name, row, column)


def _results(variant: Variant) -> str:
    names = [result.argument.name for result in variant.results]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _shape(argument: Argument) -> tuple[int, int]:
    return argument.rows, 1 if argument.columns is None else argument.columns


def _wrong(argument: Argument) -> str:
    """The condition under which an argument has not its shape; a vector may be a row."""
    if argument.columns is None:
        wrong = f"numel({argument.name}) ~= {argument.rows}"
    else:
        wrong = f"~isequal(size({argument.name}), [{argument.rows}, {argument.columns}])"
    return f"~isempty({argument.name}) && {wrong}" if argument.optional else wrong


def _default(argument: Argument) -> str:
    values = default_values(argument)
    if any(values):
        return f"[{'; '.join(map(repr, values))}]"
    return f"zeros({', '.join(map(str, _shape(argument)))})"
