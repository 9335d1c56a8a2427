"""Compiling a robot where no build system is at hand, and keeping what was compiled."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import generator_files, include_directory, write_changed
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.compiled import CompiledEvaluator

_TARGET = Target("robcogen_cache", "robot", "the model given to robcogen_ros.build()")
_SYMBOL = f"robcogen_model_{_TARGET.project}__{_TARGET.name}"
_FLAGS = ("-std=c++17", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden")


def build_compiled(library: Library, batch: bool = False) -> CompiledEvaluator:
    """The compiled functions of a robot, from the cache if they are there.

    Args:
        library: The functions.
        batch: Whether many states are computed several at once.

    Raises:
        RobcogenError: If there is no compiler, or it fails.
    """
    compiler = _compiler()
    flags = [*_FLAGS, *shlex.split(os.environ.get("ROBCOGEN_CXXFLAGS", ""))]
    target = replace(_TARGET, batch=batch)
    path = _cache() / _key(library, target, compiler, flags) / "librobot.so"
    if not path.is_file():
        _compile(cpp_files(library, target), compiler, flags, path)
    return CompiledEvaluator(path, _SYMBOL)


def _compiler() -> list[str]:
    """The compiler that CXX names, or else the first of the usual ones."""
    named = shlex.split(os.environ.get("CXX", ""))
    for command in [named] if named else [["c++"], ["g++"], ["clang++"]]:
        if shutil.which(command[0]):
            return command
    wanted = named[0] if named else "c++, g++ or clang++"
    raise RobcogenError(
        f"no C++ compiler found ({wanted}); install one, or use build(..., backend='numpy')"
    )


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "robcogen_ros"


def _key(library: Library, target: Target, compiler: Sequence[str], flags: Sequence[str]) -> str:
    """What the compiled library depends on: the robot, what is asked of it, who makes it."""
    request = (library.robot, library.requested, target, compiler, flags)
    digest = hashlib.sha256(repr(request).encode())
    headers = sorted((include_directory() / "robcogen_ros").glob("*.h*"))
    for path in [*generator_files(), *headers]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def _compile(
    files: dict[PurePosixPath, str], compiler: Sequence[str], flags: Sequence[str], path: Path
) -> None:
    """Compile in a scratch directory, then move the library into place in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        root = Path(scratch)
        write_changed({root / name: text for name, text in files.items()})
        sources = sorted(root.glob("src/*.cpp"))
        include = [f"-I{root / 'include'}", f"-I{include_directory()}"]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [
                pool.submit(_run, [*compiler, *flags, *include, "-c", str(s), "-o", f"{s}.o"])
                for s in sources
            ]
            for job in jobs:
                job.result()
        library = root / path.name
        objects = [f"{source}.o" for source in sources]
        _run([*compiler, "-shared", "-Wl,--as-needed", *objects, "-o", str(library), "-lm"])
        library.replace(path)


def _run(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RobcogenError(f"{shlex.join(command)} failed:\n{result.stderr}")
