"""docs/loops.md: its files are those of the examples, its numbers those of the robots."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import main

ROOT = Path(__file__).parents[2]
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


def test_the_picture_is_small() -> None:
    assert make_loops.PICTURE.stat().st_size < 100_000
