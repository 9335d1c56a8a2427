"""Reads what gait is sought from a YAML file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import source, yaml_text
from robcogen_ros.gait.specification import Specification
from robcogen_ros.model.names import nearest


def read_settings(path: str | Path) -> Specification:
    """The specification in a YAML file, see docs/gaits.md.

    Args:
        path: The file.

    Raises:
        RobcogenError: If it cannot be read; a ModelError names the line of each mistake.
    """
    text = source.read(str(path), expected="settings of a gait")
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    lines: dict[str, Location] = {}
    for name, entry in yaml_text.mapping(text).items():
        reader = _READERS.get(name)
        if reader is None:
            message = f"unknown setting '{name}'{nearest(name, _READERS)}"
            problems.append(Problem(message, entry.key_location))
            continue
        lines[name] = entry.location
        try:
            values[name] = reader(entry.value)
        except _WrongError as error:
            message = f"{name}: expected {error}, found {_shown(entry.value)}"
            problems.append(Problem(message, entry.location))
    if problems:
        raise ModelError(problems)
    return Specification(**values, lines=lines)


def checked(wanted: Specification) -> Specification:
    """A specification as a file would give it: one number for a range is both its ends.

    Raises:
        ModelError: If a file could not: a setting has another type, or is out of its range.
    """
    usual, read = Specification(), {}
    for name, reader in _READERS.items():
        value = getattr(wanted, name)
        try:
            if not np.array_equal(value, getattr(usual, name)):
                listed = isinstance(value, (tuple, np.ndarray))
                read[name] = reader(list(value) if listed else value)
        except _WrongError as error:
            raise wanted.wrong(name, f"expected {error}, found {_shown(value)}") from None
    return replace(wanted, **read)


class _WrongError(Exception):
    """Error that says what was expected."""


def _number(low: float, high: float = math.inf, what: str = "") -> Callable[[Any], float]:
    expected = what or (
        f"a number from {low:g} to {high:g}" if high < math.inf else f"a number from {low:g}"
    )

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise _WrongError(expected)
        if not (math.isfinite(value) and low <= float(value) <= high):
            raise _WrongError(expected)
        return float(value)

    return read


def _range(low: float, high: float = math.inf) -> Callable[[Any], tuple[float, float]]:
    number = _number(low, high)
    expected = f"a number, or [least, greatest] in this order, from {low:g}"

    def read(value: Any) -> tuple[float, float]:
        pair = value if isinstance(value, list) else [value, value]
        try:
            least, greatest = (number(each) for each in pair)
        except (_WrongError, ValueError):
            raise _WrongError(expected) from None
        if least > greatest:
            raise _WrongError(expected)
        return least, greatest

    return read


def _normal(value: Any) -> tuple[float, ...]:
    found = _place(value)
    if found is None or len(found) < 3 or found[2] <= 0.0:
        raise _WrongError("[x, y, z] of the ground's normal, z above 0")
    return found


def _footholds(value: Any) -> Mapping[str, tuple[float, ...]]:
    expected = "where feet stand, as in {lf: [0.3, 0.2], rf: [0.3, -0.2, 0.1]}"
    if not isinstance(value, Mapping) or not value:
        raise _WrongError(expected)
    found = {name: place for name, each in value.items() if (place := _place(each)) is not None}
    if len(found) < len(value):
        raise _WrongError(expected)
    return found


def _place(value: Any) -> tuple[float, ...] | None:
    """Two or three numbers; None if it has others."""
    number = _number(-math.inf)
    try:
        found = tuple(number(each) for each in value)
    except (_WrongError, TypeError):
        return None
    return found if len(found) in (2, 3) else None


def _count(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise _WrongError(f"a whole number from {low} to {high}")
        if not low <= int(value) <= high:
            raise _WrongError(f"a whole number from {low} to {high}")
        return int(value)

    return read


def _word(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or (words and value not in words):
            raise _WrongError(" or ".join(words) if words else "a name")
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongError("true or false")
    return value


def _numbers(
    what: str, low: float, high: float, *names: str
) -> Callable[[Any], Mapping[str, float]]:
    number = _number(low, high)
    expected = f"{what}, each a number from {low:g}" + (f" to {high:g}" if high < math.inf else "")

    def read(value: Any) -> Mapping[str, float]:
        try:
            found = {name: number(each) for name, each in value.items()}
        except (_WrongError, AttributeError):
            raise _WrongError(expected) from None
        if not found or (names and not (set(found) <= set(names) and any(found.values()))):
            raise _WrongError(expected)
        return found

    return read


def _ranges(value: Any) -> Mapping[str, tuple[float, float]]:
    expected = "parameters of the robot, each with [least, greatest]"
    number = _number(-math.inf)
    try:
        found = {name: (number(low), number(high)) for name, (low, high) in value.items()}
    except (_WrongError, AttributeError, TypeError, ValueError):
        raise _WrongError(expected) from None
    if not found or any(low >= high for low, high in found.values()):
        raise _WrongError(expected)
    return found


_READERS: dict[str, Callable[[Any], Any]] = {
    "gait": _word(),
    "duty": _number(0.05, 0.95),
    "phases": _numbers(
        "the share of a stride after which each foot lands, as in {lf: 0, rf: 0.5}", 0.0, 1.0
    ),
    "speed": _range(0.01),
    "stride": _range(0.05),
    "step_height": _number(0.0),
    "friction": _number(0.05),
    "merit": _numbers("weights of energy and time, not both 0", 0.0, math.inf, "energy", "time"),
    "intervals": _count(4, 1000),
    "accuracy": _number(1e-9, 1.0),
    "refinements": _count(0, 20),
    "dynamics": _word("full", "reduced"),
    "symmetric": _flag,
    "lift_off": _word("zero", "free"),
    "stability": _word("none", "static"),
    "height": _range(0.1),
    "tilt": _number(0.01, 1.2),
    "position": _number(0.01, 1.0),
    "effort": _number(0.01, 10.0),
    "velocity": _number(0.01, 10.0),
    "no_load_speed": _number(0.01),
    "reach": _number(0.1, 1.0),
    "clearance": _number(0.0),
    "ground_normal": _normal,
    "stride_length": _range(0.01),
    "rise": _number(-10.0, 10.0),
    "footholds": _footholds,
    "design": _ranges,
}
"""Readers of each setting's value; the names are those of a Specification."""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
