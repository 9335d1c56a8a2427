"""The C++ compiler of this machine, and where what it made is kept."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import shlex
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from robcogen_ros.backends.render import generator_files, include_directory
from robcogen_ros.errors import RobcogenError
from robcogen_ros.progress import task
from robcogen_ros.runtime.compiling.commands import run_all

_ARITHMETIC = (
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fsigned-zeros",
    "-fno-finite-math-only",
)
"""Flags that undo -ffast-math, -Ofast and their parts, of a source."""

LIBRARY_FLAGS = ("-std=c++17", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden")
"""Flags of sources of a library to load."""

_INCLUDE = re.compile(r'^ *# *include "(.*)"', re.MULTILINE)

PLAIN_STARTUP = ("-fno-fast-math", "-fno-unsafe-math-optimizations", "-O2")
"""Flags that undo them for a library, which would let its process take small numbers for zero."""


def compiler(instead: str = "") -> list[str]:
    """The C++ compiler that CXX names, or else the first of the usual ones.

    Args:
        instead: What one can do without a compiler, said where there is none.

    Raises:
        RobcogenError: If there is none.
    """
    return _find_compiler("C++", "CXX", ("c++", "g++", "clang++"), instead)


def c_compiler() -> list[str]:
    """The C compiler that CC names, or else the first of the usual ones.

    Raises:
        RobcogenError: If there is none.
    """
    return _find_compiler("C", "CC", ("cc", "gcc", "clang"))


def _find_compiler(
    language: str, variable: str, usual: Sequence[str], instead: str = ""
) -> list[str]:
    """The compiler that a variable of the environment names, or else the first of the usual."""
    named = _words(variable)
    for command in [named] if named else [[each] for each in usual]:
        if shutil.which(command[0]):
            return command
    listed = f"{', '.join(usual[:-1])} or {usual[-1]}"
    wanted = f"{variable} names '{named[0]}'" if named else listed
    advice = f"install one, or name it in the environment variable {variable}"
    raise RobcogenError(
        f"no {language} compiler found ({wanted}); {advice}{f', or {instead}' if instead else ''}"
    )


def user_flags() -> list[str]:
    """Options for the compiler, the last ones: those of the environment, ROBCOGEN_CXXFLAGS.

    Whatever they are, arithmetic stays that of IEEE 754, on which sines and NaN depend.
    """
    return [*_words("ROBCOGEN_CXXFLAGS"), *_ARITHMETIC]


def flags_for_here(cxx: Sequence[str]) -> list[str]:
    """Options for code that runs on this machine alone, and those of the user.

    Args:
        cxx: The compiler.
    """
    flags = user_flags()
    if not processor() or any(flag.startswith(_SETS) for flag in (*cxx, *flags)):
        return flags
    return ["-march=native", "-ffp-contract=fast", *flags]


_SETS = ("-march=", "-mcpu=", "-mavx", "-mfma")
"""Beginnings of options that choose instructions."""


def processor() -> str:
    """Returns what tells processors of x86-64 on Linux apart; empty for others."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    words = ("vendor_id", "cpu family", "model", "flags")
    first = text.partition("\n\n")[0].splitlines()
    return "\n".join(line for line in first if line.partition("\t")[0] in words)


def _words(variable: str) -> list[str]:
    """The words of an environment variable, as a shell divides them."""
    text = os.environ.get(variable, "")
    try:
        return shlex.split(text)
    except ValueError as error:
        message = f"environment variable {variable}: {str(error).lower()} in '{text}'"
        raise RobcogenError(message) from None


def eigen_directory() -> Path:
    """The directory that holds `Eigen/Core`.

    Raises:
        RobcogenError: If there is none.
    """
    for directory in (prefix / "include" / "eigen3" for prefix in _prefixes()):
        if (directory / "Eigen" / "Core").is_file():
            return directory
    raise RobcogenError(
        "the headers of Eigen are not found; install them (Debian, Ubuntu: apt install "
        "libeigen3-dev; by pip: cmeel-eigen), or name their prefix in CMAKE_PREFIX_PATH"
    )


def proxsuite_directory() -> Path | None:
    """The directory that holds `proxsuite/`, the headers of the QP solver; None where it is not."""
    for directory in (prefix / "include" for prefix in _prefixes()):
        if (directory / "proxsuite" / "proxqp" / "dense" / "wrapper.hpp").is_file():
            return directory
    return None


def _prefixes() -> Iterator[Path]:
    """Yields the folders where headers may be, the first first."""
    for variable in ("CMAKE_PREFIX_PATH", "AMENT_PREFIX_PATH"):
        given = os.environ.get(variable, "").split(os.pathsep)
        yield from (Path(prefix) for prefix in given if prefix)
    for scheme in ("purelib", "platlib"):
        yield Path(sysconfig.get_paths()[scheme], "cmeel.prefix")
    yield from (Path(sys.prefix), Path("/usr"), Path("/usr/local"))


def cache_directory() -> Path:
    """Returns the folder of what was compiled.

    Raises:
        RobcogenError: If nothing tells where the user's home is.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        raise RobcogenError(
            "no place to keep what is compiled: there is no home directory; set the environment "
            "variable XDG_CACHE_HOME"
        ) from None
    return Path(base) / "robcogen_ros"


@contextmanager
def scratch_beside(path: Path) -> Iterator[Path]:
    """A directory to make a file in that is then moved to its place in the cache.

    Raises:
        RobcogenError: If nothing can be written there, or what is done in the directory raises it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
            yield Path(scratch)
    except OSError as error:
        raise RobcogenError(not_kept(error.strerror)) from error
    except RobcogenError as error:
        if isinstance(error.__cause__, OSError):
            raise RobcogenError(not_kept(error.__cause__.strerror)) from error
        if shutil.disk_usage(path.parent).free < _LITTLE_SPACE:
            raise RobcogenError(not_kept(os.strerror(errno.ENOSPC))) from error
        raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other processes out of a folder meanwhile, if system and disk have locks."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


_LITTLE_SPACE = 1 << 20
"""Bytes that a disk has left which is as good as full."""


LOADABLE = (
    "remove the file, or set the environment variable XDG_CACHE_HOME to a directory that "
    "libraries may be loaded from"
)
"""Advice about a library that cannot be loaded."""


def not_kept(reason: str | None) -> str:
    """Returns the message that nothing can be written to the cache."""
    return (
        f"cannot keep what is compiled in {cache_directory()}: {reason}; set the environment "
        "variable XDG_CACHE_HOME to a directory that can be written to"
    )


def fingerprint(request: object, headers: Iterable[Path]) -> str:
    """Returns the digest of all that a compiled file depends on, the processor included.

    Args:
        request: Anything whose `repr()` tells all that was asked for.
        headers: Files that generated code includes.
    """
    digest = hashlib.sha256(repr((request, processor())).encode())
    for path in [*generator_files(), *sorted(headers)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def with_headers(sources: Iterable[Path]) -> list[Path]:
    """Returns sources and the headers they include, of this package or beside them, in order.

    Headers that only some macros include are among them.

    Args:
        sources: Files of C or C++.
    """
    found: set[Path] = set()
    pending = list(sources)
    while pending:
        path = pending.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
            pending += [path.parent / name, include_directory() / name]
    return sorted(found)


def compile_sources(command: Sequence[str], sources: Sequence[Path]) -> list[str]:
    """Compiles sources side by side; returns the object files, each beside its source.

    Args:
        command: The compiler and its options.
        sources: The files.

    Raises:
        RobcogenError: If the compiler refuses one, with what it said.
    """
    commands = [[*command, "-c", str(source), "-o", f"{source}.o"] for source in sources]
    with task("compiling", len(sources), "files") as step:
        run_all(commands, lambda _: step.advance())
    return [f"{source}.o" for source in sources]
