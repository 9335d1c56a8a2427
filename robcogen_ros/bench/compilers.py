"""The compilers of this machine, and what they make of sources: objects with their cost."""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling import toolchain
from robcogen_ros.runtime.compiling.commands import ending, running

_CLANG = re.compile(r"clang\+\+(-(\d+))?$")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler of C++.

    Attributes:
        name: What it is called in tables.
        command: How it is called.
    """

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """An object file: how large its code and constants are, and what it took to compile.

    Attributes:
        path: The file.
        seconds: CPU time.
        bytes: Code and constants; None where nothing tells.
    """

    path: Path
    seconds: float
    bytes: int | None


def flags() -> list[str]:
    """Options for all sides: all that this machine can do, and what the user adds."""
    native = "-march=native" if platform.machine() in ("x86_64", "AMD64") else "-mcpu=native"
    return ["-O3", native, "-ffp-contract=fast", "-DNDEBUG", *toolchain.user_flags()]


def compilers() -> list[Compiler]:
    """The compiler that CXX names, else g++ and clang++ where they are.

    Raises:
        RobcogenError: If there is none.
    """
    if "CXX" in os.environ:
        found = [tuple(toolchain.compiler())]
    else:
        found = [(name,) for name in ("g++", _newest_clang()) if name and shutil.which(name)]
    if not found:
        found = [tuple(toolchain.compiler())]
    return [Compiler(Path(command[0]).name, command) for command in found]


def version(compiler: Compiler) -> str:
    """Returns the first line of a compiler's `--version`."""
    done = subprocess.run([*compiler.command, "--version"], capture_output=True, text=True)
    return done.stdout.partition("\n")[0].strip()


def compile_object(command: Sequence[str], source: Path) -> Compiled:
    """Compiles one source.

    Raises:
        RobcogenError: If the compiler refuses it.
    """
    target = source.with_suffix(".o")
    line = [*command, "-c", str(source), "-o", str(target)]
    with tempfile.TemporaryFile("w+") as said:
        with running(line, stdout=said, stderr=said) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise RobcogenError(f"{shlex.join(line)} {ending(process.returncode)}:\n{said.read()}")
    return Compiled(target, usage.ru_utime + usage.ru_stime, _size(target))


def lacks(compiler: Compiler, header: str, options: Sequence[str]) -> str:
    """Returns what a compiler lacks to include a header, in its words; empty if nothing."""
    line = [*compiler.command, *options, "-xc++", "-E", "-M", "-"]
    text = f"#include <{header}>"
    english = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        line, input=text, text=True, capture_output=True, check=False, env=english
    )
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    return (
        errors[0].partition("error: ")[2]
        if errors
        else f"{line[0]} ended with code {done.returncode}"
    )


def _newest_clang() -> str:
    """The newest clang++ on the path, its plain name first; empty if there is none."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    files = (file for folder in folders if folder.is_dir() for file in folder.iterdir())
    names = {file.name for file in files if _CLANG.match(file.name)}

    def age(name: str) -> int:
        found = _CLANG.match(name)
        return int(found[2]) if found and found[2] else 1000

    return max(names, key=age, default="")


def _size(target: Path) -> int | None:
    """Code and constants of an object file."""
    if shutil.which("size") is None:
        return None
    done = subprocess.run(["size", str(target)], capture_output=True, text=True, check=True)
    code, data = done.stdout.splitlines()[1].split()[:2]
    return int(code) + int(data)
