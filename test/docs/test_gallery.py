"""docs/gallery.md: its robots have the operations that the code gives, and small pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from test.support.robots import all_robots

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
sys.path.append(str(ROOT / "docs"))

import make_gallery  # noqa: E402

needs_robots = pytest.mark.skipif(not all_robots(), reason="pip install example-robot-data")


@needs_robots
@pytest.mark.parametrize("title", ["UR5", "Solo12"])
def test_operations_are_those_of_the_code(title):
    (shown,) = (each for each in make_gallery.ROBOTS if each.title == title)
    part = PAGE[PAGE.index(f"## {title}\n") :]
    assert "\n".join(make_gallery.table(shown, shown.read())) in part[: part.index("$$")]


def test_all_robots_are_shown_with_small_pictures():
    assert PAGE.count("\n## ") == len(make_gallery.ROBOTS) == 10
    for shown in make_gallery.ROBOTS:
        assert f"## {shown.title}\n" in PAGE
        picture = make_gallery.PICTURES / f"{shown.key}.png"
        assert picture.stat().st_size < 60_000
