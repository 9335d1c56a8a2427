"""Motions in tables: a column for each quantity of each joint; those of Parquet files are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import BLOCK, Array, Motion
from robcogen_ros.recordings.names import NEEDED, QUANTITIES, joint_columns, time_columns

_BUFFER = 1 << 16
"""Bytes of a column that Parquet reads at a time; by itself it keeps all that it has read."""


class Columns:
    """The columns of a table that a motion is made of.

    Attributes:
        names: Of the columns, in order: times, nanoseconds, then a quantity after the other.
    """

    def __init__(self, file: str, known: Sequence[str], joints: Sequence[str]) -> None:
        by_quantity = joint_columns(file, known, joints)
        self._times, self._joints = time_columns(known), len(joints)
        self._quantities = [*by_quantity]
        self.names = [*self._times, *(name for own in by_quantity.values() for name in own)]

    def needed(self, column: int) -> bool:
        """Returns whether a column must have a number in each row."""
        at = column - len(self._times)
        return at < 0 or self._quantities[at // self._joints] in NEEDED

    def motion(self, values: Array) -> Motion:
        """Returns the motion in rows of the columns."""
        times, rest = np.split(values, [len(self._times)], axis=1)
        time = times[:, 0] if times.shape[1] else None
        if times.shape[1] > 1:
            time = times[:, 0] + 1e-9 * times[:, 1]
        split = np.split(rest, len(self._quantities), axis=1)
        parts = dict(zip(self._quantities, split, strict=True))
        q, qd, qdd, tau = (parts.get(name) for name in QUANTITIES)
        assert q is not None
        assert tau is not None
        return Motion(time, q, qd, qdd, tau)


def read_parquet(file: str, joints: Sequence[str]) -> Iterator[Motion]:
    """Yields the motion in a Parquet file; needs pyarrow.

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
            columns = Columns(file, table.schema_arrow.names, joints)
            for batch in table.iter_batches(BLOCK, columns=columns.names):
                arrays = [_numbers(file, name, batch.column(name)) for name in columns.names]
                yield columns.motion(np.column_stack(arrays))
    except (pyarrow.ArrowException, OSError) as error:
        raise RobcogenError(f"{file}: cannot be read as Parquet: {error}") from None


def _numbers(file: str, name: str, column: object) -> Array:
    """Returns a column of numbers, or of dates as seconds; missing ones are NaN."""
    array = column.to_numpy(zero_copy_only=False)  # type: ignore[attr-defined]
    if array.dtype.kind == "M":
        return np.asarray(1e-9 * array.astype("M8[ns]").astype(np.int64), dtype=np.float64)
    if array.dtype.kind not in "fiu":
        raise RobcogenError(f"{file}: {name} holds no numbers, but {array.dtype}")
    return np.asarray(array, dtype=np.float64)
