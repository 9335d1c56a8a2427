"""Contents of files that a description names: regular ones of a sensible size."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import BinaryIO

MOST = 100 * 1024 * 1024
"""Bytes of a file at most."""
_POINTER = b"version https://git-lfs.github.com/spec/"
"""Begin of what Git has in place of a large file until that is fetched."""


def contents(path: Path) -> bytes:
    """The bytes of a file; devices and pipes are not opened, for some never end.

    No more are read than the file is said to have, which is nothing of what the kernel makes up.

    Raises:
        OSError: If there is no such file, it is no regular one or too large, or cannot be read.
            So it is where Git LFS has not fetched it.
    """
    size = path.stat().st_size
    if not path.is_file():
        what = "it is a folder" if path.is_dir() else "it is a device, a pipe or a socket"
        raise OSError(errno.EINVAL, f"{what}, no file", str(path))
    with path.open("rb") as file:
        data = bounded(file, str(path), size)
    if data.startswith(_POINTER):
        raise OSError(errno.EINVAL, "it is a pointer of Git LFS: run git lfs pull there", str(path))
    return data


def bounded(file: BinaryIO, name: str, size: int = MOST + 1) -> bytes:
    """The bytes of an open file, which may be a pipe; of a size the first.

    Raises:
        OSError: If there are too many.
    """
    data = file.read(min(size, MOST + 1))
    if len(data) > MOST:
        raise OSError(errno.EFBIG, f"it has more than {MOST >> 20} MiB", name)
    return data


def reason(error: OSError) -> str:
    """Returns why a file cannot be read, as a part of a sentence."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
