"""Compiling a robot where no build system is at hand, and keeping what was compiled."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.cpp.objects import WHOLE_BODY
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.commands import run
from robcogen_ros.runtime.compiled import CompiledEvaluator
from robcogen_ros.runtime.modules import module
from robcogen_ros.runtime.proxqp import WITH_PROXQP, make_proxqp, proxqp_key
from robcogen_ros.runtime.toolchain import (
    LIBRARY_FLAGS,
    LOADABLE,
    PLAIN_STARTUP,
    alone,
    cache_directory,
    compile_sources,
    compiler,
    eigen_directory,
    fingerprint,
    flags_for_here,
    processor,
    proxsuite_directory,
    scratch_beside,
)

_TARGET = Target("robcogen_cache", "robot", "the model given to robcogen_ros.build()")
_SYMBOL = f"robcogen_model_{_TARGET.project}__{_TARGET.name}"


def build_compiled(
    library: Library, batch: bool = False, objects: tuple[str, ...] = ()
) -> CompiledEvaluator:
    """The compiled functions of a robot, from the cache if they are there.

    Args:
        library: The functions.
        batch: Whether many states are computed several at once.
        objects: What the robot has beside functions.

    Raises:
        RobcogenError: If there is no compiler, or it fails.
    """
    cxx = compiler(instead="use build(..., backend='interpreter')")
    flags = [*LIBRARY_FLAGS, *_headers_of(objects), *flags_for_here(cxx)]
    target = replace(_TARGET, batch=batch, objects=objects)
    proxqp = proxqp_key() if WITH_PROXQP in flags else ""
    request = (library.robot, library.requested.all_names, target, cxx, flags, proxqp)
    headers = (include_directory() / "robcogen_ros").rglob("*.h*")
    key = fingerprint(request, headers)
    if not os.access(_path(key), os.R_OK):
        _compile(partial(cpp_files, library, target), cxx, flags, _path(key))
    return _kept(key, processor(), library, batch, objects)


def _headers_of(objects: tuple[str, ...]) -> list[str]:
    """Options that lead to the headers which objects need."""
    if not objects:
        return []
    solves = WHOLE_BODY.name in objects and proxsuite_directory() is not None
    return ["-isystem", str(eigen_directory()), *[WITH_PROXQP] * solves]


def _kept(
    key: str, made_for: str, library: Library, batch: bool, objects: tuple[str, ...]
) -> CompiledEvaluator:
    """What was compiled, from the cache; missing there, or for another processor, made anew."""
    if made_for != processor() or not os.access(_path(key), os.R_OK):
        return build_compiled(library, batch, objects)
    again = partial(_kept, key, made_for, library, batch, objects)
    try:
        return CompiledEvaluator(_path(key), _SYMBOL, again, "functions=", partial(module, library))
    except RobcogenError as error:
        raise RobcogenError(f"{error}; {LOADABLE}") from None


def _path(key: str) -> Path:
    return cache_directory() / key / "librobot.so"


def _compile(
    files: Callable[[], dict[PurePosixPath, str]],
    cxx: Sequence[str],
    flags: Sequence[str],
    path: Path,
) -> None:
    """Compile in a scratch directory, then move the library into place in one step.

    Where several processes want the same library, the first compiles it and the others wait.
    """
    with scratch_beside(path) as root, alone(path.parent):
        if os.access(path, os.R_OK):
            return
        write_changed({root / name: text for name, text in files().items()})
        include = [f"-I{root / 'include'}", f"-I{include_directory()}"]
        with ThreadPoolExecutor(1) as beside:
            proxqp = beside.submit(make_proxqp) if WITH_PROXQP in flags else None
            objects = compile_sources([*cxx, *flags, *include], sorted(root.glob("src/*.cpp")))
            objects += [str(proxqp.result())] if proxqp is not None else []
        library = root / path.name
        link = [*cxx, *PLAIN_STARTUP, "-shared", "-Wl,--as-needed"]
        run([*link, *objects, "-o", str(library), "-lm"])
        library.replace(path)
