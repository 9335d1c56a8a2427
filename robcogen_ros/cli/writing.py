"""Writing what a command makes: to a file, or to the standard output."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from robcogen_ros.backends.render import write_files
from robcogen_ros.errors import RobcogenError

STDOUT = "-"


def write(
    path: str, text: str, keep: Iterable[str] = (), more: Mapping[Path, str] | None = None
) -> None:
    """Write a text as UTF-8; `-` is the standard output. A file is what it was until all is there.

    Args:
        path: Where to.
        text: What.
        keep: Files that are not replaced: those that the command reads, or writes too.
        more: Texts of other files, which come with it.

    Raises:
        RobcogenError: If the file cannot be written, or is one of these; folders are not made.
        OSError: If a device or a pipe cannot.
    """
    target = Path(path)
    if path != STDOUT and target.resolve() in {Path(other).resolve() for other in keep}:
        raise RobcogenError(f"{path}: the command reads this file, or writes it too: name another")
    if path == STDOUT:
        if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
    elif not target.parent.is_dir():
        raise RobcogenError(f"cannot write {path}: there is no folder {target.parent}")
    elif target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
    else:
        write_files(
            {file.resolve(): part for file, part in [*(more or {}).items(), (target, text)]}
        )
