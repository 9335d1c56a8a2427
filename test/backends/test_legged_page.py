"""docs/legged.md: its examples, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.backends.render import include_directory
from robcogen_ros.cli.main import main
from test.support.eigen import eigen_directory
from test.support.examples import example_path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "legged.md").read_text()
EXAMPLES = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE, re.DOTALL))

COMMANDS = re.findall(r"robcogen (generate quadruped\.kindsl .*)", PAGE)
"""What generates the robot of each C++ example, in their order."""


def names_of(suffix: str) -> list[str]:
    return [name for name in EXAMPLES if name.endswith(suffix)]


@pytest.mark.parametrize("name", names_of(".py"))
def test_a_python_example_prints_what_the_page_says(name, tmp_path):
    shutil.copy(example_path("quadruped"), tmp_path)
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", EXAMPLES[name]]
    done = subprocess.run(command, cwd=tmp_path, env=path, check=True, capture_output=True)
    assert done.stdout.decode() == EXAMPLES[f"{name}.out"]


@pytest.mark.slow
def test_the_cpp_examples_print_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(example_path("quadruped"), ".")
    include = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", *include]
    for command, name in zip(COMMANDS, names_of(".cpp"), strict=True):
        words = command.split()
        assert main(words) == 0
        Path(name).write_text(EXAMPLES[name])
        sources = [*Path(words[-1], "src").glob("*.cpp")]
        own = [f"-I{words[-1]}/include", name, *sources, "-o", "example"]
        subprocess.run(["c++", *flags, *own], check=True)
        done = subprocess.run(["./example"], capture_output=True, text=True, check=True)
        assert done.stdout == EXAMPLES[f"{name}.out"]
