"""Work of a process: a block of points, one after the other."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import listed
from robcogen_ros.runtime.arguments import checked_number
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.study.script import Script, Study, line_of, traceback_text

ERROR = "error"
"""The column of a table that tells what a point raised."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A point without results.

    Attributes:
        message: What it raised.
        line: Where in the script; 0 if nothing tells.
        traceback: Of the script; only the first of a block with this line has one.
    """

    message: str
    line: int = 0
    traceback: str = ""


Result = dict[str, float] | Failure


@dataclass(frozen=True, slots=True)
class Outcome:
    """Results of a block.

    Attributes:
        results: Of its points, in order.
        seconds: How long they took.
        wrong: Why the study cannot go on; empty if it can.
    """

    results: list[Result]
    seconds: float
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """Task that a worker is given once.

    Attributes:
        robot: The robot, which is pickled as its model: what is compiled stays where it is.
        script: The study.
        names: What is varied, in the order of a point's values.
    """

    robot: Robot
    script: Script
    names: tuple[str, ...]

    def packed(self) -> bytes:
        """The task as it is sent."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)


class Worker:
    """Computes points on a robot of its own."""

    def __init__(self, task: Task) -> None:
        self._robot, self._script, self._names = task.robot, task.script, task.names
        self._parameters = [name for name in task.names if name in task.robot.parameters]
        self._study: Study = task.script.study(task.script.run())

    def run(self, points: Sequence[Sequence[float]]) -> Outcome:
        """The results of a block.

        Raises:
            RobcogenError: If the study returns something else than numbers by name.
        """
        begun = time.perf_counter()
        results: list[Result] = []
        lines: set[int] = set()
        for values in points:
            result = self._result(dict(zip(self._names, values, strict=True)), lines)
            results.append(result)
        return Outcome(results, time.perf_counter() - begun)

    def _result(self, point: dict[str, float], lines: set[int]) -> Result:
        """Returns a point's result; parameters that a study set are reset before each."""
        self._robot.parameters.reset()
        self._robot.parameters.update({name: point[name] for name in self._parameters})
        try:
            found = self._study(self._robot, dict(point))
        except (Exception, SystemExit) as error:
            line = line_of(error)
            trace = "" if line in lines else traceback_text(error)
            lines.add(line)
            return Failure(f"{type(error).__name__}: {error}", line, trace)
        try:
            return _numbers(found, self._names)
        except TypeError as error:
            where = ", ".join(f"{name}={value:.10g}" for name, value in point.items())
            place = self._script.place(self._study)
            raise RobcogenError(f"{place}: error: study() returned {error} (at {where})") from None


def _numbers(found: object, names: Sequence[str]) -> dict[str, float]:
    """Returns the numbers that a study returned, checked."""
    expected = "expected a dict of numbers by name, such as {'height': 0.8}"
    if not isinstance(found, Mapping):
        raise TypeError(f"{_described(found)}; {expected}")
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"the name {name!r}; {expected}")
        if name in names or name == ERROR:
            raise TypeError(f"'{name}', a name that the table has already ({listed(names)}, error)")
    return {name: _number(name, value) for name, value in found.items()}


def _number(name: str, value: Any) -> float:
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    try:
        return checked_number(name, value)
    except (TypeError, ValueError):
        raise TypeError(f"{_described(value)} for '{name}'; expected a number") from None


def _described(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text[:60]}{'...' if len(text) > 60 else ''}"


_workers = threading.local()


def run_block(task: bytes, points: Sequence[Sequence[float]]) -> Outcome:
    """Runs a block for a scheduler; a thread of a process unpacks the task once."""
    try:
        if getattr(_workers, "task", None) != task:
            _workers.worker = Worker(pickle.loads(task))
            _workers.task = task
        outcome: Outcome = _workers.worker.run(points)
        return outcome
    except RobcogenError as error:
        return Outcome([], 0.0, str(error))
