"""Motions in CSV files, as loggers, spreadsheets and numpy.savetxt write them.

The encoding is that of a byte order mark, else UTF-8, else Latin-1. Numbers are separated by
commas, semicolons or tabs; where these are no commas, a comma may stand for the decimal point.
Lines before the header that begin with `#` are comments, and so may the header.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import BLOCK, Array, Motion
from robcogen_ros.recordings.table import Columns

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_DELIMITERS = (";", "\t", ",")
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*")

Note = Callable[[str], None]


def read_csv(file: str, joints: Sequence[str], note: Note = lambda _: None) -> Iterator[Motion]:
    """Yields the motion in a CSV file, whose first line names the columns.

    Args:
        file: The file.
        joints: What joints are called in it.
        note: Told what is odd, and how it was taken.

    Raises:
        RobcogenError: If a column is missing, or something is no number.
    """
    encoding = _encoding(file, note)
    with Path(file).open(encoding=encoding, newline="", errors="replace") as stream:
        rows = _Rows(file, stream, joints, note)
        yield from rows.motions(stream)


def _encoding(file: str, note: Note) -> str:
    """Returns the encoding of a file, which is told if it is not UTF-8.

    Raises:
        RobcogenError: If it is no text.
    """
    with Path(file).open("rb") as stream:
        start = stream.read(_SAMPLE)
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    if b"\0" in start:
        raise RobcogenError(f"{file}: has zero bytes; expected text in UTF-8, Latin-1, or UTF-16")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError as error:
        line = start.count(b"\n", 0, error.start) + 1
        note(f"{file}: line {line} is not in UTF-8; names are read as Latin-1")
        return "latin-1"
    return "utf-8"


class _Rows:
    """The rows of a file, whose header has been read."""

    def __init__(self, file: str, stream: Iterator[str], joints: Sequence[str], note: Note) -> None:
        self._file, self._note, self._line = file, note, 0
        header, self._pending = self._header(stream)
        self._delimiter = max(_DELIMITERS, key=header.count)
        self._names = [
            name.strip() for name in next(csv.reader([header], delimiter=self._delimiter), [])
        ]
        self._columns = Columns(file, self._names, joints)
        self._places = [self._names.index(name) for name in self._columns.names]
        self._commas = self._delimiter != "," and any(
            _DECIMAL_COMMA.fullmatch(field.strip('"'))
            for row in self._pending
            for field in row.split(self._delimiter)
        )
        if self._commas:
            note(f"{file}: numbers are read with decimal commas")

    def _header(self, stream: Iterator[str]) -> tuple[str, list[str]]:
        """Returns the line that names the columns, and the first row if it had to be read."""
        comment, first = "", ""
        for line in stream:
            self._line += 1
            if line.startswith("#"):
                comment = line
            elif line.strip() and not line.lower().startswith("sep="):
                first = line
                break
        if comment and _is_number(re.split(r"[,;\t]", first)[0]):
            self._line -= 1
            return comment.lstrip("# "), [first]
        return first, [*islice(stream, 1)]

    def motions(self, stream: Iterator[str]) -> Iterator[Motion]:
        """Yields the motion in the rows."""
        while rows := self._pending + list(islice(stream, BLOCK - len(self._pending))):
            self._pending = []
            values = self._values(rows)
            self._line += len(rows)
            if len(values):
                yield self._columns.motion(values)

    def _values(self, rows: list[str]) -> Array:
        """Returns the wanted numbers of rows."""
        if self._commas:
            rows = [row.replace(",", ".") for row in rows]
        count, delimiter = len(self._names) - 1, self._delimiter
        plain = all(row.count(delimiter) == count and '"' not in row for row in rows)
        if plain:
            try:
                return np.loadtxt(
                    rows, delimiter=delimiter, usecols=self._places, ndmin=2, comments=None
                )
            except ValueError:
                pass
        return self._by_fields(rows)

    def _by_fields(self, rows: list[str]) -> Array:
        """Returns the numbers of rows with quotes, blank lines, or mistakes.

        Raises:
            RobcogenError: If there are mistakes.
        """
        found: list[list[float]] = []
        reader = csv.reader(rows, delimiter=self._delimiter)
        for row in reader:
            try:
                if any(field.strip() for field in row):
                    found.append(self._numbers(row, self._line + reader.line_num))
            except RobcogenError:
                last = rows[-1]
                if reader.line_num < len(rows) or last.endswith(("\n", "\r")):
                    raise
                self._note(f"{self._file}: its last line is cut short and left out")
        return np.array(found).reshape(-1, len(self._places))

    def _numbers(self, row: list[str], line: int) -> list[float]:
        where, count = f"{self._file}:{line}:1: error", len(self._names)
        if len(row) == count + 1 and not row[-1].strip():
            row = row[:-1]
        if len(row) != count:
            raise RobcogenError(f"{where}: {len(row)} columns, expected {count}")
        numbers = []
        for k, place in enumerate(self._places):
            text = row[place].strip()
            if not text and not self._columns.needed(k):
                numbers.append(np.nan)
            elif _is_number(text):
                numbers.append(float(text))
            else:
                told = f"'{text}'" if text else "nothing"
                raise RobcogenError(
                    f"{where}: {self._names[place]}: expected a number, found {told}"
                )
        return numbers


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
