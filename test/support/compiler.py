"""Compiling the small C++ programs of tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

from robcogen_ros.backends.render import include_directory


def compile_program(source: Path, directory: Path, *flags: str) -> Path:
    """The executable of a C++ file that may include our headers."""
    program = directory / source.stem
    include = f"-I{include_directory()}"
    command = ["c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", include]
    subprocess.run([*command, str(source), "-o", str(program), *flags], check=True)
    return program
