"""Functions of random trees as straight-line code and in loops, and which is chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np

from bench.scaling import random_tree
from robcogen_ros.bench.compilers import Compiled, Compiler, compilers
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.bench.states import States
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.program.loop_costs import LOOPED

SIZES = (10, 20, 40, 60)
_ROUNDING = 1e-9

LIMIT = 1.2
"""How much slower than the other form the chosen one may be measured, by the geometric mean of
times with full and with empty caches."""


@dataclass(frozen=True)
class Form:
    """One form of a function of a random tree.

    Attributes:
        looped: Whether it runs in loops.
        chosen: Whether it is what is generated.
        hot: Nanoseconds of a call, of many in a row.
        cold: Nanoseconds of a call with empty caches.
        bytes: Code and constants.
        compile_seconds: CPU time to compile it.
    """

    looped: bool
    chosen: bool
    hot: float
    cold: float
    bytes: int | None
    compile_seconds: float

    @property
    def time(self) -> float:
        """The geometric mean of both times."""
        return (self.hot * self.cold) ** 0.5


def rows() -> Iterator[tuple[str, int, list[Form]]]:
    """Straight line and loops for trees of growing size, the forms of one measured in one run."""
    compiler = compilers()[0]
    for function in LOOPED:
        for joints in SIZES:
            with tempfile.TemporaryDirectory() as scratch:
                yield function, joints, list(_forms(function, joints, compiler, Path(scratch)))


def _forms(function: str, joints: int, compiler: Compiler, folder: Path) -> Iterator[Form]:
    path = folder / "robot.urdf"
    path.write_text(random_tree(joints).urdf(), encoding="utf-8")
    robot = read(path).robot
    library = Library(robot, [function])
    chosen = library.looped(function)
    states = folder / "states"
    np.ascontiguousarray(States(robot).ours(library.function(function))).tofile(states)
    subjects, costs = [], []
    for looped in (False, True):
        output = folder / ("loops" if looped else "straight")
        output.mkdir()
        with patch.object(Library, "looped", lambda *_, looped=looped: looped):
            write_sources(robot, function, output)
        built, cost = compile_function(output, compiler, output)
        subjects.append(Subject(built, "robot", function, states, output / "results"))
        costs.append(cost)
    meter = Meter(compiler, folder)
    _check(meter, subjects)
    yield from _measured(chosen, meter, subjects, costs)


def _check(meter: Meter, subjects: Sequence[Subject]) -> None:
    """Both compute the same."""
    straight, loops = (meter.results(subject) for subject in subjects)
    assert np.abs(loops - straight).max() < _ROUNDING * np.abs(straight).max()


def _measured(
    chosen: bool, meter: Meter, subjects: Sequence[Subject], costs: Sequence[Compiled]
) -> Iterator[Form]:
    hot, cold = meter.hot(subjects), meter.cold(subjects)
    for i, cost in enumerate(costs):
        looped = bool(i)
        yield Form(looped, looped == chosen, hot[i], cold[i], cost.bytes, cost.seconds)
