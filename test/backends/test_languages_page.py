"""docs/languages.md: its examples, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import main
from test.support.examples import example_path

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "languages.md"


def examples() -> dict[str, str]:
    """The examples of the page and what they print, by the names of their files."""
    return dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL))


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ("leg.py", [sys.executable]),
        ("compare.py", [sys.executable]),
        ("symbolic.py", [sys.executable]),
        ("optimal.py", [sys.executable]),
        ("leg.m", ["octave-cli", "--norc", "--quiet"]),
        ("tree.m", ["octave-cli", "--norc", "--quiet"]),
        ("leg.mac", ["maxima", "--very-quiet"]),
    ],
)
def test_the_example(script, command, tmp_path, monkeypatch):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    if script == "optimal.py":
        pytest.importorskip("casadi", reason="CasADi is not installed")
    monkeypatch.chdir(tmp_path)
    code = examples()
    shutil.copy(example_path("hyl"), "hyl.kindsl")
    languages = [word for name in ("python", "octave", "maxima") for word in ("--target", name)]
    words = ["generate", "hyl.kindsl", "--name", "hyl", "-o", "generated"]
    assert main([*words, *languages]) == 0
    assert main([*words, "--dataset", "10", "--seed", "1"]) == 0
    folders = ["generated", *sys.path]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    given = code[script]
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, check=True, env=path
    )
    assert done.stdout.split() == code[f"{script}.out"].split()


@pytest.mark.slow
def test_the_example_in_c(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(example_path("hyl"), "hyl.kindsl")
    words = "generate hyl.kindsl --name hyl --target c --scalar float -o generated"
    assert main(words.split()) == 0
    Path("leg.c").write_text(examples()["leg.c"])
    command = ["cc", "-std=c99", "-Wall", "-Werror", "-Igenerated", "leg.c"]
    subprocess.run([*command, "generated/robots_hyl.c", "-lm", "-o", "leg"], check=True)
    done = subprocess.run(["./leg"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == examples()["leg.c.out"].split()
