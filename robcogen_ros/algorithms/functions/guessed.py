"""Functions that begin at a guess of where joints are that follow through loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from robcogen_ros.algorithms.functions.function import STARTED, Argument, Function
from robcogen_ros.model.robot import Robot

FROM_GUESS = "_from_guess"
"""The end of the name of such a function."""

GUESS = "guess"


def guessing_function(
    robot: Robot, name: str, find: Callable[[str], Function | None]
) -> Function | None:
    """The function of a name like `joint_positions_from_guess`; None for other names.

    Args:
        robot: The robot.
        name: The name.
        find: Finds a single function.
    """
    function = find(name.removesuffix(FROM_GUESS)) if name.endswith(FROM_GUESS) else None
    if function is None or not any(argument.name == "q" for argument in function.inputs):
        return None
    meaning = "positions of all joints, of which those that steps close begin there [rad or m]"
    guess = Argument(GUESS, len(robot.joints), meaning=meaning)
    return replace(
        function,
        name=name,
        summary=f"{function.summary}; loops are closed near a guess",
        inputs=tuple(sorted((*function.inputs, guess), key=lambda argument: argument.optional)),
        needs=(*function.needs, STARTED),
    )
