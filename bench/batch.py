"""Many states a call beside Pinocchio's single call: `robcogen bench --batch` over robots."""

from __future__ import annotations

from collections.abc import Iterator

from bench.comparison import SUBJECTS
from robcogen_ros.bench.batch import STATES, BatchRow, batch_rows
from robcogen_ros.bench.comparison import Comparison
from robcogen_ros.bench.measured import FUNCTIONS, PINOCCHIO, Measured
from robcogen_ros.bench.peers import PEERS
from robcogen_ros.model.robot import Robot

LIMITS = {"AVX-512": 24, "AVX2": 13}
"""How many times as long Pinocchio's call has to take as a state of ours."""

ROBOTS = tuple(subject for subject in SUBJECTS if not subject.joints)
"""What is measured: whole robots."""

COUNTS = (8, STATES)
"""States of a call."""

(_PINOCCHIO,) = (peer for peer in PEERS if peer.name == PINOCCHIO)
PEER = _PINOCCHIO.title
"""What it is compared with."""

_MOST_DERIVED = 20
"""Coordinates of the largest robot whose derivatives are measured: compiling others is long."""


def rows() -> Iterator[tuple[str, BatchRow]]:
    """Robot, and what a function of it takes, of as many states as there are lanes and of many."""
    for subject in ROBOTS:
        robot = subject.read()
        for function in _functions(robot):
            for count in COUNTS:
                for row in batch_rows(Comparison(robot, [_PINOCCHIO]), [function], count):
                    yield subject.title, row


def _functions(robot: Robot) -> list[Measured]:
    small = robot.n <= _MOST_DERIVED
    return [function for function in FUNCTIONS if small or not function.derivative]
