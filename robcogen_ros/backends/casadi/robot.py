"""The module of a robot's CasADi functions: functions of numbers as in Python, run on symbols."""

from __future__ import annotations

from pathlib import PurePosixPath
from textwrap import wrap

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.casadi.jacobians import jacobians_of
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.python.private import entry_of, private
from robcogen_ros.backends.python.text import LANGUAGE, RESERVED, listed, literal, quoted
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import (
    RobotScript,
    Variant,
    by_default,
    described,
    parameter_fields,
    robot_scripts,
)
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.model.scalars.operation import SELECT
from robcogen_ros.program.library import Library

_TAKEN = frozenset(
    {
        *("Any", "Callable", "NamedTuple", "Sequence", "casadi", "lru_cache", "maths"),
        *("annotations", "math", "function", "Entries", "Form", "FORMS", "FUNCTIONS", "JACOBIANS"),
        *("JOINT_NAMES", "LINK_NAMES", "FRAME_NAMES", "DEFAULT_PARAMETERS"),
        *("results", "matrix", "jacobian", "free", "selection"),
    }
)
"""Names of the module that no function and no variable may have, some of them behind a `_`."""

_WIDTH = 92


def casadi_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the module, by path."""
    refuse_keywords([target.name], RESERVED, "Python")
    robot, jacobians = library.robot, jacobians_of(library)
    scripts = _scripts(library)
    forms = own = _forms(scripts)
    more = [jacobian.function for jacobian in jacobians.values() if jacobian.function not in own]
    if more:
        forms = {**own, **_forms(_scripts(library.other(more)))}
    fields = parameter_fields(robot, LANGUAGE)
    context = {
        "model": comment(target.model),
        "robot": comment(robot.name),
        "names": {
            "JOINT_NAMES": quoted(robot.joint_names),
            "LINK_NAMES": quoted(robot.link_names),
            "FRAME_NAMES": quoted(robot.frame_names),
        },
        "parameters": [(f, "math.nan" if f.value is None else literal(f.value)) for f in fields],
        "functions": {name: _text(*form) for name, form in own.items()},
        "identifiers": _identifiers(library.names, scripts),
        "forms": {name: _form(name, form, len(fields)) for name, (_, form) in forms.items()},
        "jacobians": jacobians,
        "selects": any(SELECT in form.calls for _, form in forms.values()),
    }
    return {PurePosixPath(f"{target.name}_casadi.py"): render("casadi/robot.py.jinja", context)}


def _scripts(library: Library) -> list[RobotScript]:
    return robot_scripts(library, LANGUAGE, entry_of, _TAKEN)


def _forms(scripts: list[RobotScript]) -> dict[str, tuple[str, Variant]]:
    """Returns the summary and the form of each function, without and with optional arguments."""
    forms = {}
    for script in scripts:
        forms[script.name] = script.summary, script.usual
        if script.general is not None:
            forms[f"{script.name}_general"] = script.summary, script.general
    return forms


def _identifiers(names: tuple[str, ...], scripts: list[RobotScript]) -> list[tuple[str, str]]:
    """Names of functions that are no identifiers, as literals, with those that stand for them."""
    called = [*zip(quoted(names), names, scripts, strict=True)]
    return [(literal, script.name) for literal, name, script in called if name != script.name]


def _text(summary: str, form: Variant) -> list[str]:
    """Lines that say what a function computes, takes and gives."""
    notes = [described(a, _shape(a)) + by_default(a) for a in form.inputs]
    notes += [f"-> {described(r.argument, _shape(r.argument))}" for r in form.results]
    lines = [line for note in notes for line in wrap(note, _WIDTH, subsequent_indent="    ")]
    return [*wrap(f"{summary}.", _WIDTH), "", *lines]


def _form(name: str, form: Variant, parameters: int) -> dict[str, object]:
    """Returns the template's variables of a function of entries; parameters are its last input."""
    last = [f'"{PARAMETERS}": ({parameters}, 1)'] if parameters else []
    return {
        **private(form, f"_{name}", takes_parameters=bool(parameters)),
        "inputs": _shapes([*form.inputs], last),
        "outputs": _shapes([result.argument for result in form.results]),
    }


def _shapes(arguments: list[Argument], more: list[str] | None = None) -> str:
    items = [f'"{a.name}": {(*_shape(a), 1)[:2]}' for a in arguments]
    return f"{{{listed(items + (more or []), ' ' * 8, 80)}}}"


def _shape(argument: Argument) -> tuple[int, ...]:
    return (argument.rows,) if argument.columns is None else (argument.rows, argument.columns)
