"""Rows of what is told of named frames: `A_position_J_B`, `A_position_x_JdQd_B_and_C`, ...

A task is the motion of one or several frames relative to another, or of some components of it;
its rows are those of each frame, one frame after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from robcogen_ros.algorithms.functions.frame_motion import MOTIONS
from robcogen_ros.algorithms.functions.function import Function, Results, Values
from robcogen_ros.algorithms.functions.poses import jacobian_function
from robcogen_ros.model.contacts import ROWS
from robcogen_ros.model.robot import Robot

Targets = tuple[int, ...]
"""Indices of the frames that a task moves."""

Maker = Callable[[Robot, str, int | None, Targets], Function | None]
"""Makes the function of a name from the indices of its frames; None in place of A is space."""

_Whole = Callable[[Robot, str, int | None, int], Function]
"""Makes the function of all six rows of one frame."""

TASKS: dict[str, Sequence[int]] = {
    "" if word == "pose" else f"{word}_": rows for word, rows in ROWS.items()
}
"""Rows of the Jacobian that belong to a task, by what stands before the word for the result."""

_ROWS: dict[str, tuple[str, _Whole]] = {
    "J": ("Jacobian", jacobian_function),
    "Jd": ("Time derivative of the Jacobian", MOTIONS["Jd"]),
    "JdQd": ("Time derivative of the Jacobian times the velocities", MOTIONS["JdQd"]),
}
"""Results with a row for each row of the Jacobian, and the makers of all rows."""


def row_words() -> dict[str, Maker]:
    """Returns the words between names of frames, with the makers of their functions."""
    return {f"{task}{word}": _maker(task, word) for task in TASKS for word in _ROWS}


def described(robot: Robot, task: str, base: int | None, targets: Targets) -> str:
    """Returns a task in words: what moves, of which frames, relative to what."""
    quantity, _, axis = task.removesuffix("_").partition("_")
    what = (f"{axis} of the " if axis else "") + (quantity or "pose")
    names = " and ".join(robot.frames[target].name for target in targets)
    relative = "in space" if base is None else f"relative to {robot.frames[base].name}"
    return f"{what} of {names} {relative}"


def _maker(task: str, word: str) -> Maker:
    rows, (noun, whole) = TASKS[task], _ROWS[word]

    def make(robot: Robot, name: str, base: int | None, targets: Targets) -> Function:
        functions = [whole(robot, name, base, target) for target in targets]
        first, (output,) = functions[0], functions[0].outputs
        if len(targets) == 1 and not task:
            return first
        columns = range(0, output.size, output.rows)

        def compute(robot: Robot, values: Values) -> Results:
            found = [function.compute(robot, values)[output.name] for function in functions]
            return {
                output.name: [each[start + k] for start in columns for each in found for k in rows]
            }

        stacked = replace(output, rows=len(rows) * len(targets))
        summary = f"{noun}, for the {described(robot, task, base, targets)}"
        return replace(first, summary=summary, outputs=(stacked,), compute=compute)

    return make
