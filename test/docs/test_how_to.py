"""How-to guides run as written: each page's files, commands and what they print."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from test import pages

PAGES = sorted(path.relative_to(pages.ROOT).as_posix() for path in pages.HOW_TO)
WORDS = 600
"""A guide is a screen or two: what is longer belongs to the pages that it links to."""


@pytest.mark.parametrize("name", PAGES)
def test_guides_are_short(name):
    text = (pages.ROOT / name).read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert len(prose.split()) < WORDS


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_guides_run_as_written(name, tmp_path):
    text = (pages.ROOT / name).read_text(encoding="utf-8")
    for package in re.findall(r"^import (mujoco|casadi)$", text, re.MULTILINE):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"no {package}")
    programs = tmp_path / "python" / "bin"
    programs.mkdir(parents=True)
    python = f"PYTHONPATH={':'.join(sys.path)} exec {sys.executable}"
    commands = {
        "python": f'{python} "$@"',
        "robcogen": f'{python} -m robcogen_ros "$@"',
        "pip": ":",
    }
    for program, command in commands.items():
        script = programs / program
        script.write_text(f"#!/bin/sh\n{command}\n")
        script.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    page = pages.Page(name, home, programs.parent, minutes=False)
    page.run()
    assert not page.failed
