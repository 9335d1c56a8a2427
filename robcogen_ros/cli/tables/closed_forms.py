"""Entries of results as formulas to look at, for the command inspect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.closed_form import closed_form, rounded
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Output, Program

_ENTRY = re.compile(r"(?:(?P<function>[^.\[]+)\.)?(?P<result>[^.\[]+)(?:\[(?P<indices>[^\]]*)\])?")
_MEANING = {"q": "position", "qd": "velocity", "qdd": "acceleration", "tau": "force"}


@dataclass(frozen=True, slots=True)
class Notation:
    """Notation of formulas: plain or in LaTeX, with a number of digits."""

    latex: bool = False
    digits: int = 6


def formulas(robot: Robot, wanted: str, notation: Notation) -> Iterator[str]:
    """Lines that say what an entry of a result is, or all entries of it that are not zero.

    Args:
        robot: The robot.
        wanted: `H[0,0]`, `H[shoulder,elbow]`, `gravity_torques.tau[1]`, `fr_base_X_fr_tool[0,3]`,
            or without brackets.
        notation: How to write them.

    Raises:
        RobcogenError: If there is no such result, or several bear the name.
    """
    match = _ENTRY.fullmatch(wanted)
    if match is None:
        raise RobcogenError(f"'{wanted}' names no entry; expected RESULT[ROW,COLUMN], as in H[0,0]")
    program, output = _result(robot, match["function"], match["result"])
    if match["indices"] is None:
        zeros = output.structural_zeros()
        numbers = [i for i in range(len(output.nodes)) if i not in zeros]
    else:
        numbers = [_number(robot, output, match["indices"])]
    used: set[str] = set()
    for number in numbers:
        yield from _formula(program, output, number, notation, used)
    yield from _legend(robot, used, notation)


def _result(robot: Robot, function: str | None, result: str) -> tuple[Program, Output]:
    """The program of a function and the result of that name, or its only one."""
    if function is not None:
        program = Library(robot, [function]).entry(function).fastest
        for output in program.outputs:
            if output.argument.name == result:
                return program, output
        known = ", ".join(output.argument.name for output in program.outputs)
        raise RobcogenError(f"'{function}' has no result '{result}'; it has {known}")
    library = Library(robot)
    found = [
        name
        for name in library.names
        if result in [argument.name for argument in library.function(name).outputs]
    ]
    if len(found) > 1:
        choices = ", ".join(f"{name}.{result}" for name in found)
        raise RobcogenError(f"several functions have a result '{result}': {choices}")
    if found:
        return _result(robot, found[0], result)
    try:
        (program,) = (Library(robot, [result]).entry(result).fastest,)
    except RobcogenError as error:
        results = {a.name for name in library.names for a in library.function(name).outputs}
        hint = nearest(result, [*results, *library.names]) or f"; {error}"
        raise RobcogenError(f"no function has a result '{result}'{hint}") from error
    return program, program.outputs[0]


def _number(robot: Robot, output: Output, indices: str) -> int:
    """The number of an entry, column-major; rows and columns are told by number or joint."""
    argument, words = output.argument, [word.strip() for word in indices.split(",")]
    sizes = (argument.rows,) if argument.columns is None else (argument.rows, argument.columns)
    if len(words) != len(sizes):
        shape = " x ".join(map(str, sizes))
        raise RobcogenError(f"'{argument.name}' is {shape}: expected {len(sizes)} indices")
    row, column = (*(_index(robot, *pair) for pair in zip(words, sizes, strict=True)), 0)[:2]
    return row + argument.rows * column


def _index(robot: Robot, word: str, size: int) -> int:
    names = [coordinate.name for coordinate in robot.coordinates]
    if word in names and size in (len(names), len(names) + 6):
        return names.index(word) + size - len(names)
    if not word.isdecimal() or int(word) >= size:
        joints = f", or a joint{nearest(word, names)}" if size >= len(names) else ""
        raise RobcogenError(f"'{word}' is no index; expected 0 to {size - 1}{joints}")
    return int(word)


def _formula(
    program: Program, output: Output, number: int, notation: Notation, used: set[str]
) -> Iterator[str]:
    form = closed_form(program, output.nodes[number])
    for symbol, definition in form.definitions:
        yield _equation(_text(symbol, notation), definition, notation)
    column, row = divmod(number, output.argument.rows)
    indices = str(row) if output.argument.columns is None else f"{row},{column}"
    name = output.argument.name
    left = f"{name}_{{{indices}}}" if notation.latex else f"{name}[{indices}]"
    yield _equation(left, form.value, notation)
    for formula in (form.value, *(definition for _, definition in form.definitions)):
        used.update(symbol.name for symbol in formula.free_symbols)


def _equation(left: str, formula: Any, notation: Notation) -> str:
    right = _text(rounded(formula, notation.digits), notation)
    return f"{left} = {right}" + (r" \\" if notation.latex else "")


def _text(formula: Any, notation: Notation) -> str:
    import sympy

    write = sympy.latex if notation.latex else sympy.sstr
    return str(write(formula, full_prec=False))


def _legend(robot: Robot, used: set[str], notation: Notation) -> Iterator[str]:
    """Yields the meanings of the arguments in formulas."""
    comment = "% " if notation.latex else ""
    for name, meaning in _MEANING.items():
        for i, coordinate in enumerate(robot.coordinates):
            if f"{name}_{i}" in used:
                yield f"{comment}{name}_{i}: {meaning} of {coordinate.name}"
