"""Functions that are asked for by the names of frames: `A_X_B`, `A_J_B`, `A_JdQd_B`, ...

The word between the frames says what is wanted of frame B relative to frame A. The name `full`
in place of A stands for the space in which a floating base moves; in place of B several frames
may stand, `B_and_C`, of what is a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from robcogen_ros.algorithms.functions.clearance import clearance_function
from robcogen_ros.algorithms.functions.frame_motion import MOTIONS
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.fused import AND
from robcogen_ros.algorithms.functions.limb_positions import inverse_kinematics_function
from robcogen_ros.algorithms.functions.poses import transform_function
from robcogen_ros.algorithms.functions.task_rows import Maker, Targets, row_words
from robcogen_ros.algorithms.functions.tasks import task_words
from robcogen_ros.algorithms.mechanics.derivatives.frame_hessian import hessian_function
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot

CLEARANCE = "clearance"
"""The word between the names of limbs, of one frame or two."""

FULL = "full"
"""The word for space in place of a frame's name."""


def _of_one(maker: Callable[[Robot, str, int | None, int], Function | None]) -> Maker:
    """Returns a maker of functions of one frame only: of several, it makes None."""

    def make(robot: Robot, name: str, base: int | None, targets: Targets) -> Function | None:
        return maker(robot, name, base, *targets) if len(targets) == 1 else None

    return make


_SINGLE = {
    "X": transform_function,
    "hessian": hessian_function,
    "inverse_kinematics": inverse_kinematics_function,
    **MOTIONS,
}
WORDS: dict[str, Maker] = {
    **{word: _of_one(maker) for word, maker in _SINGLE.items()},
    **row_words(),
    **task_words(),
}
"""Words between the names of two frames."""


def frame_function(robot: Robot, name: str) -> Function | None:
    """The function of frames that a name asks for; None for other names."""
    for first, second in _splits(name, f"_{CLEARANCE}_"):
        sides = _frames(robot, first), _frames(robot, second)
        if all(sides):
            return clearance_function(robot, name, *sides)
    for word in sorted(WORDS, key=len, reverse=True):
        for first, second in _splits(name, f"_{word}_"):
            base, targets = _frame(robot, first), _frames(robot, second)
            in_space = base is None and first == FULL and robot.floating_base
            if targets and (base is not None or in_space):
                return WORDS[word](robot, name, base, targets)
    return None


def unknown_frame(robot: Robot, name: str) -> str | None:
    """Returns a message if a name asks for two frames of which the robot has at most one."""
    for first, second in _splits(name, f"_{CLEARANCE}_"):
        return _problem(robot, first) or _problem(robot, second)
    found: list[str] = []
    for word in sorted(WORDS, key=len, reverse=True):
        for first, second in _splits(name, f"_{word}_"):
            if _frames(robot, second) and first == FULL:
                return f"'{FULL}' is the space in which a base moves, and this one is fixed"
            if (first == FULL and robot.floating_base) or _frame(robot, first) is not None:
                return _problem(robot, second)
            if _frames(robot, second):
                return _problem(robot, first)
            found.append(f"{_problem(robot, first)}; nor '{second}'")
    return found[0] if found else None


def _problem(robot: Robot, frames: str) -> str:
    """Returns what is wrong with a name of frames, the first wrong one; else ""."""
    for frame in frames.split(AND):
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


def _frames(robot: Robot, names: str) -> Targets:
    """The frame of a name, or the different ones of several names; none if one is unknown."""
    whole = _frame(robot, names)
    found = [whole] if whole is not None else [_frame(robot, name) for name in names.split(AND)]
    known = tuple(frame for frame in found if frame is not None)
    return known if len(set(known)) == len(found) else ()


def _frame(robot: Robot, name: str) -> int | None:
    try:
        return robot.frame_index(name)
    except RobcogenError:
        return None
