"""Writing what a command makes: to a file, or to the standard output."""

from __future__ import annotations

import sys
from pathlib import Path

STDOUT = "-"


def write(path: str, text: str) -> None:
    """Write a text; `-` is the standard output."""
    if path == STDOUT:
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8")
