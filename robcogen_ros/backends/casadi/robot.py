"""The module of a robot's CasADi functions: functions of numbers as in Python, run on symbols."""

from __future__ import annotations

from pathlib import PurePosixPath
from textwrap import wrap

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.casadi.slopes import Block, Slopes, slopes_of
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.python.private import entry_of, private
from robcogen_ros.backends.python.text import LANGUAGE, RESERVED, listed, literal, quoted
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
from robcogen_ros.program.library import Library

_TAKEN = frozenset(
    {
        *("Any", "Callable", "Mapping", "NamedTuple", "Sequence", "casadi", "lru_cache", "maths"),
        *("annotations", "math", "function", "Entries", "Form", "Function", "FUNCTIONS"),
        *("JOINT_NAMES", "LINK_NAMES", "FRAME_NAMES", "PARAMETER_NAMES", "DEFAULT_PARAMETERS"),
        *("results", "matrix", "jacobian", "selection"),
    }
)
"""Names of the module that no function and no variable may have, some of them behind a `_`."""

_WIDTH = 92


def casadi_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the module, by path."""
    refuse_keywords([target.name], RESERVED, "Python")
    robot, constants = library.robot, parameter_fields(library.robot, LANGUAGE)
    scripts = {s.name: s for s in robot_scripts(library, LANGUAGE, entry_of, _TAKEN)}
    slopes = slopes_of(library)
    behind = [s.function for s in slopes.values() if s.function not in scripts]
    other = library.other(behind) if behind else library
    known = {s.name: s for s in robot_scripts(other, LANGUAGE, entry_of, _TAKEN)} | scripts
    context = {
        "model": comment(target.model),
        "names": {
            "JOINT_NAMES": quoted(robot.joint_names),
            "LINK_NAMES": quoted(robot.link_names),
            "FRAME_NAMES": quoted(robot.frame_names),
        },
        "parameters": [(f, "math.nan" if f.value is None else literal(f.value)) for f in constants],
        "functions": [
            _function(script, general, slopes.get(script.name), known)
            for script in scripts.values()
            for general in ((False, True) if script.general else (False,))
        ],
        "selects": any(selects(script) for script in known.values()),
        "private": [
            private(variant, f"_{name}", takes_parameters=bool(constants))
            for script in known.values()
            for name, variant in _variants(script)
        ],
    }
    return {PurePosixPath(f"{target.name}_casadi.py"): render("casadi/robot.py.jinja", context)}


def _variants(script: RobotScript) -> list[tuple[str, Variant]]:
    """The forms of a function, by name."""
    general = [] if script.general is None else [(f"{script.name}_general", script.general)]
    return [(script.name, script.usual), *general]


def _function(
    script: RobotScript, general: bool, slopes: Slopes | None, known: dict[str, RobotScript]
) -> dict[str, object]:
    """What the template needs of one form of a function."""
    name, variant = _variants(script)[general]
    notes = [described(a, _shape(a)) + _default(a) for a in variant.inputs]
    notes += [f"-> {described(r.argument, _shape(r.argument))}" for r in variant.results]
    behind = None
    if slopes is not None:
        behind = {
            "form": _form(*_variants(known[slopes.function])[general]),
            "blocks": [_entry(block) for block in slopes.blocks],
        }
    return {
        "name": name,
        "text": [
            *wrap(f"{script.summary}.", _WIDTH),
            "",
            *(line for note in notes for line in wrap(note, _WIDTH, subsequent_indent="    ")),
        ],
        "form": _form(name, variant),
        "slopes": behind,
    }


def _form(name: str, variant: Variant) -> dict[str, object]:
    return {
        "name": f"_{name}",
        "inputs": _shapes([*variant.inputs]),
        "outputs": _shapes([result.argument for result in variant.results]),
    }


def _shapes(arguments: list[Argument]) -> str:
    sizes = [(a.name, (a.rows, 1 if a.columns is None else a.columns)) for a in arguments]
    items = [f'"{name}": {size}' for name, size in sizes]
    return f"{{{listed(items, ' ' * 12, 80)}}}"


def _shape(argument: Argument) -> tuple[int, ...]:
    return (argument.rows,) if argument.columns is None else (argument.rows, argument.columns)


def _default(argument: Argument) -> str:
    if not argument.optional:
        return ""
    values = default_values(argument)
    return f"; by default {tuple(values) if any(values) else 'zero'}"


def _entry(block: Block) -> str:
    place = f'"{block.matrix}", {block.row}, {block.column}, {block.sign}1'
    return f'("{block.output}", "{block.input}"): ({place})'
