"""The rows of a study as they come, so that it goes on where it stopped."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from robcogen_ros.errors import Location, ModelError, RobcogenError

Row = dict[str, float]


class Journal:
    """A file to which each block of rows is appended, a line of JSON each.

    Its name is that of what was studied: a changed model or study has another journal. Rows are
    found by the values of their points, so that a grid may grow. A last line that was not written
    whole is cut off.
    """

    def __init__(self, output: Path, key: str, names: Sequence[str]) -> None:
        """Opens it, and keeps others from doing so.

        Args:
            output: The table that the rows are for; the journal lies in a folder beside it.
            key: What was studied.
            names: What is varied.

        Raises:
            RobcogenError: If it cannot be written, or another process writes it.
        """
        self.path = output.with_suffix(".journal") / f"{key[:16]}.jsonl"
        self._names = tuple(names)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self.path.open("ab+")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RobcogenError(f"this study runs already: {self.path} is being written") from None
        except OSError as error:
            raise RobcogenError(f"cannot write {self.path}: {error.strerror}") from None

    def rows(self) -> Iterator[tuple[bytes, Row]]:
        """The points that are there, as the bytes of their values, and their rows.

        Raises:
            ModelError: If something else wrote into the file.
        """
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            try:
                block = json.loads(line)
                points, rows = block["points"], block["rows"]
                names, columns = list(block["names"]), list(block["columns"])
            except (ValueError, TypeError, KeyError):
                message = "this is no line of a journal: remove it, or the file"
                raise ModelError.at(Location(str(self.path), number), message) from None
            if names != list(self._names):
                continue
            for point, row in zip(points, rows, strict=True):
                yield np.array(point).tobytes(), dict(zip(columns, row, strict=True))
        self._file.truncate(whole)

    def forget(self) -> None:
        """Throw away what is there."""
        self._file.truncate(0)

    def append(self, points: Sequence[Sequence[float]], rows: Sequence[Row]) -> None:
        """Writes rows, all with the same names.

        Raises:
            RobcogenError: If there is no room.
        """
        if not rows:
            return
        block = {
            "names": self._names,
            "columns": list(rows[0]),
            "points": points,
            "rows": [list(row.values()) for row in rows],
        }
        try:
            self._file.write(json.dumps(block, separators=(",", ":")).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise RobcogenError(
                f"cannot write {self.path}: {os.strerror(error.errno or 0)}"
            ) from None

    def close(self) -> None:
        """Lets others write it."""
        self._file.close()
