"""Which column of a table is which quantity of which joint."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robcogen_ros.errors import RobcogenError

QUANTITIES = {
    "q": ("q", "position"),
    "qd": ("qd", "velocity"),
    "qdd": ("qdd", "acceleration"),
    "tau": ("tau", "effort", "torque"),
}
"""Names that quantities have in files."""

NEEDED = ("q", "tau")
_TIMES = ("time", "t", "__time", "timestamp", "stamp")


def time_column(columns: Sequence[str]) -> str | None:
    """The column of times, if there is one."""
    return next((name for name in _TIMES if name in columns), None)


def joint_columns(
    file: str, columns: Sequence[str], joints: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """For each quantity that all joints have, the names of its columns.

    A column is `joint1.position`, `position.joint1`, with `/` for `.`, with words before it.

    Raises:
        RobcogenError: If what is needed is missing, or of some joints only.
    """
    found: dict[str, tuple[str, ...]] = {}
    for quantity in QUANTITIES:
        own = {joint: _column(file, columns, joint, quantity) for joint in joints}
        missing = [joint for joint, column in own.items() if column is None]
        if not missing:
            found[quantity] = tuple(column for column in own.values() if column is not None)
        elif quantity in NEEDED or len(missing) < len(joints):
            word = QUANTITIES[quantity][1]
            raise RobcogenError(
                f"{file}: no {word} of {', '.join(missing)}; expected a column such as "
                f"{missing[0]}.{word}, found {_listed(columns)}"
            )
    return found


def _column(file: str, columns: Sequence[str], joint: str, quantity: str) -> str | None:
    """The column of a quantity of a joint, if there is one."""
    words, name = "|".join(QUANTITIES[quantity]), re.escape(joint)
    pattern = re.compile(rf"(?:.*[./])?(?:{name}[./](?:{words})|(?:{words})[./]{name})")
    matching = [column for column in columns if pattern.fullmatch(column)]
    if len(matching) > 1:
        raise RobcogenError(f"{file}: {' and '.join(matching)} are both {quantity} of {joint}")
    return matching[0] if matching else None


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(columns[:12])
    return f"{shown} and {len(columns) - 12} more" if len(columns) > 12 else shown or "none"
