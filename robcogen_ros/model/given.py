"""Values that callers give, checked where they come in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any

import numpy as np

from robcogen_ros.errors import RobcogenError


def finite_number(what: str, value: object) -> float:
    """A number that was given; `what` it is begins the message.

    Raises:
        RobcogenError: If it is no number, or not a finite one.
    """
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise RobcogenError(f"{what}: expected a number, found {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise RobcogenError(f"{what}: expected a finite number, found {number}")
    return number


def name(what: str, value: str | None) -> str | None:
    """A name that was given; None and an empty one are none.

    Raises:
        RobcogenError: If it is no text.
    """
    if value is not None and not isinstance(value, str):
        raise RobcogenError(f"{what}: expected a name, found {value!r}")
    return value or None


def path(what: str, value: str | PathLike[str] | None) -> str | None:
    """A file's name that was given, as a text; None and an empty one are none.

    Raises:
        RobcogenError: If it is none.
    """
    if value is not None and not isinstance(value, (str, PathLike)):
        raise RobcogenError(f"{what}: expected the path of a file, found {value!r}")
    return fspath(value) or None if value is not None else None


def names(what: str, values: Iterable[str] | None) -> tuple[str, ...]:
    """Names that were given; None stands for none.

    Raises:
        RobcogenError: If they are no list of texts; a single text is none either.
    """
    listed: list[Any] | None = None
    if not isinstance(values, (str, bytes, Mapping)):
        try:
            listed = list(values or ())
        except (TypeError, ValueError):
            listed = None
    if listed is None or not all(isinstance(value, str) for value in listed):
        hint = f"; write [{values!r}]" if isinstance(values, str) else ""
        raise RobcogenError(f"{what}: expected a list of names, found {values!r}{hint}")
    return tuple(listed)


def by_name(what: str, values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Values by name that were given; None stands for none.

    Raises:
        RobcogenError: If they are no mapping from texts.
    """
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise RobcogenError(f"{what}: expected values by name, as a dict, found {values!r}")
    return dict(values)


def flag(what: str, value: object) -> bool:
    """A yes or no that was given, or 1 or 0.

    Raises:
        RobcogenError: If it is neither: texts, in particular, are not.
    """
    if isinstance(value, (Integral, np.bool_)) and value in (0, 1):
        return bool(value)
    raise RobcogenError(f"{what}: expected True or False, found {value!r}")


def count(what: str, value: object) -> int:
    """A number of things that was given, at least one.

    Raises:
        RobcogenError: If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise RobcogenError(f"{what}: expected a number from 1 on, found {value!r}")
    return int(value)
