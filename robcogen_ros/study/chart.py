"""The table of a study as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.plots import style
from robcogen_ros.study.table import Table


def draw(table: Table, path: Path, *, dark: bool = False) -> None:
    """Draws each result: over the one name that is varied, as colours over two, over each of more.

    Raises:
        RobcogenError: If the file cannot be written.
    """
    with style.picture(path, size(table), dark=dark) as figure:
        fill(figure, table)


def size(table: Table) -> tuple[float, float]:
    """Width and height [inch] for all panels and the names beside them."""
    names = table.points.names
    longest = max(map(len, table.columns))
    return 1.5 + 4.5 * _columns(table), 0.5 + max(3.0, 0.085 * longest) * len(table.columns) + (
        0.3 * (len(names) > 0)
    )


def _columns(table: Table) -> int:
    return 1 if len(table.points.names) == 2 else len(table.points.names)


def fill(figure: Any, table: Table) -> None:
    """Draws the panels, a result a row."""
    names = table.points.names
    panels = figure.subplots(len(table.columns), _columns(table), squeeze=False, sharey="row")
    for (name, column), line in zip(table.columns.items(), panels, strict=True):
        line[0].set_ylabel(names[1] if len(names) == 2 else name)
        if len(names) == 2:
            dots = line[0].scatter(*table.points.values.T, c=column, marker="s")
            line[0].set_xlabel(names[0])
            line[0].margins(x=0.03)
            figure.colorbar(dots, label=name)
            continue
        for axes, varied, values in zip(line, names, table.points.values.T, strict=True):
            _over(axes, values, column, joined=len(names) == 1)
            axes.set_xlabel(varied)


def _over(axes: Any, values: Any, column: Any, joined: bool) -> None:
    order = np.argsort(values, kind="stable")
    axes.plot(values[order], column[order], "o-" if joined else ".", markersize=4)
    axes.margins(x=0.03)
