"""Our side: each function compiled for itself."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.bench.compilers import Compiled, Compiler, compile_object, flags
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime import toolchain

_TARGET = Target("bench", "robot", "the robot")
SYMBOL = f"robcogen_model_{_TARGET.project}__{_TARGET.name}"
"""What a library of ours exports."""


def write_sources(robot: Robot, function: str, folder: Path) -> None:
    """Write the code of one function of a robot."""
    files = cpp_files(Library(robot, [function]), _TARGET)
    write_changed({folder / path: text for path, text in files.items()})


def compile_function(folder: Path, compiler: Compiler, output: Path) -> tuple[Path, Compiled]:
    """What was written as a library, and what its code and constants cost.

    Raises:
        RobcogenError: If the compiler refuses it.
    """
    include = [f"-I{folder / 'include'}", f"-I{include_directory()}"]
    line = [*compiler.command, "-std=c++17", *flags(), "-fPIC", "-fvisibility=hidden", *include]
    objects: dict[str, Compiled] = {}
    for source in sorted((folder / "src").glob("*.cpp")):
        own = output / source.name
        own.write_bytes(source.read_bytes())
        objects[source.stem] = compile_object(line, own)
    library = output / "librobot.so"
    paths = [str(each.path) for each in objects.values()]
    toolchain.run([*compiler.command, "-shared", *paths, "-o", str(library), "-lm"])
    interface = objects.pop("model")
    if not objects:
        return library, interface
    known = [each.bytes for each in objects.values() if each.bytes is not None]
    seconds = sum(each.seconds for each in objects.values())
    return library, Compiled(library, seconds, sum(known) if known else None)
