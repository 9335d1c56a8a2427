"""The table of a study: a row for each point, in the order of the points."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.render import beside
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.study.points import Points
from robcogen_ros.study.work import ERROR, Failure

Array = NDArray[np.float64]


@dataclass(slots=True)
class Table:
    """Results of a study.

    Attributes:
        points: Where it was run.
        columns: For each name that the study returns, (points,) values; NaN where there are none.
        failures: What went wrong, by the number of the point.
        first: The least number of a point that has results; None without any.
    """

    points: Points
    columns: dict[str, Array] = field(default_factory=dict)
    failures: dict[int, Failure] = field(default_factory=dict)
    first: int | None = None

    def put(self, index: int, row: dict[str, float]) -> None:
        """Sets the results at a point; all points have those of the first, in its order."""
        if not self.columns:
            self.columns = {name: np.full(len(self.points), np.nan) for name in row}
        if self.first is None or index < self.first:
            self.first = index
            self.columns = {name: self.columns[name] for name in row}
        for name, value in row.items():
            self.columns[name][index] = value

    def lines(self) -> list[str]:
        """The least and the greatest of each result, and where they are."""
        return [line for name in self.columns for line in self._extremes(name)]

    def _extremes(self, name: str) -> list[str]:
        column = self.columns[name]
        if np.isnan(column).all():
            return [f"{name}: no number"]
        ends = (("least", int(np.nanargmin(column))), ("greatest", int(np.nanargmax(column))))
        return [f"{name}: {what} {column[i]:.6g} at {self.points.described(i)}" for what, i in ends]


def write_csv(table: Table, path: Path) -> None:
    """Writes a table as text; numbers have all their digits."""
    columns = [*table.points.values.T, *table.columns.values()]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*table.points.names, *table.columns, ERROR])
        for index, numbers in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
            failure = table.failures.get(index)
            writer.writerow([*map(repr, numbers), failure.message if failure else ""])


def write_parquet(table: Table, path: Path) -> None:
    """Writes a table as Parquet."""
    pyarrow = package("pyarrow", "a table in Parquet")
    columns = dict(zip(table.points.names, table.points.values.T, strict=True)) | table.columns
    messages = [None] * len(table.points)
    errors = {i: failure.message for i, failure in table.failures.items()}
    told = pyarrow.array([errors.get(i) for i in range(len(messages))], pyarrow.string())
    data = pyarrow.table({**{n: np.ascontiguousarray(c) for n, c in columns.items()}, ERROR: told})
    package("pyarrow.parquet", "a table in Parquet").write_table(data, path)


_FORMATS: dict[str, Callable[[Table, Path], None]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
}


def check_format(path: str) -> Path:
    """The file of a table, if it can be written in the format of its name.

    Raises:
        RobcogenError: If not.
    """
    file = Path(path)
    if file.suffix not in _FORMATS:
        raise RobcogenError(f"{path}: expected a file {' or '.join(f'*{s}' for s in _FORMATS)}")
    if file.suffix == ".parquet":
        package("pyarrow", "a table in Parquet")
    return file


def write(table: Table, path: Path) -> None:
    """Writes a table in the format of its file's name; the file is whole or as it was.

    Raises:
        RobcogenError: If it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside(path) as partial:
            _FORMATS[path.suffix](table, partial)
    except OSError as error:
        raise RobcogenError(f"cannot write {path}: {error.strerror}") from None
