"""The text of a user's file, or a located reason why there is none."""

from __future__ import annotations

import bisect
import codecs
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.regular_file import bounded, reason

STDIN = "-"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_DECLARED_ENCODING = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']"""
)
_UTF_16 = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}


_FOREIGN = {
    b"\x1f\x8b": "packed by gzip: unpack it first",
    b"pk\x03\x04": "packed by zip: unpack it first",
    b"%pdf-": "a PDF",
    b"\x89png": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"<!doctype html": "a web page: download the file itself",
    b"<html": "a web page: download the file itself",
    b"version https://git-lfs": "a pointer of Git LFS: `git lfs pull` brings the file itself",
}
"""Beginnings of files, in small letters, that are often taken for others."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the name by which messages call it.

    Attributes:
        name: Path as the user gave it, `<stdin>` for the standard input.
        text: The whole text.
        files: Every file it was made from, absolute; empty for the standard input.
    """

    name: str
    text: str
    files: tuple[str, ...] = ()

    @property
    def whole(self) -> Location:
        """The location that stands for all of it."""
        return Location(self.name)

    def location(self, offset: int) -> Location:
        """Line and column of an offset in the text."""
        starts = _line_starts(self.text)
        line = bisect.bisect_right(starts, offset)
        return Location(self.name, line, offset - starts[line - 1] + 1)


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """Offsets of the first characters of lines."""
    return [0, *(end.end() for end in re.finditer("\n", text))]


def read(path: str, expected: str = "a robot model") -> Source:
    """Reads a text file, or the standard input for "-".

    Args:
        path: The file.
        expected: What should be in it, for messages.

    Raises:
        ModelError: If it cannot be read, or is empty, binary or not in its declared encoding.
    """
    if path == STDIN:
        return decode(_bytes(path), "<stdin>", expected=expected)
    return decode(_bytes(path), path, (str(Path(path).resolve()),), expected)


def decode(
    data: bytes, name: str, files: tuple[str, ...] = (), expected: str = "a robot model"
) -> Source:
    """The text that bytes encode: UTF-8 unless a byte order mark or the XML header says else.

    A header that could not be read in the encoding which it declares was not written in it.

    Raises:
        ModelError: If the bytes are no text, or none at all.
    """
    for beginning, what in _FOREIGN.items():
        if data[:256].lstrip().lower().startswith(beginning):
            raise ModelError.at(Location(name), f"the file is {what}; expected {expected}")
    encoding = _encoding(data)
    whole = data.rstrip(b"\0")
    if encoding == "utf-8" and whole.rstrip().endswith(b">"):
        data = whole  # some programs end an XML as they end a string
    if encoding == "utf-8" and b"\0" in data:
        raise ModelError.at(Location(name), f"the file is binary; expected {expected} in text")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ModelError.at(_place(name, data, error.start), _not_encoded(error)) from error
    except (LookupError, UnicodeError) as error:
        raise ModelError.at(Location(name, 1), f"unknown text encoding '{encoding}'") from error
    return of_text(text, name, files, expected)


def of_text(
    text: str, name: str, files: tuple[str, ...] = (), expected: str = "a robot model"
) -> Source:
    """A text that is decoded already, whatever its XML header says.

    Raises:
        ModelError: If there is nothing in it, or what no encoding has.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise ModelError.at(Location(name), f"the file is empty; expected {expected}")
    if lone := _LONE_SURROGATE.search(text):
        message = f"the character U+{ord(lone.group()):04X} stands for no text"
        raise ModelError.at(Source(name, text).location(lone.start()), message)
    return Source(name, text, files)


def _bytes(path: str) -> bytes:
    """The bytes of a file that the user names, which may be a pipe."""
    try:
        if path == STDIN:
            return bounded(sys.stdin.buffer, path)
        with Path(path).open("rb") as file:
            return bounded(file, path)
    except OSError as error:
        place = Location("<stdin>" if path == STDIN else path)
        raise ModelError.at(place, f"cannot read the file: {reason(error)}") from error
    except ValueError as error:
        raise ModelError.at(Location(path), f"cannot read the file: {error}") from error


def _encoding(data: bytes) -> str:
    if data[:2] in _UTF_16:
        return _UTF_16[data[:2]]
    declared = _DECLARED_ENCODING.match(data)
    encoding = declared.group(1).decode().lower() if declared else "utf-8"
    try:
        return encoding if "<?xml".encode(encoding) == b"<?xml" else "utf-8"
    except (LookupError, UnicodeError):
        return encoding


def _place(name: str, data: bytes, offset: int) -> Location:
    start = data.rfind(b"\n", 0, offset) + 1
    column = len(data[start:offset].decode("utf-8", errors="replace")) + 1
    return Location(name, data.count(b"\n", 0, offset) + 1, column)


def _not_encoded(error: UnicodeDecodeError) -> str:
    byte = error.object[error.start]
    return f"the byte 0x{byte:02x} is not {error.encoding.upper()}; save the file as UTF-8"
