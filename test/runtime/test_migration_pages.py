"""docs/migration: the examples run as they are written, and print what the pages say."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

import robcogen_ros
from test.support.examples import EXAMPLES

xacro = pytest.importorskip("xacro", reason="xacro is not installed")

PAGES = Path(__file__).resolve().parents[2] / "docs" / "migration"
MODELS = {
    "arm": "my_arm_control/description/my_arm.urdf.xacro",
    "quadruped": "my_quadruped/description/my_quadruped.urdf.xacro",
}


def examples(page: Path) -> dict[str, str]:
    """The examples of a page and what they print, by the names of their files."""
    return dict(re.findall(r"```\w+ (\S+)\n(.*?)```", page.read_text(), re.DOTALL))


CASES = [
    pytest.param(page, name, id=f"{page.stem}-{name}")
    for page in sorted(PAGES.glob("*.md"))
    for name in examples(page)
    if f"{name}.out" in examples(page)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The robots of the pages."""
    folder = tmp_path_factory.mktemp("migration")
    for name, path in MODELS.items():
        (folder / f"{name}.urdf").write_text(xacro.process_file(str(EXAMPLES / path)).toxml())
    shutil.copy(EXAMPLES / "hyl.kindsl", folder)
    return folder


@pytest.mark.parametrize(("page", "name"), CASES)
def test_the_example(page, name, folder, monkeypatch, capsys):
    code = examples(page)
    if "pinocchio" in code[name]:
        pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    monkeypatch.chdir(folder)
    interpreted = partial(robcogen_ros.build, backend="numpy")  # nothing to compile
    monkeypatch.setattr(robcogen_ros, "build", interpreted)
    exec(compile(code[name], name, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == code[f"{name}.out"]


def test_each_page_has_an_example():
    assert {case.values[0].stem for case in CASES} == {
        "from_kdl",
        "from_pinocchio",
        "from_robcogen",
        "from_robot_state_publisher",
    }
