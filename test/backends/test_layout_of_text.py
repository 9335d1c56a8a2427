"""Generated C++ is laid out as clang-format lays it out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import write_changed
from robcogen_ros.program.library import Library
from test.support.examples import example

STYLE = Path(__file__).resolve().parents[2] / ".clang-format"


def clang_format() -> str:
    """The program; the test is skipped where there is none."""
    found = shutil.which("clang-format", path=Path(sys.executable).parent)
    found = found or shutil.which("clang-format")
    return found or pytest.skip("clang-format is not installed")


@pytest.mark.parametrize(
    ("name", "floating", "project"), [("fancy", False, "demo"), ("hyl", True, "zoo")]
)
def test_what_is_generated_is_formatted(name, floating, project, tmp_path):
    library = Library(example(name, floating_base=floating))
    target = Target(project, "arm", "model.kindsl", shared=("default",))
    files = cpp_files(library, target)
    paths = [tmp_path / path for path in files]
    write_changed(dict(zip(paths, files.values(), strict=True)))
    command = [clang_format(), f"--style=file:{STYLE}", "--dry-run", "--Werror"]
    result = subprocess.run([*command, *paths], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[:2000]
