"""Programs that measure, kept in the user's cache once they are compiled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.toolchain import cache_directory, not_kept

SOURCES = Path(__file__).parent / "cpp"
"""Where their sources are."""


def kept(name: str, command: Sequence[str], sources: Sequence[Path]) -> Path:
    """Returns the place to keep a file that a command makes of sources and their headers.

    The place is another where any of these changed.

    Raises:
        RobcogenError: If nothing can be kept there.
    """
    digest = hashlib.sha256(repr(list(command)).encode())
    for path in _with_headers(sources):
        digest.update(path.read_bytes())
    folder = cache_directory() / "bench" / digest.hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RobcogenError(not_kept(error.strerror)) from error
    return folder / name


def _with_headers(sources: Iterable[Path]) -> list[Path]:
    """Sources and all headers beside them that they include, in order."""
    found: set[Path] = set()
    pending = list(sources)
    while pending:
        path = pending.pop()
        if path not in found and path.is_file():
            found.add(path)
            names = re.findall(r'^#include "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
            pending += [path.parent / name for name in names]
    return sorted(found)
