"""Values of names, as a parameter lists them: `name:=value`."""

from __future__ import annotations

import math
from collections.abc import Iterable

from robcogen_ros.errors import RobcogenError


def assignments(parameter: str, texts: Iterable[str]) -> dict[str, str]:
    """The value of each name.

    Raises:
        RobcogenError: If a text is no assignment, or a name is given twice.
    """
    values: dict[str, str] = {}
    for text in texts:
        name, assigned, value = text.partition(":=")
        if not name or not assigned:
            raise RobcogenError(f"{parameter}: expected name:=value, found '{text}'")
        if name in values:
            raise RobcogenError(f"{parameter}: '{name}' is given twice")
        values[name] = value
    return values


def numbers(parameter: str, texts: Iterable[str]) -> dict[str, float]:
    """The number of each name.

    Raises:
        RobcogenError: If a text assigns no finite number, or a name is given twice.
    """
    values = {}
    for name, text in assignments(parameter, texts).items():
        try:
            values[name] = float(text)
        except ValueError:
            values[name] = math.nan
        if not math.isfinite(values[name]):
            raise RobcogenError(f"{parameter}: expected a number for '{name}', found '{text}'")
    return values
