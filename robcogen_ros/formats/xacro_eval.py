"""Expressions of a xacro as what they are for: numbers, texts and lists, no access to the machine.

xacro's own checks leave gaps: `$(eval)` has all of Python's functions, and of `${}` only the
outermost names are looked at.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

_FUNCTIONS = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "int", "len", "list"),
    *("map", "max", "min", "pow", "range", "reversed", "round", "set", "sorted", "str", "sum"),
    *("tuple", "zip"),
)
_HARMLESS = {name: getattr(builtins, name) for name in _FUNCTIONS}


def evaluate(text: str, _globals: object, names: Mapping[str, Any]) -> Any:
    """Replaces Python's `eval` behind `$(eval)`.

    Raises:
        ValueError: If the expression reaches for the inside of Python.
    """
    _refuse_inner_names(text)
    return eval(text, {"__builtins__": _HARMLESS}, names)


def guarded(safe_eval: Callable[..., Any]) -> Callable[..., Any]:
    """xacro's evaluation of `${}`, looking at all names."""

    def evaluate_safely(text: str, *scopes: Any) -> Any:
        _refuse_inner_names(text)
        return safe_eval(text, *scopes)

    return evaluate_safely


def _refuse_inner_names(text: str) -> None:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # xacro says so itself
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if isinstance(name, str) and name.startswith("__"):
            raise ValueError(f"an expression may not use the name {name}")
