"""A picture of what was measured; needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from robcogen_ros.bench.comparison import Row
from robcogen_ros.model.robot import Robot
from robcogen_ros.plots import style
from robcogen_ros.plots.skeleton import draw, skeleton

_LETTER = 0.075
"""Width of a letter of a function's name [inch]."""

_BAR = 0.19
"""Height of a bar [inch]."""


def write_chart(
    rows: Sequence[Row], robot: Robot, title: str, path: str, *, dark: bool = False
) -> None:
    """Bars of nanoseconds, hot and cold, for each function and library, and the robot.

    Raises:
        RobcogenError: If matplotlib is not installed, or knows no such format.
    """
    with style.picture(Path(path), size(rows), dark=dark) as figure:
        fill(figure, rows, robot, title)


def size(rows: Sequence[Row]) -> tuple[float, float]:
    """Width and height [inch] for all bars and the longest name."""
    longest = max(len(row.function) for row in rows)
    functions, libraries = (len({getattr(r, x) for r in rows}) for x in ("function", "library"))
    return 11.5 + _LETTER * longest, 1.4 + max(2.6, functions * (libraries + 1) * _BAR)


def fill(figure: Any, rows: Sequence[Row], robot: Robot, title: str) -> None:
    """Draws the bars of calls with warm and with cold caches over one scale."""
    functions = list(dict.fromkeys(row.function for row in rows))
    libraries = list(dict.fromkeys(row.library for row in rows))
    figure.suptitle(title)
    picture, hot, cold = figure.subplots(1, 3, width_ratios=(1, 3, 3))
    draw(picture, skeleton(robot))
    cold.sharex(hot)
    cold.sharey(hot)
    height = 1 / (len(libraries) + 1)
    for axes, kind in ((hot, "hot"), (cold, "cold")):
        for i, library in enumerate(libraries):
            its = {row.function: getattr(row, kind) for row in rows if row.library == library}
            places = [k + height * i for k, name in enumerate(functions) if name in its]
            values = [its[name] for name in functions if name in its]
            bars = axes.barh(places, values, height, label=library)
            axes.bar_label(bars, fmt="%.0f", fontsize=7, padding=2)
        axes.set_xscale("log")
        axes.set_xlabel("ns a call")
        axes.grid(visible=False, axis="y")
    middle = height * (len(libraries) - 1) / 2
    hot.set_yticks([k + middle for k in range(len(functions))], functions)
    times = [time for row in rows for time in (row.hot, row.cold)]
    hot.set_xlim(0.7 * min(times), 2 * max(times))
    hot.invert_yaxis()
    cold.tick_params(labelleft=False)
    hot.set_title("warm caches")
    cold.set_title("cold caches")
    style.beside_axes(cold)
