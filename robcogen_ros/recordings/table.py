"""Motions in tables, CSV and Parquet: a column for each quantity of each joint."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import BLOCK, Array, Motion
from robcogen_ros.recordings.names import QUANTITIES, joint_columns, time_column

_BUFFER = 1 << 16
"""Bytes of a column that Parquet reads at a time; by itself it keeps all that it has read."""


class _Columns:
    """The columns of a table that a motion is made of, in order."""

    def __init__(self, file: str, known: Sequence[str], joints: Sequence[str]) -> None:
        self._by_quantity = joint_columns(file, known, joints)
        time = time_column(known)
        self._timed = time is not None
        names = [name for own in self._by_quantity.values() for name in own]
        self.names = ([] if time is None else [time]) + names

    def motion(self, values: Array) -> Motion:
        """The motion in rows of the columns."""
        time, rest = (values[:, 0], values[:, 1:]) if self._timed else (None, values)
        size = rest.shape[1] // max(len(self._by_quantity), 1)
        parts = {
            name: rest[:, k * size : (k + 1) * size] for k, name in enumerate(self._by_quantity)
        }
        q, qd, qdd, tau = (parts.get(name) for name in QUANTITIES)
        assert q is not None
        assert tau is not None
        return Motion(time, q, qd, qdd, tau)


def read_csv(file: str, joints: Sequence[str]) -> Iterator[Motion]:
    """The motion in a CSV file, whose first line names the columns.

    Raises:
        RobcogenError: If a column is missing, or something is no number.
    """
    with Path(file).open(encoding="utf-8", newline="") as stream:
        header = [name.strip() for name in next(csv.reader(stream), [])]
        columns = _Columns(file, header, joints)
        places, line = [header.index(name) for name in columns.names], 2
        while rows := list(islice(stream, BLOCK)):
            try:
                values = np.loadtxt(rows, delimiter=",", usecols=places, ndmin=2)
            except ValueError:
                raise RobcogenError(_mistake(file, rows, line, header, places)) from None
            yield columns.motion(values)
            line += len(rows)


def _mistake(
    file: str, rows: Sequence[str], line: int, header: Sequence[str], places: Sequence[int]
) -> str:
    """What is wrong with some rows."""
    for number, row in enumerate(csv.reader(rows), line):
        if row and len(row) != len(header):
            return f"{file}:{number}:1: error: {len(row)} columns, expected {len(header)}"
        for place in places if row else ():
            try:
                float(row[place])
            except ValueError:
                found = f"'{row[place]}'" if row[place].strip() else "nothing"
                return (
                    f"{file}:{number}:1: error: {header[place]}: expected a number, found {found}"
                )
    return f"{file}:{line}:1: error: no numbers separated by commas"


def read_parquet(file: str, joints: Sequence[str]) -> Iterator[Motion]:
    """The motion in a Parquet file; needs pyarrow.

    Raises:
        RobcogenError: If a column is missing or holds no numbers, or there is no pyarrow.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RobcogenError(
            f"{file}: Parquet needs pyarrow: pip install pyarrow, or robcogen_ros[recordings]"
        ) from None
    try:
        with parquet.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER) as table:
            columns = _Columns(file, table.schema_arrow.names, joints)
            for batch in table.iter_batches(BLOCK, columns=columns.names):
                arrays = [_numbers(file, name, batch.column(name)) for name in columns.names]
                yield columns.motion(np.column_stack(arrays))
    except pyarrow.ArrowInvalid as error:
        raise RobcogenError(f"{file}: cannot be read as Parquet: {error}") from None


def _numbers(file: str, name: str, column: object) -> Array:
    """A column of numbers; missing ones are NaN."""
    array = column.to_numpy(zero_copy_only=False)  # type: ignore[attr-defined]
    if array.dtype.kind not in "fiu":
        raise RobcogenError(f"{file}: {name} holds no numbers, but {array.dtype}")
    return np.asarray(array, dtype=np.float64)
