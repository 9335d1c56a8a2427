"""The page on editing: its example is what the formatter makes of it."""

from __future__ import annotations

import re
from pathlib import Path

from robcogen_ros.cli.main import COMMANDS, main
from robcogen_ros.editing.languages import SUFFIXES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "editing.md").read_text()


def test_the_example(tmp_path):
    blocks = dict(re.findall(r"```kindsl (\S+)\n(.*?)```", PAGE, re.DOTALL))
    file = tmp_path / "robot.kindsl"
    file.write_text(blocks["before.kindsl"])
    assert main(["format", str(file)]) == 0
    assert file.read_text() == blocks["after.kindsl"]
    assert main(["format", "--check", str(file)]) == 0


def test_commands_and_languages():
    assert all(suffix in PAGE for suffix in SUFFIXES)
    assert set(re.findall(r"robcogen (\w+)", PAGE)) <= set(COMMANDS)


def test_files_that_are_named_exist():
    named = set(re.findall(r"editors/[\w./]*\w", PAGE))
    assert {"editors/vscode", "editors/nvim/robcogen.lua", "editors/emacs/robcogen.el"} <= named
    assert all((Path(__file__).resolve().parents[2] / path).exists() for path in named)
