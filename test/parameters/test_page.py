"""docs/parameters.md: its examples, followed to the letter."""

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

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "parameters.md").read_text()


@pytest.fixture
def examples(tmp_path, monkeypatch) -> dict[str, str]:
    """The examples of the page and what they print, by the names of their files."""
    found = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE, re.DOTALL))
    monkeypatch.chdir(tmp_path)
    shutil.copy(example_path("hyl"), "hyl.kindsl")
    for name, text in found.items():
        Path(name).write_text(text)
    return found


def printed(command: list[str]) -> str:
    path = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=path).stdout


@pytest.mark.parametrize("script", ["leg.py", "rod.py"])
def test_the_examples_in_python(examples, script):
    assert printed([sys.executable, script]) == examples[f"{script}.out"]


def test_the_example_in_cpp(examples):
    (words,) = re.findall(r"robcogen (generate hyl.kindsl .*)", PAGE)
    assert main([*words.split(), "--function", "gravity_torques"]) == 0
    include = ["-Igenerated/include", f"-I{include_directory()}"]
    include += ["-isystem", str(eigen_directory())]
    sources = ["leg.cpp", "generated/src/inverse_dynamics.cpp", "generated/src/more.cpp"]
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["c++", *flags, *include, *sources, "-o", "leg"], check=True)
    assert printed(["./leg"]) == examples["leg.cpp.out"]
