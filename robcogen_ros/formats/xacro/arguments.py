"""Arguments of a xacro, as xacro would write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.given import by_name


def texts(arguments: Mapping[str, object] | None) -> dict[str, str]:
    """The texts that stand for values of any type: 0.3, True, [1, 2], as xacro's `${...}` has them.

    Raises:
        RobcogenError: If they are not given by name, or xacro has no text for one.
    """
    given = by_name("xacro_args", arguments)
    return {name: str(_plain(value, name, value)) for name, value in given.items()}


def _plain(value: Any, name: str, whole: object) -> Any:
    """A value made of Python's own numbers, texts, lists and dicts."""
    if isinstance(value, (str, bool, int, float)) and type(value).__module__ == "builtins":
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(entry, name, whole) for entry in value)
    if isinstance(value, dict):
        return {_plain(k, name, whole): _plain(v, name, whole) for k, v in value.items()}
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _plain(value.tolist(), name, whole)
    found = f"xacro_args: '{name}' cannot be {whole!r}: a xacro has no such value"
    raise RobcogenError(f"{found}; leave it out" if whole is None else found)
