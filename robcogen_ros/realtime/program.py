"""The program that controls one simulated robot in a real-time loop: made once, then run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, render, write_changed
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.realtime.outcome import Outcome
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.compiling.toolchain import (
    cache_directory,
    compile_sources,
    compiler,
    eigen_directory,
    fingerprint,
    flags_for_here,
    scratch_beside,
)

FUNCTIONS = ("inverse_dynamics", "gravity_torques", "forward_dynamics")
"""Functions that the program needs of a robot."""
_TARGET = Target("robcogen_realtime", "robot", "the model given to robcogen realtime")
_FLAGS = ("-std=c++17", "-O2", "-DNDEBUG", "-pthread")


def build_program(robot: Robot) -> Path:
    """The executable for a robot, from the cache if it is there.

    Raises:
        RobcogenError: If the robot cannot be simulated, or its program not be compiled here.
    """
    library = Library(robot, FUNCTIONS)
    _refuse(library)
    cxx, eigen = compiler(), eigen_directory()
    flags = [*_FLAGS, *flags_for_here(cxx), "-isystem", str(eigen)]
    headers = (include_directory() / "robcogen_ros").rglob("*.h*")
    key = fingerprint((robot, FUNCTIONS, cxx, flags), headers)
    path = cache_directory() / key / "realtime"
    if not os.access(path, os.X_OK):
        _compile(library, [*cxx, *flags], path)
    return path


def run_program(program: Path, request: Mapping[str, object]) -> Outcome:
    """Runs the program and returns its measurements.

    Args:
        program: The executable.
        request: Names and values, single ones or one a joint.

    Raises:
        RobcogenError: If it fails.
    """
    lines = [f"{name} {_words(value)}\n" for name, value in request.items()]
    result = subprocess.run(
        [program], input="".join(lines), capture_output=True, text=True, check=False
    )
    if result.returncode:
        ending = result.stderr.strip() or f"it ended with code {result.returncode}"
        raise RobcogenError(f"the real-time loop failed: {ending}")
    return Outcome.parse(result.stdout)


def _refuse(library: Library) -> None:
    """Refuses robots that such a program cannot control."""
    robot = library.robot
    if sys.platform != "linux":
        raise RobcogenError("robcogen realtime needs Linux: it asks for SCHED_FIFO and mlockall")
    if robot.floating_base:
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base, whose posture no joint controls; "
            "robcogen realtime needs a fixed base"
        )
    if robot.n == 0:
        raise RobcogenError(f"robot '{robot.name}' has no joint that moves")
    for parameter in robot.parameters:
        if parameter.default is None:
            raise RobcogenError(
                f"robot '{robot.name}' leaves {parameter.name} open; robcogen realtime needs a "
                "robot whose parameters have defaults"
            )
    for names, reason in library.requested.refusals():
        raise RobcogenError(f"no {', '.join(names)}: {reason}")


def _compile(library: Library, command: list[str], path: Path) -> None:
    """Compiles in a scratch directory, then moves the program into place in one step."""
    files = cpp_files(library, _TARGET)
    context = {"project": _TARGET.project, "target": _TARGET.name}
    files[PurePosixPath("src/main.cpp")] = render("cpp/realtime.cpp.jinja", context)
    del files[PurePosixPath("src/model.cpp")]
    with scratch_beside(path) as root:
        write_changed({root / name: text for name, text in files.items()})
        include = [f"-I{root / 'include'}", f"-I{include_directory()}"]
        objects = compile_sources([*command, *include], sorted(root.glob("src/*.cpp")))
        program = root / path.name
        run([*command, "-Wl,-z,now", *objects, "-o", str(program), "-lm"])
        program.replace(path)


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
