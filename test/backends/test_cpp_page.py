"""docs/cpp.md: its examples, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from robcogen_ros import build
from robcogen_ros.backends.render import include_directory
from robcogen_ros.cli.main import main
from test.support.eigen import eigen_directory
from test.support.examples import example_path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cpp.md").read_text()
SOURCES = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "kinematics", "state", "more")
EXAMPLES = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory in which the page's command was run, and the library compiled."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(example_path("hyl"), folder)
    (words,) = re.findall(r"robcogen (generate hyl\.kindsl .*\n.*)", PAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(words.replace("\\\n", " ").split()) == 0
    sources = [f"generated/src/{name}.cpp" for name in SOURCES]
    compiled(folder, ["-c", *sources])
    return folder


def compiled(folder: Path, arguments: list[str]) -> None:
    include = ["-Igenerated/include", f"-I{include_directory()}"]
    include += ["-isystem", str(eigen_directory())]
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run(["c++", *flags, *include, *arguments], check=True, cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leg", "derivative", "sparse"])
def test_an_example_prints_what_the_page_says(folder, name):
    (folder / f"{name}.cpp").write_text(EXAMPLES[f"{name}.cpp"])
    objects = [f"{source}.o" for source in SOURCES]
    compiled(folder, [f"{name}.cpp", *objects, "-o", name])
    printed = subprocess.run([folder / name], capture_output=True, text=True, check=True).stdout
    assert printed == EXAMPLES[f"{name}.cpp.out"]


@pytest.mark.slow
def test_the_line_that_generate_prints_makes_a_library(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    words = [str(example_path("hyl")), "--function", "gravity_torques", "--name", "leg"]
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(eigen_directory().parents[1]))
    assert main(["generate", *words, "-o", "made of it"]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    assert line.startswith("g++ -std=c++17 ")
    subprocess.run(line, shell=True, check=True)
    Path("main.cpp").write_text(
        """#include <cstdio>
#include "robots/leg.hpp"
int main()
{
  std::printf("%.9g", robots::leg::gravity_torques(robots::leg::JointVector::Constant(0.3))(1));
}"""
    )
    include = re.findall(r"-I (?:'[^']*'|\S+)", line)
    run = f"g++ -std=c++17 {' '.join(include)} main.cpp 'made of it/libleg.so' -o main && ./main"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path / "made of it")}
    done = subprocess.run(
        run, shell=True, check=True, capture_output=True, text=True, env=environment
    )
    robot = build(example_path("hyl"), backend="interpreter")
    assert float(done.stdout) == pytest.approx(robot.gravity_torques([0.3] * robot.n)[1], rel=1e-8)


def test_no_line_is_printed_for_what_needs_ros_or_is_no_cpp(tmp_path, capsys):
    for words in (["--controller"], ["--target", "python"], ["--quiet"]):
        folder = str(tmp_path / words[-1])
        assert main(["generate", str(example_path("hyl")), *words, "-o", folder]) == 0
    assert not capsys.readouterr().out
