"""How long each function takes to compile, and how large it is, for robots of three sizes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library, operation_counts
from test.support.robots import robot_path

ROBOTS = (
    ("Panda, 7 joints", "panda_description/urdf/panda.urdf", False, ("panda_finger_joint1",)),
    ("HyQ, 12 joints, floating", "hyq_description/robots/hyq_no_sensors.urdf", True, ()),
    (
        "G1 with hands, 43 joints, floating",
        "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
        True,
        (),
    ),
)
_FLAGS = ("-std=c++17", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden")
_TARGET = Target("bench", "robot", "the robot")


@dataclass(frozen=True, slots=True)
class Size:
    """A compiled function, in its usual and its general form.

    Attributes:
        robot: The robot.
        function: The function.
        operations: Operations of its usual form.
        seconds: CPU time that its compilation took.
        bytes: Code and constants.
    """

    robot: str
    function: str
    operations: int
    seconds: float
    bytes: int


def rows() -> Iterator[Size]:
    """Each function of the default set of each robot, compiled for itself."""
    for title, file, floating, locked in ROBOTS:
        lock = dict.fromkeys(locked, 0.0)
        robot = read(robot_path(file), floating_base=floating, lock=lock).robot
        for name in Library(robot).names:
            yield _size(title, robot, name)


def _size(title: str, robot: Robot, name: str) -> Size:
    library = Library(robot, [name])
    with tempfile.TemporaryDirectory() as folder:
        for path, text in cpp_files(library, _TARGET).items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (source,) = (
            file
            for file in Path(folder, "src").iterdir()
            if f"template void {name}<double>" in file.read_text(encoding="utf-8")
        )
        compiled = source.with_suffix(".o")
        include = [f"-I{folder}/include", f"-I{include_directory()}"]
        before = os.times()
        compiler = os.environ.get("CXX", "g++")
        command = [compiler, *_FLAGS, *include, "-c", str(source), "-o", str(compiled)]
        subprocess.run(command, check=True)
        after = os.times()
        report = subprocess.run(["size", compiled], capture_output=True, text=True, check=True)
    seconds = after.children_user - before.children_user
    code, data = (int(word) for word in report.stdout.splitlines()[1].split()[:2])
    operations = sum(operation_counts(library.entry(name).fastest).values())
    return Size(title, name, operations, seconds, code + data)
