"""Programs run by Octave, which print numbers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library


def write_package(library: Library, name: str, folder: Path) -> None:
    """The package of a robot, into a folder."""
    for path, text in BACKENDS["octave"](library, Target("demo", name, "model")).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def run_octave(folder: Path, lines: Iterable[str]) -> list[list[float]]:
    """The numbers that a program prints, line by line; skips the test where there is no Octave."""
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave is None:
        pytest.skip("octave is not installed")
    (folder / "run.m").write_text("\n".join(lines))
    command = [octave, "--no-gui", "--norc", "--quiet", "run.m"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stderr[:500]
    return [[float(x) for x in line.split()] for line in done.stdout.splitlines()]
