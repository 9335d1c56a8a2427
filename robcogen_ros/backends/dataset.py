"""Reference inputs and outputs of a robot's functions, to check any implementation against.

Inputs are multiples of 1/1024 and parameters have 11 significant bits, so that they are the same
numbers in float, in double and in decimals. Outputs are computed with 50 digits and rounded once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import PurePosixPath
from random import Random
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Parameter
from robcogen_ros.program.interpret import interpret, interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Program
from robcogen_ros.progress import each

FORMAT = "robcogen dataset, version 1"

_STEPS = 1024
_TRIES = 1000

Json = dict[str, Any]


def dataset_files(
    library: Library, target: Target, count: int, seed: int
) -> dict[PurePosixPath, str]:
    """The text of `<name>.dataset.json`, by its path.

    Args:
        library: The robot's programs.
        target: Names.
        count: States at which each function is evaluated, in its usual and its general form.
        seed: Which random states.

    Raises:
        RobcogenError: If a function has no value at any of many states.
    """
    robot = library.robot
    head = {
        "format": FORMAT,
        "robot": robot.name,
        "model": target.model,
        "seed": seed,
        "joints": robot.joint_names,
        "links": robot.link_names,
        "frames": robot.frame_names,
        "parameters": [parameter.name for parameter in robot.parameters],
    }
    functions = [
        _function(library, name, count, seed)
        for name in each(library.names, "computing the dataset", "functions")
    ]
    return {PurePosixPath(f"{target.name}.dataset.json"): _text(head, functions)}


def _function(library: Library, name: str, count: int, seed: int) -> Json:
    """A function and its cases; they do not depend on what else is generated."""
    entry, random = library.entry(name), Random(f"{seed} {name}")
    programs = [entry.fastest] if entry.usual is None else [entry.fastest, entry.general]
    cases = [
        _case(program, library.robot.parameters, random)
        for _ in range(count)
        for program in programs
    ]
    return {
        "name": name,
        "inputs": [{**_argument(a), "optional": a.optional} for a in entry.function.inputs],
        "outputs": [_argument(a) for a in entry.function.outputs],
        "cases": cases,
    }


def _argument(argument: Argument) -> Json:
    rows, columns = argument.rows, argument.columns
    shape = [] if argument.scalar else [rows] if columns is None else [rows, columns]
    return {"name": argument.name, "shape": shape}


def _case(program: Program, parameters: Sequence[Parameter], random: Random) -> Json:
    """Inputs at which the function has a value, and its values there."""
    for _ in range(_TRIES):
        values = {parameter.name: _value(parameter, random) for parameter in parameters}
        inputs = {a.name: _entries(a, random) for a in program.inputs}
        try:
            outputs, rough = _outputs(program, inputs, values)
        except (ArithmeticError, ValueError):
            continue
        given = {"parameters": list(values.values())} if values else {}
        return {**given, "inputs": inputs, "outputs": outputs, "in_double": rough}
    raise RobcogenError(
        f"no dataset: {program.name} has no value at any of {_TRIES} random states; "
        f"choose other functions with {option_text('functions')}"
    )


def _outputs(program: Program, inputs: Json, parameters: Json) -> tuple[Json, Json]:
    """Outputs by 50 digits, rounded, and by double arithmetic.

    Raises:
        ArithmeticError, ValueError: If there are none.
    """
    exact = interpret_exactly(
        program,
        {name: [Decimal(x) for x in entries] for name, entries in inputs.items()},
        {name: Decimal(x) for name, x in parameters.items()},
    )
    outputs = {name: [number.to_float(x) for x in entries] for name, entries in exact.items()}
    rough = {
        name: [float(x) for x in entries]
        for name, entries in interpret(program, inputs, parameters).items()
    }
    if not all(math.isfinite(x) for entries in rough.values() for x in entries):
        raise ValueError("not finite in double arithmetic")
    return outputs, rough


def _entries(argument: Argument, random: Random) -> list[float]:
    if argument.choices:
        return [float(random.choice(argument.choices)) for _ in range(argument.size)]
    return [_uniform(random, -2, 2) for _ in range(argument.size)]


def _uniform(random: Random, low: int, high: int) -> float:
    return random.randint(low * _STEPS, high * _STEPS) / _STEPS


def _value(parameter: Parameter, random: Random) -> float:
    """A value near the default of a parameter; a small one near 0, any near 1 if it has none."""
    if parameter.default is None:
        return _uniform(random, 1, 2) / 2
    if not parameter.default:
        return _uniform(random, 0, 1) / 16
    mantissa, exponent = math.frexp(float(parameter.default) * (1 + _uniform(random, -1, 1) / 4))
    return math.ldexp(round(mantissa * 2048), exponent - 11)


def _text(head: Json, functions: Sequence[Json]) -> str:
    """JSON with a case on each line."""
    lines = ["{"]
    lines += [f'  "{key}": {json.dumps(value)},' for key, value in head.items()]
    lines += ['  "functions": [', *_joined([_function_text(f) for f in functions], "    "), "  ]"]
    return "\n".join([*lines, "}", ""])


def _function_text(function: Json) -> str:
    keys = [f'"{key}": {json.dumps(function[key])},' for key in ("name", "inputs", "outputs")]
    cases = _joined([json.dumps(case) for case in function["cases"]], "      ")
    return "\n".join(["{", *(f"     {key}" for key in keys), '     "cases": [', *cases, "     ]}"])


def _joined(items: Sequence[str], indent: str) -> Iterator[str]:
    for k, item in enumerate(items):
        yield f"{indent}{item}{',' if k + 1 < len(items) else ''}"
