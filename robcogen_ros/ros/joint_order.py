"""Lists of numbers in parameters, one for each joint that another parameter names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError


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
    name: str, value: float | Sequence[float], indices: Sequence[int], n: int, default: float = 0.0
) -> Array:
    """One number a joint, from one for all or from a list in the order of `indices`.

    Raises:
        RobcogenError: If the list has not one number for each of `indices`.
    """
    if isinstance(value, float):
        return np.full(n, value)
    if len(value) != len(indices):
        message = f"{name}: expected one number, or {len(indices)}, found {len(value)}"
        raise RobcogenError(message)
    result = np.full(n, default)
    result[list(indices)] = value
    return result
