"""Forms of functions of random robots, and which is chosen.

Straight-line code, and loops or lanes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np

from bench.scaling import random_chain, random_tree
from robcogen_ros.bench.compilers import Compiler, compilers
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.bench.states import States
from robcogen_ros.formats.read import read
from robcogen_ros.program.joint_lane_costs import IN_JOINT_LANES
from robcogen_ros.program.library import Library
from robcogen_ros.program.loop_costs import LOOPED
from test.support.random_robots import Tree

SIZES = (10, 20, 40, 60)
CHAINS = (4, 5, 6, 7, 8)
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


@dataclass(frozen=True)
class _Switch:
    """What is written in place of straight-line code.

    Attributes:
        name: What it is called.
        question: The method of a library that tells whether that is done.
    """

    name: str
    question: str


_LOOPS = _Switch("loops", "looped")
_LANES = _Switch("lanes", "in_joint_lanes")


def rows() -> Iterator[tuple[str, int, list[Form]]]:
    """Both forms in one run, for trees and chains of growing size."""
    compiler = compilers()[0]
    every = [(f, n, random_tree(n), _LOOPS) for f in LOOPED for n in SIZES]
    every += [(f, n, random_chain(n), _LANES) for f in IN_JOINT_LANES for n in CHAINS]
    for function, joints, robot, switch in every:
        with tempfile.TemporaryDirectory() as scratch:
            found = _forms(function, robot, switch, compiler, Path(scratch))
            yield function, joints, list(found)


def _forms(
    function: str, tree: Tree, switch: _Switch, compiler: Compiler, folder: Path
) -> Iterator[Form]:
    path = folder / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    robot = read(path).robot
    library = Library(robot, [function])
    chosen = getattr(library, switch.question)(function)
    states = folder / "states"
    np.ascontiguousarray(States(robot).ours(library.function(function))).tofile(states)
    subjects, costs = [], []
    for name in ("straight line", switch.name):
        output = folder / name.replace(" ", "_")
        output.mkdir()
        answer = name == switch.name
        with patch.object(Library, switch.question, lambda *_, answer=answer: answer):
            write_sources(robot, function, output)
        built, cost = compile_function(output, compiler, output)
        subjects.append(Subject(built, "robot", function, states, output / "results"))
        costs.append(cost)
    meter = Meter(compiler, folder)
    _check(meter, subjects)
    hot, cold = meter.hot(subjects), meter.cold(subjects)
    for i, (name, cost) in enumerate(zip(("straight line", switch.name), costs, strict=True)):
        yield Form(name, bool(i) == chosen, hot[i], cold[i], cost.bytes, cost.seconds)


def _check(meter: Meter, subjects: Sequence[Subject]) -> None:
    """Both compute the same."""
    straight, other = (meter.results(subject) for subject in subjects)
    assert np.abs(other - straight).max() < _ROUNDING * np.abs(straight).max()
