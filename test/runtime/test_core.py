"""What libraries of the core export, and that methods of their objects allocate nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.backends.cpp.objects import MOST_CONTACTS, MOST_JOINTS
from robcogen_ros.backends.render import include_directory
from robcogen_ros.runtime.compiling.core import core_library
from robcogen_ros.runtime.compiling.toolchain import compiler, eigen_directory, with_headers
from test.support.compiler import clang
from test.support.hyq import STANCE, hyq
from test.support.objects import rounds

pytestmark = pytest.mark.slow

PENDULUM = """<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><mass value="1"/><origin xyz="0 0 -1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="20" velocity="9"/></joint>
</robot>"""


@pytest.mark.parametrize("name", ["ground", "momentum_observer", "simulation"])
def test_only_functions_of_c_are_exported(name: str) -> None:
    """Two cores in a process, of pip and of ROS, then do not meet."""
    said = subprocess.run(
        ["nm", "-D", "--defined-only", core_library(name, 1, 0)._name],
        capture_output=True,
        check=True,
        text=True,
    )
    strong = {line.split()[2] for line in said.stdout.splitlines() if line.split()[1] not in "VWu"}
    assert strong == {f"robcogen_core_{name}", "robcogen_core_size"}


@pytest.mark.parametrize("name", ["base_estimator", "whole_body"])
def test_it_is_compiled_anew_when_a_header_changes(name: str) -> None:
    """What the compiler reads of this package is what is looked at, and not all there is."""
    root = include_directory()
    source = root / "robcogen_ros" / "core" / "objects" / f"{name}.cpp"
    flags = [f"-I{root}", "-isystem", str(eigen_directory())]
    read = subprocess.run(
        [*compiler(), "-std=c++17", *flags, "-MM", str(source)],
        capture_output=True,
        check=True,
        text=True,
    )
    included = {Path(each).resolve() for each in re.findall(r"\S+\.[ch]pp\b|\S+\.h\b", read.stdout)}
    looked_at = {path.resolve() for path in with_headers([source])}
    assert included <= looked_at
    assert len(looked_at) < len(list(root.rglob("*.hpp"))) / 2


def state(count: int, random: np.random.Generator) -> list[Any]:
    """Positions, orientations, positions of joints, and velocities, of HyQ near its stance."""
    turn = np.append(0.1 * random.normal(size=(count, 3)), np.ones((count, 1)), axis=1)
    return [
        0.05 * random.normal(size=(count, 3)) + [0, 0, 0.9],
        turn / np.linalg.norm(turn, axis=1, keepdims=True),
        STANCE + 0.1 * random.normal(size=(count, 12)),
        random.normal(size=(count, 6)),
        random.normal(size=(count, 12)),
    ]


def test_a_ground_and_a_gait_allocate_nothing(tmp_path: Path) -> None:
    """HyQ falls from many states, and is told how to step in others."""
    random, count = np.random.default_rng(4), 300
    efforts = [50 * random.normal(size=(count, 12)), np.full((count, 1), 0.2)]
    links = len(hyq().link_names)
    falls = [*state(count, random), *efforts, np.zeros((count, 6 * links))]
    rows = rounds(hyq(), "ground", ("place", "advance"), np.hstack(falls), tmp_path)
    assert not rows[:, [0, 1, 2]].any()
    assert rows[:, -7:-3].any()  # feet touched
    commands = [
        np.ones((count, 4)),
        np.ones((count, 1)),
        np.full((count, 2), 0.2),
        np.zeros((count, 1)),
        np.full((count, 1), 0.002),
    ]
    start, now = state(count, random), state(count, random)
    rows = rounds(
        hyq(), "gait", ("start", "update"), np.hstack([*start, *now, *commands]), tmp_path
    )
    assert not rows[:, :4].any()


def test_the_observer_of_one_joint_allocates_nothing(tmp_path: Path) -> None:
    """A pendulum that is pushed."""
    robot = robcogen_ros.build(text=PENDULUM, momentum_observer=True)
    count = 200
    q, still = np.linspace(0.0, 1.0, count)[:, None], np.zeros((count, 6))
    inputs = [q, q, 5 * q, np.full((count, 1), 0.01), still, np.tile([0, 0, -9.81], (count, 1))]
    rows = rounds(robot, "momentum_observer", ("update",), np.hstack(inputs), tmp_path)
    assert not rows[:, :2].any()
    assert np.ptp(rows[:, 2]) > 1.0


def test_a_simulated_joint_allocates_nothing(tmp_path: Path) -> None:
    """A pendulum with friction, on its way and at its stops."""
    robot = robcogen_ros.build(text=PENDULUM)
    count = 200
    q = np.linspace(-2.99, 2.99, count)[:, None]
    start = [q, 9 * q, np.zeros((count, 3)), np.tile([0, 0, 0, 1], (count, 1)), np.ones((count, 6))]
    pushes = [50 * np.sin(q), np.full((count, 1), 0.01), np.zeros((count, 12))]
    inputs = np.hstack([*start, *pushes])
    rows = rounds(robot, "simulation", ("place", "advance"), inputs, tmp_path)
    assert not rows[:, :4].any()
    assert rows[-1, 4] == 3.0


@pytest.mark.skipif(clang() is None, reason="no clang++ here")
@pytest.mark.parametrize(
    "source",
    sorted((include_directory() / "robcogen_ros" / "core").glob("*.cpp")),
    ids=lambda path: path.stem,
)
def test_clang_takes_it(source: Path) -> None:
    """Templates that g++ does not look at are instantiated by clang."""
    flags = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    sizes = [f"-DROBCOGEN_MOST_JOINTS={MOST_JOINTS}", f"-DROBCOGEN_MOST_CONTACTS={MOST_CONTACTS}"]
    room = "-DEIGEN_STACK_ALLOCATION_LIMIT=4194304"
    command = [str(clang()), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, *flags, *sizes, room, str(source)], check=True)
