"""docs/loops.md: its files are those of the examples, its numbers those of the robots."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library

ROOT = Path(__file__).parents[2]
LINKAGES = ROOT / "examples" / "linkages"
PAGE = (ROOT / "docs" / "loops.md").read_text(encoding="utf-8")
sys.path.append(str(ROOT / "docs"))

import make_loops  # noqa: E402


def test_numbers_are_those_of_the_robot() -> None:
    assert "\n".join(make_loops.table()) in PAGE


@pytest.mark.parametrize("name", ["leg", "ankle"])
def test_files_are_those_of_the_examples(name: str) -> None:
    text = (ROOT / "examples" / "linkages" / f"{name}.yaml").read_text(encoding="utf-8")
    assert f"```yaml examples/linkages/{name}.yaml\n{text}```\n" in PAGE


def test_the_check_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    words = "examples/linkages/leg.urdf", "--loops", "examples/linkages/leg.yaml"
    assert f"    robcogen check {' '.join(words)}\n" in PAGE
    assert main(["check", *words]) == 0
    assert f"```text\n{capsys.readouterr().out}```" in PAGE


def test_the_leg_is_the_same_in_both_languages() -> None:
    name = "inertia_matrix"
    urdf, kindsl = (
        Library(read(LINKAGES / file, **loops).robot, [name]).entry(name).general
        for file, loops in (
            ("leg.urdf", {"loops": LINKAGES / "leg.yaml"}),
            ("leg.kindsl", {}),
        )
    )
    for motor in (-0.1, 0.2, 0.5):
        found, right = (interpret(x, {"q": [0.0, motor]})["H"] for x in (kindsl, urdf))
        assert [*map(float, found)] == pytest.approx([*map(float, right)], rel=1e-12)


def test_a_urdf_cannot_have_the_loop_of_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kindsl2urdf", str(LINKAGES / "leg.kindsl")]) == 1
    told = r"leg.kindsl:\d+:5: error: loop 'knee_rod' makes .* which a URDF without --write-loops"
    assert re.search(told, capsys.readouterr().err)


def test_the_picture_is_small() -> None:
    assert make_loops.PICTURE.stat().st_size < 100_000


def test_motors_and_the_inertia_of_their_rotors_are_as_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = re.search(r"^    robcogen (inspect --motors .*)$", PAGE, re.MULTILINE)
    assert command
    words = [str(ROOT / w) if w.startswith("examples/") else w for w in command[1].split()]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert said.strip() in PAGE
    ankle = make_loops.robot("ankle", "coordinate_jacobian")
    for line in said.splitlines()[-3:-1]:
        name, least, most, constant, off = line.split()
        k = ankle.joint_names.index(name)
        for q in ([0, 0], [0.3, 0.1], [-0.4, -0.2]):
            exact = make_loops.reflected(ankle, np.array(q))[k, k]
            assert float(least) * 0.999 < exact < float(most) * 1.001
            assert abs(float(constant) / exact - 1) < float(off.rstrip("%")) / 100 + 1e-3
