"""Programs that measure, kept in the user's cache once they are compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.runtime.toolchain import cache_directory

SOURCES = Path(__file__).parent / "cpp"
"""Where their sources are."""


def kept(name: str, command: Sequence[str], sources: Sequence[Path]) -> Path:
    """Where a file is kept that a command makes of sources and the headers beside them.

    The place is another where any of these changed.
    """
    digest = hashlib.sha256(repr(list(command)).encode())
    for path in (*sources, *sorted(SOURCES.glob("*.hpp"))):
        digest.update(path.read_bytes())
    folder = cache_directory() / "bench" / digest.hexdigest()[:32]
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name
