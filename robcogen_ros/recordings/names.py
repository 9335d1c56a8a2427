"""Columns of a table by quantity and joint, and the names of joints there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from robcogen_ros.errors import RobcogenError

QUANTITIES = {
    "q": ("q", "position"),
    "qd": ("qd", "velocity"),
    "qdd": ("qdd", "acceleration"),
    "tau": ("tau", "effort", "torque"),
}
"""Names that quantities have in files."""

NEEDED = ("q", "tau")
_TIMES = ("time", "t", "__time", "timestamp", "stamp", "sec", "secs")
_NANOSECONDS = ("nanosec", "nanosecs", "nsec", "nsecs")


def time_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Returns the column of times, and that of the nanoseconds that are added to it, if any.

    A name counts with words before it, as in `header.stamp.sec`; the first that fits is taken.
    """
    words = {name: re.split(r"[./]", name)[-1] for name in columns}
    found = (name for time in _TIMES for name in columns if words[name] == time)
    more = (name for name in columns if words[name] in _NANOSECONDS)
    time = next(found, None)
    return () if time is None else (time, *list(more)[:1])


def recorded_names(
    joints: Sequence[str], rename: Iterable[tuple[str, str]] = (), prefix: str = ""
) -> list[str]:
    """Returns what joints are called in a recording.

    Args:
        joints: What the robot calls them.
        rename: Pairs of a name in the recording and one of the robot; beginnings of names stand
            for all that begin so: `("fer_joint", "panda_joint")`.
        prefix: What the recording has before each name.
    """

    def recorded(joint: str) -> str:
        for there, here in sorted(rename, key=lambda pair: -len(pair[1])):
            if joint.startswith(here):
                return there + joint[len(here) :]
        return joint

    return [prefix + recorded(joint) for joint in joints]


def renaming_told(joints: Sequence[str], known: Iterable[str]) -> str:
    """Returns how the names of a recording could be those of joints, for an error message."""
    known = list(dict.fromkeys(known))
    begin, own = _beginning(known), _beginning(joints)
    alike = {name[len(begin) :] for name in known} >= {name[len(own) :] for name in joints}
    if alike and begin and own and begin != own:
        return f"; perhaps rename {begin}={own}"
    return "; rename THERE=HERE says which is which" if known else ""


def _beginning(names: Sequence[str]) -> str:
    """Returns what all names begin with."""
    first = min(names, key=len, default="")
    sizes = range(len(first), 0, -1)
    return next((first[:k] for k in sizes if all(n.startswith(first[:k]) for n in names)), "")


def joint_columns(
    file: str, columns: Sequence[str], joints: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Returns for each quantity that all joints have the names of its columns.

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
            known = _joints_of(columns, quantity) if len(missing) == len(joints) else []
            raise RobcogenError(
                f"{file}: no {word} of {', '.join(missing)}; expected a column such as "
                f"{missing[0]}.{word}, found {_listed(columns)}{renaming_told(joints, known)}"
            )
    return found


def _joints_of(columns: Sequence[str], quantity: str) -> list[str]:
    """Names that have a quantity in a table."""
    words = "|".join(QUANTITIES[quantity])
    pattern = re.compile(rf"(?:.*[./])?(?:([^./]+)[./](?:{words})|(?:{words})[./]([^./]+))")
    found = [pattern.fullmatch(column) for column in columns]
    return [match[1] or match[2] for match in found if match]


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
