"""Lists of numbers in parameters, one for each joint that another parameter names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.table import Parameter


def order(joint_names: Sequence[str], joints: Sequence[str]) -> list[int]:
    """Index of each of `joints` in `joint_names`; all in order if none is named.

    Raises:
        RobcogenError: If a joint is unknown or named twice.
    """
    if not joints:
        return list(range(len(joint_names)))
    unknown = [name for name in joints if name not in joint_names]
    if unknown:
        known = ", ".join(joint_names)
        raise RobcogenError(f"joints: the robot has no joint '{unknown[0]}' (it has {known})")
    if len(set(joints)) != len(joints):
        raise RobcogenError("joints: a joint is named twice")
    return [list(joint_names).index(name) for name in joints]


def per_joint(
    name: str,
    values: Sequence[float],
    indices: Sequence[int],
    n: int,
    default: float | None = None,
) -> Array:
    """One number a joint, from one for all or one for each of `indices`, in their order.

    Raises:
        RobcogenError: If there is neither one number nor one for each of `indices`, or these are
            not all joints and there is no default for the others.
    """
    if len(values) == 1:
        return np.full(n, values[0])
    if len(values) != len(indices):
        raise RobcogenError(f"{name}: expected one value or {len(indices)}, found {len(values)}")
    if default is None and len(indices) < n:
        raise RobcogenError(
            f"{name}: expected one value for all, or joints to name all {n} joints; it names "
            f"{len(indices)}"
        )
    result = np.full(n, default)
    result[list(indices)] = values
    return result


def numbers_of(row: Parameter, value: Any, indices: Sequence[int], n: int) -> ArrayLike | None:
    """A parameter as numbers: of a word its place among the choices; None where a list is empty.

    Raises:
        RobcogenError: If a list has neither one number nor one for each of `indices`.
    """
    if row.choices:
        return float(row.choices.index(value))
    if row.type != "double_array":
        return float(value)
    if row.size or not value:
        return value or None
    return per_joint(row.name, value, indices, n, math.inf if row.exclusive else None)
