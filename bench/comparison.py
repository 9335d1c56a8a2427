"""Ours against Pinocchio's templated C++, function by function."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import robcogen_ros
from bench.compiler import BUILD, generated_program, optimisation, pinocchio_program
from bench.meter import Command, instructions, nanoseconds
from bench.subject import FUNCTIONS, SUBJECTS, Pair, Subject

_AGREEMENT = 1e-9


@dataclass(frozen=True)
class Row:
    """One function of one robot.

    Attributes:
        robot: The robot.
        function: The function.
        operations: Our additions and multiplications.
        ours: Our instructions a call, None where nothing counts them.
        theirs: Pinocchio's, under its better convention.
        ours_ns: Our nanoseconds a call.
        shipped_ns: The same, compiled as by default: -O2, for any machine of this architecture.
        theirs_ns: Pinocchio's, under its better convention.
    """

    robot: str
    function: str
    operations: int
    ours: float | None
    theirs: float | None
    ours_ns: float
    shipped_ns: float
    theirs_ns: float


def rows() -> Iterator[Row]:
    """All robots and functions.

    Raises:
        RuntimeError: If the two sides do not agree.
    """
    ours, theirs = generated_program(), pinocchio_program()
    BUILD.mkdir(parents=True, exist_ok=True)
    for subject in SUBJECTS:
        with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
            yield from _robot_rows(subject, Path(scratch), ours, theirs)


def _robot_rows(subject: Subject, scratch: Path, ours: Path, theirs: Path) -> Iterator[Row]:
    pair = Pair(subject, scratch)
    shipped = _build(subject)
    with _flags(" ".join(optimisation())):
        robot = _build(subject)
    for function, variants in FUNCTIONS.items():
        fast = pair.generated(ours, robot.library_path, function)
        plain = pair.generated(ours, shipped.library_path, function)
        others = [pair.pinocchio(theirs, variant) for variant in variants]
        for other in others:
            _check(pair, fast, other, function)
        times = nanoseconds([fast, plain, *others])
        counts = [instructions(other) for other in others]
        yield Row(
            subject.title,
            function,
            _operations(robot, fast),
            instructions(fast),
            min((count for count in counts if count is not None), default=None),
            times[0],
            times[1],
            min(times[2:]),
        )


def _build(subject: Subject):
    lock = dict.fromkeys(subject.lock, 0.0)
    return robcogen_ros.build(subject.path, floating_base=subject.floating, lock=lock)


def _operations(robot, command: Command) -> int:
    name = command.line[3]
    return sum(robot.operation_counts[name].values())


def _check(pair: Pair, ours: Command, theirs: Command, function: str) -> None:
    error = pair.disagreement(ours, theirs, function)
    if not error < _AGREEMENT:
        raise RuntimeError(f"{pair.subject.title}: {function} differs by {error:.1e}")


@contextmanager
def _flags(flags: str) -> Iterator[None]:
    """Compile robots with these flags added."""
    before = os.environ.get("ROBCOGEN_CXXFLAGS")
    os.environ["ROBCOGEN_CXXFLAGS"] = flags
    try:
        yield
    finally:
        if before is None:
            del os.environ["ROBCOGEN_CXXFLAGS"]
        else:
            os.environ["ROBCOGEN_CXXFLAGS"] = before
