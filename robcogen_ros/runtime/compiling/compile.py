"""Compiling a robot where no build system is at hand, and keeping what was compiled."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.progress import task
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.compiling.modules import module
from robcogen_ros.runtime.compiling.toolchain import (
    LIBRARY_FLAGS,
    LOADABLE,
    PLAIN_STARTUP,
    alone,
    cache_directory,
    compile_sources,
    compiler,
    fingerprint,
    flags_for_here,
    processor,
    scratch_beside,
    with_headers,
)
from robcogen_ros.runtime.evaluators.compiled import CompiledEvaluator

_TARGET = Target("robcogen_cache", "robot", "the model given to robcogen_ros.build()")
_SYMBOL = f"robcogen_model_{_TARGET.project}__{_TARGET.name}"


def build_compiled(library: Library, batch: bool = False) -> CompiledEvaluator:
    """The compiled functions of a robot, from the cache if they are there.

    Args:
        library: The functions.
        batch: Whether many states are computed several at once.

    Raises:
        RobcogenError: If there is no compiler, or it fails.
    """
    cxx = compiler(instead="use build(..., backend='interpreter')")
    flags = [*LIBRARY_FLAGS, "-fno-exceptions", *flags_for_here(cxx)]
    target = replace(_TARGET, batch=batch)
    request = (library.robot, library.requested.all_names, target, cxx, flags)
    headers = (include_directory() / "robcogen_ros").rglob("*.h*")
    key = fingerprint(request, headers)
    if not os.access(_path(key), os.R_OK):
        compile_library(partial(cpp_files, library, target), cxx, flags, _path(key))
    return _from_cache(key, processor(), library, batch)


def _from_cache(key: str, made_for: str, library: Library, batch: bool) -> CompiledEvaluator:
    """Returns what was compiled, from the cache; compiles it anew for another processor."""
    if made_for != processor() or not os.access(_path(key), os.R_OK):
        return build_compiled(library, batch)
    again = partial(_from_cache, key, made_for, library, batch)
    try:
        return CompiledEvaluator(_path(key), _SYMBOL, again, "functions=", partial(module, library))
    except RobcogenError as error:
        raise RobcogenError(f"{error}; {LOADABLE}") from None


def _path(key: str) -> Path:
    return cache_directory() / key / "librobot.so"


def compile_library(
    files: Callable[[], dict[PurePosixPath, str]],
    cxx: Sequence[str],
    flags: Sequence[str],
    path: Path,
) -> None:
    """Compiles in a scratch directory, then moves the library into place in one step.

    Where several processes want the same library, the first compiles it and the others wait.

    Args:
        files: Makes the texts of its files; those in src/ are compiled.
        cxx: The compiler.
        flags: Its options.
        path: Where the library goes.

    Raises:
        RobcogenError: If the compiler fails, or nothing can be kept.
    """
    with scratch_beside(path) as root, alone(path.parent):
        if os.access(path, os.R_OK):
            return
        write_changed({root / name: text for name, text in files().items()})
        include = [f"-I{root / 'include'}", f"-I{include_directory()}"]
        objects = compile_sources([*cxx, *flags, *include], sorted(root.glob("src/*.cpp")))
        library = root / path.name
        link = [*cxx, *PLAIN_STARTUP, "-shared", "-Wl,--as-needed"]
        run([*link, *objects, "-o", str(library), "-lm"])
        library.replace(path)


def compiled_once(
    name: str, sources: Sequence[Path], flags: Sequence[str], headers: Iterable[Path], title: str
) -> Path:
    """Returns a library of the package's own sources in the cache, compiled unless it is there.

    Args:
        name: The library, `librobcogen_ros_<name>.so`.
        sources: Its sources.
        flags: Options for the compiler beside those of all libraries.
        headers: Files on which it depends beside what its sources include of this package.
        title: What is told while it is compiled.

    Raises:
        RobcogenError: If there is no compiler, it fails, or nothing can be kept.
    """
    cxx = compiler()
    options = [*LIBRARY_FLAGS, *flags, *flags_for_here(cxx)]
    texts = [path.read_bytes() for path in [*with_headers(sources), *sorted(headers)]]
    key = hashlib.sha256(repr((cxx, options, processor(), texts)).encode()).hexdigest()[:32]
    path = cache_directory() / key / f"librobcogen_ros_{name}.so"
    if not os.access(path, os.R_OK):
        files = {PurePosixPath("src") / x.name: x.read_text(encoding="utf-8") for x in sources}
        with task(title):
            compile_library(lambda: files, cxx, options, path)
    return path
