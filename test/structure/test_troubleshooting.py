"""Messages on the page of symptoms are those of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "troubleshooting.md"


def texts() -> Iterator[str]:
    """Text in quotes in Python, C++ and CMake, pieces of one text joined."""
    for file in (ROOT / "robcogen_ros").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    for folder in ("include", "cmake"):
        for file in (f for f in (ROOT / folder).rglob("*") if f.is_file()):
            text = re.sub(r'"\s*\n\s*"|\\\n', "", file.read_text(encoding="utf-8"))
            yield re.sub(r"\$\{\w+\}", "...", text)


def test_messages_are_those_of_the_code():
    first = re.findall(r"^\| (.*?) \| .* \| .* \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    messages = [message for cell in first for message in re.findall(r"`([^`]*)`", cell)]
    assert len(messages) > 30 and 40 < len(first) < 60
    known = "\n".join(texts())
    pieces = [p for m in messages for p in re.split(r"'?\.\.\.'?", m) if len(p.split()) > 1]
    assert not [piece for piece in pieces if piece.strip(" '()<>,:;") not in known]
