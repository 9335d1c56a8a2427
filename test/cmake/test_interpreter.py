"""The interpreter from plain CMake: a program file is evaluated, contacts are switched by name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from test.cmake.tools import CMAKE, NOTHING_SOURCED, PACKAGES, needs_ros, run

pytestmark = needs_ros


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_program_without_python_finds_and_uses_it(
    compiler: str, workspace: Path, tmp_path: Path
) -> None:
    found = shutil.which(compiler)
    if found is None:
        pytest.skip(f"not here to build with: {compiler}")
    installed = workspace / "install"
    options = [
        f"-DCMAKE_PREFIX_PATH={installed / 'robcogen_ros'}",
        f"-DCMAKE_CXX_COMPILER={found}",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror -pedantic",
    ]
    run([CMAKE, "-S", PACKAGES / "solver", "-B", tmp_path, *options], env=NOTHING_SOURCED)
    run([CMAKE, "--build", tmp_path], env=NOTHING_SOURCED)
    program = installed / "two_arms" / "share" / "two_arms" / "open" / "open.program"
    printed = run([tmp_path / "solve", program], env=NOTHING_SOURCED)
    rows = [[float(x) for x in line.split()] for line in printed.splitlines()]
    expected = [0.5, 2.0], [2.0, 0.5], [2.0, 0.0], [0.5]
    assert rows == [pytest.approx(row, abs=1e-12) for row in expected]
    assert "python" not in run(["ldd", tmp_path / "solve"])
