"""Functions of random trees as straight-line code and in loops, and which is chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np

from bench.scaling import random_tree
from robcogen_ros.bench.compilers import Compiler, compilers
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.bench.states import States
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.program.loop_costs import LOOPED
from test.support.random_robots import Tree

SIZES = (10, 20, 40, 60)
_NAMES = ("straight line", "loops")
_ROUNDING = 1e-9

LIMIT = 1.2
"""How much slower than the other form the chosen one may be measured, by the geometric mean of
times with full and with empty caches."""


@dataclass(frozen=True)
class Form:
    """One form of a function of a random robot.

    Attributes:
        name: What form it is.
        chosen: Whether it is what is generated.
        hot: Nanoseconds of a call, of many in a row.
        cold: Nanoseconds of a call with empty caches.
        bytes: Code and constants.
        compile_seconds: CPU time to compile it.
    """

    name: str
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
    """Both forms in one run, for trees of growing size."""
    compiler = compilers()[0]
    for function, joints in product(LOOPED, SIZES):
        with tempfile.TemporaryDirectory() as scratch:
            found = _forms(function, random_tree(joints), compiler, Path(scratch))
            yield function, joints, list(found)


def _forms(function: str, tree: Tree, compiler: Compiler, folder: Path) -> Iterator[Form]:
    path = folder / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path).robot
    library = Library(robot, [function])
    looped = library.looped(function)
    states = folder / "states"
    np.ascontiguousarray(States(robot).ours(library.function(function))).tofile(states)
    subjects, costs = [], []
    for name in _NAMES:
        output = folder / name.replace(" ", "_")
        output.mkdir()
        answer = name == "loops"
        with patch.object(Library, "looped", lambda *_, answer=answer: answer):
            write_sources(robot, function, output)
        built, cost = compile_function(output, compiler, output)
        subjects.append(Subject(built, "robot", function, states, output / "results"))
        costs.append(cost)
    meter = Meter(compiler, folder)
    _check(meter, subjects)
    hot, cold = meter.hot(subjects), meter.cold(subjects)
    for i, (name, cost) in enumerate(zip(_NAMES, costs, strict=True)):
        yield Form(name, bool(i) == looped, hot[i], cold[i], cost.bytes, cost.seconds)


def _check(meter: Meter, subjects: Sequence[Subject]) -> None:
    """Both compute the same."""
    straight, other = (meter.results(subject) for subject in subjects)
    assert np.abs(other - straight).max() < _ROUNDING * np.abs(straight).max()
