"""Operations of our programs, and of the code that CppADCodeGen makes of Pinocchio's algorithms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.subject import Subject
from bench.textbook_arms import general_arm, puma_560, stanford_arm
from robcogen_ros.bench import peers
from robcogen_ros.bench.compilers import Compiler, compilers
from robcogen_ros.bench.measured import CODEGEN, measured
from robcogen_ros.bench.robot_file import bodies
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library, operation_counts
from robcogen_ros.program.program import Program
from test.support.random_robots import Tree

SUBJECTS = (
    Subject("Panda", "panda_description/urdf/panda.urdf", False, ("panda_finger_joint1",)),
    Subject("UR5", "ur_description/urdf/ur5_robot.urdf", False),
    Subject("HyQ", "hyq_description/robots/hyq_no_sensors.urdf", False),
    Subject("HyQ, floating", "hyq_description/robots/hyq_no_sensors.urdf", True),
    Subject("Solo12, floating", "solo_description/robots/solo12.urdf", True),
    Subject("Talos, floating", "talos_data/robots/talos_reduced.urdf", True),
)

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics")

LIMITS = {
    "inverse_dynamics": 0.56,
    "inertia_matrix": 0.6,
    "forward_dynamics": 0.5,
    "inverse_dynamics_derivatives": 0.55,
}
"""What we allow ourselves of CppADCodeGen's operations."""

_MOST_DERIVED = 20
"""Coordinates of the largest robot whose derivatives are counted."""

(_CODEGEN,) = (peer for peer in peers.PEERS if peer.name == CODEGEN)

PUBLISHED = (
    ("general 6R arm", general_arm, "425 / 369 (Khalil and Kleinfinger 1987)"),
    ("PUMA 560", puma_560, "305 in all (Armstrong, Khatib and Burdick 1986, abbreviated)"),
    ("Stanford arm", stanford_arm, "142 / 99 (Khalil and Kleinfinger 1987)"),
)
"""Title, arm, and multiplications / additions of its inverse dynamics in the literature.

Quoted from memory; the papers were not at hand, and their inertias may have had other zeros.
"""


MEANS: dict[str, tuple[str, ...]] = {
    "none": ("minimal-inertias", "chosen-frames", "conditioning"),
    "minimal inertias": ("chosen-frames", "conditioning"),
    "chosen frames": (),
}
"""What makes programs shorter, one after the other, and what is left out before the next."""


@dataclass(frozen=True)
class Count:
    """Multiplications and divisions; additions and subtractions. Signs are free."""

    multiplications: int
    additions: int

    @property
    def total(self) -> int:
        """Both."""
        return self.multiplications + self.additions

    def __str__(self) -> str:
        return f"{self.multiplications} / {self.additions}"


@dataclass(frozen=True)
class Row:
    """One function of one robot; `theirs` is None where CppADCodeGen is not installed."""

    robot: str
    function: str
    ours: Count
    theirs: Count | None


def rows() -> Iterator[Row]:
    """All robots and functions; Pinocchio's counts in the better of its conventions."""
    compiler = compilers()[0]
    installed = peers.installed(_CODEGEN, compiler)
    for subject in SUBJECTS:
        lock = dict.fromkeys(subject.lock, 0.0)
        robot = read(subject.path, floating_base=subject.floating, lock=lock).robot
        for function in LIMITS if robot.n <= _MOST_DERIVED else FUNCTIONS:
            theirs = _theirs(robot, function, compiler) if installed else None
            yield Row(subject.title, function, count(robot, function), theirs)


def published_rows() -> Iterator[tuple[str, Count, str]]:
    """Arms of the literature: title, our inverse dynamics, what was published."""
    for title, arm, published in PUBLISHED:
        yield title, count(_kinematic_tree(arm), "inverse_dynamics"), published


def count(robot: Robot, function: str) -> Count:
    """Our operations of a function."""
    name = _name(robot, function)
    return _count(Library(robot, [name]).entry(name).fastest)


def savings() -> Iterator[tuple[str, str, list[int]]]:
    """Robot, function, and operations with one means after the other, as `MEANS` names them."""
    for subject in SUBJECTS:
        lock = dict.fromkeys(subject.lock, 0.0)
        robot = read(subject.path, floating_base=subject.floating, lock=lock).robot
        for name in FUNCTIONS:
            yield subject.title, name, [_total(robot, name, out) for out in MEANS.values()]


def _total(robot: Robot, function: str, without: Collection[str]) -> int:
    """Operations of a function without some means."""
    name = _name(robot, function)
    return _count(Library(robot, [name], without=without).entry(name).fastest).total


def _name(robot: Robot, function: str) -> str:
    """The name of a function: of a floating base, with all motion given or asked for."""
    fully = function == "inverse_dynamics" and robot.floating_base
    return "inverse_dynamics_fully_actuated" if fully else function


def _count(program: Program) -> Count:
    counts = operation_counts(program)
    return Count(
        counts.get("multiply", 0) + counts.get("divide", 0),
        counts.get("add", 0) + counts.get("subtract", 0),
    )


def _kinematic_tree(arm: Callable[[], Tree]) -> Robot:
    return reduce(parse(Source("arm.urdf", arm().urdf())))


def _theirs(robot: Robot, name: str, compiler: Compiler) -> Count:
    """The fewest operations of a function, by the conventions that Pinocchio knows."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        path = folder / "robot"
        path.write_text(bodies(robot), encoding="utf-8")
        ways = peers.ways(_CODEGEN, measured(name))
        sources = [peers.generated_code(_CODEGEN, way, path, compiler, folder) for way in ways]
        return min((Count(*peers.counted(source)) for source in sources), key=lambda c: c.total)
