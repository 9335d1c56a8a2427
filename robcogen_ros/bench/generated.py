"""Our side: each function compiled for itself, and called as a user of C++ calls it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.cpp.interface import interface_context
from robcogen_ros.backends.render import include_directory, render, write_changed
from robcogen_ros.bench.compilers import Compiled, Compiler, compile_object, flags
from robcogen_ros.bench.kept import SOURCES
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.evaluators.columns import column_distance

_TARGET = Target("bench", "robot", "the robot")
_NAMESPACE = f"{_TARGET.project}::{_TARGET.name}"
_SYMBOL = f"robcogen_model_{_TARGET.project}__{_TARGET.name}"
_CALLED = "called"
_UNCOUNTED = ("model", _CALLED)


def write_sources(robot: Robot, name: str, folder: Path, states: int = 0) -> None:
    """Writes the code of one function of a robot, and what the measuring program calls of it.

    Args:
        robot: The robot.
        name: The function.
        folder: Where to write.
        states: How many states a call is given, several computed at once; 0: one.
    """
    library = Library(robot, [name])
    files = cpp_files(library, replace(_TARGET, batch=states > 0))
    if not states:
        del files[PurePosixPath("src/model.cpp")]
    called = _batch(library, states) if states else _single(library)
    files[PurePosixPath("src", f"{_CALLED}.cpp")] = called
    write_changed({folder / path: text for path, text in files.items()})


def _single(library: Library) -> str:
    context = interface_context(library, batch=False)
    function = library.function(library.names[0])
    needed = [argument for argument in function.inputs if not argument.optional]
    constants = (context["default_constants"] or ["0.0"]) if library.robot.parameters else []
    arguments = ["constants"] if constants else []
    arguments += [*_begins("state", needed), *_begins("result", function.outputs)]
    name = context["functions"][0].name
    own = {"namespace": _NAMESPACE, "name": name, "arguments": arguments, "constants": constants}
    return render("bench/single.cpp.jinja", {**own, **_sizes(needed, function.outputs)})


def _batch(library: Library, states: int) -> str:
    function = library.function(library.names[0])
    needed = [argument for argument in function.inputs if not argument.optional]
    distance = column_distance(states)
    begins = dict(zip((a.name for a in needed), _begins("state", needed, distance), strict=True))
    own = {
        "symbol": _SYMBOL,
        "states": states,
        "inputs": [begins.get(argument.name, "nullptr") for argument in function.inputs],
        "distance": distance,
        "outputs": list(_begins("result", function.outputs, distance)),
        "input_sizes": [argument.size for argument in function.inputs],
        "output_sizes": [argument.size for argument in function.outputs],
    }
    return render("bench/batch.cpp.jinja", {**own, **_sizes(needed, function.outputs)})


def _begins(array: str, arguments: Iterable[Argument], distance: int = 1) -> Iterator[str]:
    """Yields the place where each argument begins in an array of the values of all."""
    offset = 0
    for argument in arguments:
        yield f"{array} + {offset}"
        offset += argument.size * distance


def _sizes(inputs: Sequence[Argument], outputs: Sequence[Argument]) -> dict[str, Any]:
    return {"width": sum(a.size for a in inputs), "size": sum(a.size for a in outputs)}


def compile_function(
    folder: Path, compiler: Compiler, output: Path, options: Sequence[str] = ()
) -> tuple[Path, Compiled]:
    """Compiles what was written into a library; returns it with the cost of its code.

    Args:
        folder: Where it was written.
        compiler: What with.
        output: Where objects and library go.
        options: Further options of the compiler.

    Raises:
        RobcogenError: If the compiler refuses it.
    """
    include = [f"-I{path}" for path in (folder / "include", include_directory(), SOURCES)]
    line = [*compiler.command, "-std=c++17", *flags(), *options]
    line += ["-fPIC", "-fvisibility=hidden", *include]
    objects: dict[str, Compiled] = {}
    for source in sorted((folder / "src").glob("*.cpp")):
        own = output / source.name
        own.write_bytes(source.read_bytes())
        objects[source.stem] = compile_object(line, own)
    library = output / "librobot.so"
    paths = [str(each.path) for each in objects.values()]
    run([*compiler.command, "-shared", *paths, "-o", str(library), "-lm"])
    counted = [each for name, each in objects.items() if name not in _UNCOUNTED]
    known = [each.bytes for each in counted if each.bytes is not None]
    seconds = sum(each.seconds for each in counted)
    return library, Compiled(library, seconds, sum(known) if known else None)
