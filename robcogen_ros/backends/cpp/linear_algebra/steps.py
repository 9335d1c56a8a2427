"""Texts of functions that call others of the robot, and end in linear algebra."""

from __future__ import annotations

from collections.abc import Mapping

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.backends.wrap import enclosed, filled
from robcogen_ros.model.sparse_pattern import SparsePattern


def step_call(step: Function, general: bool, scalar: str, names: Mapping[str, str]) -> str:
    """The line that calls a function.

    Args:
        step: The function.
        general: Whether it is given its optional arguments.
        scalar: The type of its numbers.
        names: What it is given for its arguments, where that is not called as they are.
    """
    inputs = [a for a in step.inputs if general or not a.optional]
    form = "_general" if general and any(a.optional for a in inputs) else ""
    handed = [names.get(a.name, a.name) for a in (*inputs, *step.outputs)]
    return enclosed(f"{step.name}{form}<{scalar}>(", handed, ");", "  ")


def braced(pattern: SparsePattern) -> str:
    """The initializer of a pattern."""
    starts, rows = map(str, pattern.starts), [str(row) for row in pattern.rows] or ["0"]
    return f"{{{{{filled([*starts], indent='    ')}}},\n    {{{filled(rows, indent='    ')}}}}}"
