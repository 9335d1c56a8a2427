"""A picture of what was measured; needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.backends.render import beside
from robcogen_ros.bench.comparison import Row
from robcogen_ros.errors import RobcogenError


def write_chart(rows: Sequence[Row], title: str, path: str) -> None:
    """Bars of nanoseconds, hot and cold, for each function and library.

    Raises:
        RobcogenError: If matplotlib is not installed, or knows no such format.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RobcogenError("a chart needs matplotlib: pip install matplotlib") from None
    functions = list(dict.fromkeys(row.function for row in rows))
    libraries = list(dict.fromkeys(row.library for row in rows))
    figure = Figure(figsize=(11, 5), layout="tight")
    figure.suptitle(title)
    for axes, kind in zip(figure.subplots(1, 2), ("hot", "cold"), strict=True):
        width = 0.8 / len(libraries)
        for i, library in enumerate(libraries):
            its = {row.function: getattr(row, kind) for row in rows if row.library == library}
            places = [k + width * i for k, name in enumerate(functions) if name in its]
            bars = axes.bar(places, [its[n] for n in functions if n in its], width, label=library)
            axes.bar_label(bars, fmt="%.0f", fontsize=6)
        axes.set_xticks([k + 0.4 - width / 2 for k in range(len(functions))], functions)
        axes.tick_params(axis="x", labelsize=7)
        least = max(1.0, min(getattr(row, kind) for row in rows))
        axes.set_yscale("log")
        axes.set_ylim(bottom=10.0 ** math.floor(math.log10(least)))
        axes.set_title(f"{kind}: ns a call")
    axes.legend(fontsize=7)
    try:
        with beside(Path(path)) as partial:
            figure.savefig(partial)
    except ValueError as error:
        raise RobcogenError(f"{path}: {error}") from None
