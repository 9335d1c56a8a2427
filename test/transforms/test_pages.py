"""The pages on these languages: their examples, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from test.support.compiler import compile_program
from test.support.eigen import eigen_directory
from test.support.examples import example_path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(page: str) -> dict[str, str]:
    """The named code blocks of a page."""
    text = (DOCS / page).read_text()
    return dict(re.findall(r"```\w+ (\S+)\n(.*?)```", text, re.DOTALL))


@pytest.mark.slow
def test_the_page_on_motions_and_transforms(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = blocks("motion_and_transforms_dsl.md")
    Path("crane.motdsl").write_text(code["crane.motdsl"])
    Path("crane.cpp").write_text(code["crane.cpp"])
    assert main(["motions2transforms", "crane.motdsl"]) == 0
    assert capsys.readouterr().out == code["crane.ctdsl"]
    words = ["generate", "crane.motdsl", "--project", "site", "--name", "crane"]
    assert main([*words, "-o", "generated"]) == 0
    flags = ["-Igenerated/include", "-isystem", str(eigen_directory())]
    program = compile_program(Path("crane.cpp"), tmp_path, *flags)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert f"`{printed.rstrip()}`" in (DOCS / "motion_and_transforms_dsl.md").read_text()
    slew, luff, rope, boom = 0.5, -0.8, 4.0, 12.0
    reach, height = boom * np.cos(luff), 2.5 - boom * np.sin(luff) - rope
    expected = [reach * np.cos(slew), reach * np.sin(slew), height, 1]
    assert [float(x) for x in printed.split()] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("language", "command"),
    [
        ("python", [sys.executable, "user.py"]),
        ("octave", ["octave-cli", "--norc", "--quiet", "user.m"]),
        ("maxima", ["maxima", "--very-quiet"]),
    ],
    ids=["python", "octave", "maxima"],
)
def test_the_page_in_other_languages(language, command, tmp_path, monkeypatch):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    monkeypatch.chdir(tmp_path)
    code = blocks("motion_and_transforms_dsl.md")
    for name in ("crane.motdsl", "user.py", "user.m", "user.mac"):
        Path(name).write_text(code[name])
    words = ["generate", "crane.motdsl", "--name", "crane", "-o", "generated"]
    assert main([*words, "--target", language]) == 0
    path = {**os.environ, "PYTHONPATH": "generated"}
    with Path("user.mac").open() as typed:
        printed = subprocess.run(
            command, stdin=typed, capture_output=True, text=True, check=True, env=path
        ).stdout
    assert bare(printed) == bare(code[language])


def bare(text: str) -> str:
    """A text without spaces and parentheses, which versions of Maxima set differently."""
    return re.sub(r"[\s()]", "", text)


def test_the_page_on_desired_transforms(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = blocks("desired_transforms.md")
    Path("hyl.dtdsl").write_text(code["hyl.dtdsl"])
    shutil.copy(example_path("hyl"), "hyl.kindsl")
    names: dict[str, object] = {}
    exec(code["desired.py"].replace('hyl.dtdsl")', 'hyl.dtdsl", backend="numpy")'), names)
    robot = robcogen_ros.build("hyl.kindsl", backend="numpy")
    q = [0.1, -0.4, 0.9]
    assert names["X"] == pytest.approx(robot.transform("base", "fr_foot", q))
    assert names["J"] == pytest.approx(robot.jacobian("base", "fr_foot", q))


def test_each_page_says_the_keywords_of_its_grammar():
    formats = Path(robcogen_ros.__file__).parent / "formats"
    pages = {"motion_and_transforms_dsl.md": ["motdsl", "ctdsl", "amounts"]}
    pages["desired_transforms.md"] = ["dtdsl"]
    for page, grammars in pages.items():
        text = (DOCS / page).read_text()
        for grammar in grammars:
            rules = (formats / "transforms" / f"{grammar}.lark").read_text()
            for keyword in re.findall(r'^\w+: "(\w+)"', rules, re.MULTILINE):
                assert f"'{keyword}'" in text, keyword
