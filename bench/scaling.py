"""How generation and compilation grow with the robot, and how long whole robots take."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library, operation_counts
from test.support.random_robots import Joint, Link, Tree
from test.support.robots import robot_path

SIZES = (10, 20, 40, 100)
_TARGET = Target("bench", "robot", "the robot")
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "inertia_matrix_inverse")
WHOLE = (
    ("Panda, 7 joints", "panda_description/urdf/panda.urdf", False, ("panda_finger_joint1",), 10),
    (
        "G1 with hands, 43 joints, floating",
        "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
        True,
        (),
        60,
    ),
    ("Talos, 32 joints, floating", "talos_data/robots/talos_reduced.urdf", True, (), 60),
)
"""Title, file, floating, locked joints, and the seconds that it may take."""


@dataclass(frozen=True)
class Row:
    """One function of a random tree.

    Attributes:
        joints: Number of joints.
        function: The function.
        operations: Additions, multiplications, divisions, sines ... of a call; None in loops.
        generate: Seconds to read the robot and make its C++.
        compile: Seconds to compile it.
    """

    joints: int
    function: str
    operations: int | None
    generate: float
    compile: float


@dataclass(frozen=True)
class Whole:
    """A whole robot, all functions: seconds taken, allowed, and taken on all cores together."""

    title: str
    seconds: float
    limit: int
    cpu_seconds: float


def rows() -> Iterator[Row]:
    """Each function of random trees of growing size."""
    for joints in SIZES:
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write(random_tree(joints).urdf())
            file.flush()
            for function in FUNCTIONS:
                yield _row(joints, function, file.name)


def whole_robots() -> Iterator[Whole]:
    """Reading, generating and compiling real robots, nothing kept from before."""
    for title, file, floating, lock, limit in WHOLE:
        with _empty_cache():
            start, cpu = time.perf_counter(), _cpu_seconds()
            robcogen_ros.build(
                robot_path(file), floating_base=floating, lock=dict.fromkeys(lock, 0.0)
            )
            seconds = time.perf_counter() - start
            yield Whole(title, seconds, limit, _cpu_seconds() - cpu)


def random_tree(joints: int) -> Tree:
    """A tree of turning joints in general directions, one in four a new branch."""
    random = Random(joints)
    links = _links(joints + 1, random)
    parents = [max(0, i - (1 if random.random() < 0.75 else 5)) for i in range(1, joints + 1)]
    hinges = [
        Joint(
            f"joint{i}",
            "revolute",
            f"link{parent}",
            f"link{i}",
            _three(random, 0.3),
            _three(random, 3),
            _three(random, 1),
        )
        for i, parent in enumerate(parents, start=1)
    ]
    return Tree(tuple(links), tuple(hinges))


def _three(random: Random, scale: float) -> tuple[float, float, float]:
    x, y, z = (round(random.uniform(-scale, scale), 3) for _ in range(3))
    return x, y, z


def _links(count: int, random: Random) -> list[Link]:
    return [_link(f"link{i}", random.uniform(1, 3), _three(random, 0.1)) for i in range(count)]


def _link(name: str, mass: float, center: tuple[float, float, float]) -> Link:
    tensor = (0.01, 0.001, -0.002, 0.012, 0.0015, 0.014)
    return Link(name, round(mass, 2), center, tensor=tensor)


def _row(joints: int, function: str, path: str) -> Row:
    start = time.perf_counter()
    library = Library(read(path).robot, [function])
    cpp_files(library, _TARGET)
    generated = time.perf_counter()
    with _empty_cache():
        robcogen_ros.build(path, functions=[function])
    whole, generate = time.perf_counter() - generated, generated - start
    operations = None
    if not library.looped(function):
        operations = sum(operation_counts(library.entry(function).fastest).values())
    return Row(joints, function, operations, generate, max(0.0, whole - generate))


def _cpu_seconds() -> float:
    """CPU time of this process and of the compilers it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Nothing compiled before is found."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory() as directory:
        os.environ["XDG_CACHE_HOME"] = str(Path(directory))
        try:
            yield
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before
