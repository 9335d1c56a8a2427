"""The C++ compiler of this machine, and where what it made is kept."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from robcogen_ros.backends.render import generator_files
from robcogen_ros.errors import RobcogenError

_ARITHMETIC = (
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fsigned-zeros",
    "-fno-finite-math-only",
)
"""What undoes -ffast-math, -Ofast and their parts, of a source."""

PLAIN_STARTUP = ("-fno-fast-math", "-fno-unsafe-math-optimizations", "-O2")
"""What undoes them of a library, which would let its process take small numbers for zero."""


def compiler(instead: str = "") -> list[str]:
    """The compiler that CXX names, or else the first of the usual ones.

    Args:
        instead: What one can do without a compiler, said where there is none.

    Raises:
        RobcogenError: If there is none.
    """
    named = shlex.split(os.environ.get("CXX", ""))
    for command in [named] if named else [["c++"], ["g++"], ["clang++"]]:
        if shutil.which(command[0]):
            return command
    wanted = named[0] if named else "c++, g++ or clang++"
    advice = f"install one, or {instead}" if instead else "install one"
    raise RobcogenError(f"no C++ compiler found ({wanted}); {advice}")


def user_flags() -> list[str]:
    """Options for the compiler, the last ones: those of the environment, ROBCOGEN_CXXFLAGS.

    Whatever they are, arithmetic stays that of IEEE 754, on which sines and NaN depend.
    """
    return [*shlex.split(os.environ.get("ROBCOGEN_CXXFLAGS", "")), *_ARITHMETIC]


def cache_directory() -> Path:
    """Where what was compiled is kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "robcogen_ros"


def fingerprint(request: object, headers: Iterable[Path]) -> str:
    """What a compiled file depends on: a request, the generator and the headers it includes.

    Args:
        request: Anything whose `repr()` tells all that was asked for.
        headers: Files that generated code includes.
    """
    digest = hashlib.sha256(repr(request).encode())
    for path in [*generator_files(), *sorted(headers)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def compile_sources(command: Sequence[str], sources: Sequence[Path]) -> list[str]:
    """Compile sources side by side; the object files, each beside its source.

    Args:
        command: The compiler and its options.
        sources: The files.

    Raises:
        RobcogenError: If the compiler refuses one, with what it said.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(run, [*command, "-c", str(s), "-o", f"{s}.o"]) for s in sources]
        for job in jobs:
            job.result()
    return [f"{source}.o" for source in sources]


def run(command: Sequence[str]) -> None:
    """Run a command of the toolchain.

    Raises:
        RobcogenError: If it fails, with what it said.
    """
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RobcogenError(f"{shlex.join(command)} failed:\n{result.stderr}")
