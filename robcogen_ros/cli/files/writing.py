"""Writing what a command makes: to a file, or to the standard output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from robcogen_ros.backends.render import write_files
from robcogen_ros.errors import RobcogenError

STDOUT = "-"
_INPUTS = (".urdf", ".xacro", ".kindsl", ".motdsl", ".ctdsl", ".dtdsl", ".srdf")
"""Endings of what users write."""


def check_output(path: str | None, ending: str = "") -> None:
    """Refuses a file that cannot be written, before the work that makes it.

    Args:
        path: The file; None if none is asked for.
        ending: What files end in that are of its kind: `.kindsl`; empty if users write none.

    Raises:
        RobcogenError: If there is no folder, or no right to write there, or the name is that of
            another kind of file, such as a robot's description.
    """
    if path in (None, STDOUT):
        return
    target = Path(path)
    if target.suffix in _INPUTS and target.suffix != ending:
        kind = f"a file that ends in {ending}" if ending else "no description of a robot"
        raise RobcogenError(f"{path}: what is written is {kind}: name another file")
    if not target.parent.is_dir():
        raise RobcogenError(f"cannot write {path}: there is no folder {target.parent}")
    if target.is_dir():
        raise RobcogenError(f"cannot write {path}: Is a directory")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise RobcogenError(f"cannot write {path}: Permission denied")


def write(
    path: str,
    text: str,
    keep: Iterable[str] = (),
    more: Mapping[Path, str] | None = None,
    ending: str = "",
) -> None:
    """Writes a text as UTF-8; `-` is the standard output. A file is what it was until all is there.

    Args:
        path: Where to.
        text: What.
        keep: Files that are not replaced: those that the command reads, or writes too.
        more: Texts of other files, which come with it.
        ending: What files of its kind end in, as in `check_output`.

    Raises:
        RobcogenError: If the file cannot be written, or is one of these; folders are not made.
        OSError: If a device or a pipe cannot.
    """
    target = Path(path)
    if path != STDOUT and target.resolve() in {Path(other).resolve() for other in keep}:
        raise RobcogenError(f"{path}: the command reads or writes this file itself: name another")
    check_output(path, ending)
    if path == STDOUT:
        if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
    elif target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
    else:
        write_files(
            {file.resolve(): part for file, part in [*(more or {}).items(), (target, text)]}
        )
