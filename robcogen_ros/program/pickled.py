"""Pickles of what is made of a robot: the robot and the arguments, of which it is made again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot


def pickled(make: Callable[..., Any], robot: Robot, *arguments: object) -> tuple[Any, ...]:
    """Returns the value of `__reduce__` for `make(robot, *arguments)`."""
    return _make, (_digest(robot), make, robot, *arguments)


def _make(digest: str, make: Callable[..., Any], robot: Robot, *arguments: object) -> Any:
    """Makes what was pickled, if the robot is what it was."""
    if _digest(robot) != digest:
        raise RobcogenError(
            f"robot '{robot.name}' was pickled by another version of robcogen_ros: build it again"
        )
    return make(robot, *arguments)


def _digest(robot: Robot) -> str:
    return hashlib.sha256(repr(robot).encode()).hexdigest()
