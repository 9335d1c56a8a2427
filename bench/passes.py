"""What each means of saving operations is worth: all of them, and all but one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bench.comparison import SUBJECTS
from robcogen_ros.bench.measured import FUNCTIONS
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library, operation_counts
from robcogen_ros.program.means import LOOPS, MEANS, SIDE_BY_SIDE

_LARGEST = 40
"""Joints of the largest random tree: larger ones only take longer."""

_UNCOUNTED = (SIDE_BY_SIDE, LOOPS)
"""Means that change no count of operations."""

SWITCHES: dict[str, tuple[str, ...]] = {
    "all": (),
    **{f"without {name}": (name,) for name in MEANS if name not in _UNCOUNTED},
}
"""What a column leaves out."""


def rows() -> Iterator[tuple[str, str, list[int]]]:
    """Robot, function, and its operations under each switch."""
    for subject in SUBJECTS:
        if subject.joints > _LARGEST:
            continue
        robot = subject.read()
        for function in FUNCTIONS:
            if function.derivative or function.entries:
                continue
            name = function.of(robot.floating_base)
            counts = [_operations(robot, name, without) for without in SWITCHES.values()]
            yield subject.title, function.name, counts


def _operations(robot: Robot, name: str, without: Collection[str]) -> int:
    """Operations of the usual form of a function."""
    program = Library(robot, [name], without=without).entry(name).fastest
    return sum(operation_counts(program).values())
