"""The table of a study as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.backends.render import beside
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.study.table import Table


def draw(table: Table, path: Path) -> None:
    """Draw each result: over the one name that is varied, as colours over two, over each of more.

    Raises:
        RobcogenError: If the file cannot be written.
    """
    figure_module = package("matplotlib.figure", "--plot")
    names, rows = table.points.names, len(table.columns)
    across = 1 if len(names) == 2 else len(names)
    size = (1.5 + 4.5 * across, 0.5 + 3.0 * rows)
    figure = figure_module.Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, across, squeeze=False)
    for (name, column), line in zip(table.columns.items(), panels, strict=True):
        if len(names) == 2:
            dots = line[0].scatter(*table.points.values.T, c=column, marker="s")
            line[0].set(xlabel=names[0], ylabel=names[1])
            figure.colorbar(dots, label=name)
            continue
        for axes, varied, values in zip(line, names, table.points.values.T, strict=True):
            _over(axes, values, column, joined=len(names) == 1)
            axes.set(xlabel=varied, ylabel=name)
    try:
        with beside(path) as partial:
            figure.savefig(partial, format=path.suffix[1:] or "png")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise RobcogenError(f"cannot write {path}: {reason}") from None


def _over(axes: Any, values: Any, column: Any, joined: bool) -> None:
    order = np.argsort(values, kind="stable")
    axes.plot(values[order], column[order], "o-" if joined else ".", markersize=4)
    axes.grid(alpha=0.3)
