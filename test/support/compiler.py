"""Compiling the small C++ programs of tests."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from robcogen_ros.backends.render import include_directory


@cache
def clang() -> str | None:
    """The newest clang++ here, which Debian calls by its version alone; None without one."""
    if plain := shutil.which("clang++"):
        return plain
    found = {
        int(path.name[8:]): str(path)
        for path in Path("/usr/bin").glob("clang++-*")
        if re.fullmatch(r"clang\+\+-\d+", path.name)
    }
    return found[max(found)] if found else None


def compilers() -> list[str]:
    """The C++ compilers to try things with."""
    return [compiler for compiler in (shutil.which("g++"), clang()) if compiler]


def compile_program(source: Path, directory: Path, *flags: str) -> Path:
    """The executable of a C++ file that may include our headers."""
    program = directory / source.stem
    include = f"-I{include_directory()}"
    command = ["c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", include]
    subprocess.run([*command, str(source), "-o", str(program), *flags], check=True)
    return program
