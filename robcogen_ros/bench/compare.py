"""Comparison of this checkout with another one: each function in one interleaved run."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robcogen_ros.bench.compilers import compilers
from robcogen_ros.bench.measured import Measured
from robcogen_ros.bench.meter import Meter
from robcogen_ros.bench.meter import Subject as Library
from robcogen_ros.bench.robots import Subject
from robcogen_ros.bench.states import States, disagreement
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library as Programs

HERE = Path(__file__).parents[2]
FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
KINDS = ("instructions", "hot", "cold")
_AGREEMENT = 1e-7
_SIDE = Path(__file__).with_name("side.py")


@dataclass(frozen=True, slots=True)
class Line:
    """A function of a robot, on both sides, by the better compiler of each.

    Attributes:
        robot: Title of the robot.
        function: The function.
        old: Instructions, hot and cold nanoseconds of the other checkout.
        new: The same of this one.
        difference: How far results differ, relative.
    """

    robot: str
    function: str
    old: tuple[float, ...]
    new: tuple[float, ...]
    difference: float

    @property
    def ratios(self) -> tuple[float, ...]:
        """The costs of this checkout divided by those of the other one, of each kind."""
        return tuple(new / old for new, old in zip(self.new, self.old, strict=True))

    def __str__(self) -> str:
        ratios = "".join(f"{ratio:8.3f}" for ratio in self.ratios)
        times = "".join(f"{a:9.0f} ->{b:8.0f}" for a, b in zip(self.old, self.new, strict=True))
        note = f"  results differ by {self.difference:.0e}" * (self.difference > _AGREEMENT)
        return f"{self.robot:20} {self.function:29}{ratios}  {times}{note}"


def lines(
    other: Path, subjects: Sequence[Subject], functions: Sequence[Measured], runs: int
) -> Iterator[Line]:
    """Each function of each robot.

    Args:
        other: The other checkout.
        subjects: The robots.
        functions: Their functions.
        runs: How often all is measured; of times the medians are taken.

    Raises:
        RobcogenError: If either side does not generate or compile one.
    """
    for subject in subjects:
        for function in functions:
            with tempfile.TemporaryDirectory() as folder:
                yield _line(other, subject, function, runs, Path(folder))


def heading() -> str:
    """Returns the line above the others."""
    return f"{'new / old':50}" + "".join(f"{kind[:7]:>8}" for kind in KINDS)


def means(measured: Sequence[Line]) -> str:
    """Geometric means of the ratios: of each kind, and of hot and cold together."""
    logarithms = np.log([line.ratios for line in measured])
    each = "".join(f"{mean:8.3f}" for mean in np.exp(logarithms.mean(axis=0)))
    return f"{'geometric means':50}{each}  times {math.exp(logarithms[:, 1:].mean()):.3f}"


def _line(other: Path, subject: Subject, function: Measured, runs: int, folder: Path) -> Line:
    robot = subject.read()
    name, states = function.of(subject.floating), States(robot)
    given = folder / "states"
    states.ours(Programs(robot, [name]).function(name)).tofile(given)
    processes = [
        _start(path, subject, name, folder / side) for side, path in (("old", other), ("new", HERE))
    ]
    sides = [
        [Library(path, "robot", name, given, folder / f"{side}{i}") for i, path in enumerate(paths)]
        for side, paths in enumerate(map(_libraries, processes))
    ]
    meter, every = Meter(compilers()[0], folder), [library for side in sides for library in side]
    old, new = (meter.results(side[0]).reshape(len(states), -1) for side in sides)
    counts = [math.nan if count is None else count for count in meter.instructions(every)]
    times = [
        np.median([take(every) for _ in range(runs)], axis=0) for take in (meter.hot, meter.cold)
    ]
    old_best, new_best = (
        tuple(float(np.min(kind[part])) for kind in (np.array(counts), *times))
        for part in (slice(len(sides[0])), slice(len(sides[0]), None))
    )
    return Line(
        subject.title, function.name, old_best, new_best, disagreement(old, new, function.result)
    )


def _start(checkout: Path, subject: Subject, name: str, folder: Path) -> subprocess.Popen[str]:
    """A process that compiles one side of a function with the code of its checkout."""
    asked = {
        "file": str(subject.path),
        "floating": subject.floating,
        "lock": dict.fromkeys(subject.lock, 0.0),
        "function": name,
        "folder": str(folder),
    }
    return subprocess.Popen(
        [sys.executable, "-c", _SIDE.read_text(encoding="utf-8"), json.dumps(asked)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _libraries(process: subprocess.Popen[str]) -> list[Path]:
    out, said = process.communicate()
    if process.returncode:
        raise RobcogenError(f"{process.args!r}: {said}")
    return [Path(line) for line in out.splitlines()]
