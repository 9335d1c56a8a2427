"""Values that callers give, checked where they come in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real

from robcogen_ros.errors import RobcogenError


def finite_number(what: str, value: object) -> float:
    """A number that was given.

    Args:
        what: What it is for; the message begins with it.
        value: What was given.

    Raises:
        RobcogenError: If it is no number, or not a finite one.
    """
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise RobcogenError(f"{what}: expected a number, found {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise RobcogenError(f"{what}: expected a finite number, found {number}")
    return number


def names(what: str, values: object) -> tuple[str, ...]:
    """A list of names that was given; a single text is none.

    Raises:
        RobcogenError: If it is none.
    """
    listed = isinstance(values, (Sequence, set, frozenset)) and not isinstance(values, (str, bytes))
    if not listed or not all(isinstance(value, str) for value in values):  # type: ignore[attr-defined]
        hint = f"; write [{values!r}]" if isinstance(values, str) else ""
        raise RobcogenError(f"{what}: expected a list of names, found {values!r}{hint}")
    return tuple(values)  # type: ignore[arg-type]
