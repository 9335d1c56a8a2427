"""Message about a name that no function has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from robcogen_ros.algorithms.functions.frames import unknown_frame
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.fused import AND
from robcogen_ros.model.names import nearest
from robcogen_ros.model.robot import Robot


def unknown_function(
    name: str, robot: Robot, known: Iterable[str], find: Callable[[str], Function | None]
) -> str:
    """A message about a name: which frame the robot has not, or the nearest name.

    Args:
        name: The name, also of several functions in one.
        robot: The robot.
        known: Names of functions.
        find: Finds a single function.
    """
    parts = [part for part in name.split(AND) if find(part) is None]
    part = parts[0] if parts else name
    message = f"there is no function '{name}'" + (f": none '{part}'" if part != name else "")
    if hint := nearest(part, known):
        return message + hint
    frame = unknown_frame(robot, part) or unknown_frame(robot, name)
    return f"{message}: {frame}" if frame else f"{message}; docs/functions.md lists them"
