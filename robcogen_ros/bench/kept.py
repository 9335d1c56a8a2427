"""Programs that measure, kept in the user's cache once they are compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.toolchain import cache_directory, not_kept, with_headers

SOURCES = Path(__file__).parent / "cpp"
"""The folder of their sources."""


def kept(name: str, command: Sequence[str], sources: Sequence[Path]) -> Path:
    """Returns the place to keep a file that a command makes of sources and their headers.

    The place is another where any of these changed.

    Raises:
        RobcogenError: If nothing can be kept there.
    """
    digest = hashlib.sha256(repr(list(command)).encode())
    for path in with_headers(sources):
        digest.update(path.read_bytes())
    folder = cache_directory() / "bench" / digest.hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RobcogenError(not_kept(error.strerror)) from error
    return folder / name
