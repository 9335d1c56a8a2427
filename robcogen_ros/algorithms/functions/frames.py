"""Functions that are asked for by the names of frames: `A_X_B`, `A_J_B`, `A_JdQd_B`, ...

The word between the frames says what is wanted of frame B relative to frame A. The name `full`
in place of A stands for the space in which a floating base moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from robcogen_ros.algorithms.functions.frame_motion import MOTIONS
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.limb_positions import inverse_kinematics_function
from robcogen_ros.algorithms.functions.poses import jacobian_function, transform_function
from robcogen_ros.algorithms.functions.tasks import task_words
from robcogen_ros.algorithms.mechanics.frame_hessian import hessian_function
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot

FULL = "full"
"""What stands for space in place of a frame's name."""

Maker = Callable[[Robot, str, int | None, int], Function | None]
"""Makes the function of a name from the indices of its frames; None stands for space."""

WORDS: dict[str, Maker] = {
    "X": transform_function,
    "J": jacobian_function,
    "hessian": hessian_function,
    "inverse_kinematics": inverse_kinematics_function,
    **MOTIONS,
    **task_words(),
}
"""What may stand between the names of two frames."""


def frame_function(robot: Robot, name: str) -> Function | None:
    """The function of two frames that a name asks for; None for other names."""
    for word in sorted(WORDS, key=len, reverse=True):
        for first, second in _splits(name, f"_{word}_"):
            base, target = _frame(robot, first), _frame(robot, second)
            in_space = base is None and first == FULL and robot.floating_base
            if target is not None and (base is not None or in_space):
                return WORDS[word](robot, name, base, target)
    return None


def unknown_frame(robot: Robot, name: str) -> str | None:
    """What is wrong with a name that asks for two frames of which the robot has at most one."""
    found: list[str] = []
    for word in sorted(WORDS, key=len, reverse=True):
        for first, second in _splits(name, f"_{word}_"):
            if _frame(robot, second) is not None and first == FULL:
                return f"'{FULL}' is the space in which a base moves, and this one is fixed"
            if (first == FULL and robot.floating_base) or _frame(robot, first) is not None:
                return _problem(robot, second)
            if _frame(robot, second) is not None:
                return _problem(robot, first)
            found.append(f"{_problem(robot, first)}, and none '{second}'")
    return found[0] if found else None


def _problem(robot: Robot, frame: str) -> str:
    """What is wrong with the name of a frame."""
    try:
        robot.frame_index(frame)
    except RobcogenError as error:
        return str(error)
    return ""


def _splits(name: str, separator: str) -> Iterator[tuple[str, str]]:
    at = name.find(separator)
    while at > 0:
        yield name[:at], name[at + len(separator) :]
        at = name.find(separator, at + 1)


def _frame(robot: Robot, name: str) -> int | None:
    try:
        return robot.frame_index(name)
    except RobcogenError:
        return None
