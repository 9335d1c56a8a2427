"""The demo's plot: motion, efforts, and errors with and without feed-forward."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from robcogen_ros.demo.recording import Result


def plot(robot: Any, results: tuple[Result, Result], path: Path) -> None:
    """Writes a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 10), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(f"{robot.name} under its generated controller")
    top, efforts, with_, without = figure.subplots(4, 1, sharex=True)
    feed_forward, feedback = results
    colors = [f"C{i % 10}" for i in range(robot.n)]
    for i, color in enumerate(colors):
        name = robot.joint_names[i]
        top.plot(feed_forward.time, feed_forward.position[:, i], color=color, label=name)
        top.plot(feed_forward.time, feed_forward.wanted[:, i], "k:", linewidth=0.8)
        efforts.plot(feed_forward.time, feed_forward.effort[:, i], color=color, linewidth=0.8)
        with_.plot(feed_forward.time, 1e3 * feed_forward.error[:, i], color=color, linewidth=0.8)
        without.plot(feedback.time, 1e3 * feedback.error[:, i], color=color, linewidth=0.8)
    top.set_title("Motion (dotted: wanted)", loc="left")
    top.set_ylabel("position [rad, m]")
    efforts.set_title("Efforts", loc="left")
    efforts.set_ylabel("[N m, N]")
    with_.set_title("Tracking error with generated feed-forward", loc="left")
    without.set_title("Tracking error without: same feedback, and gravity", loc="left")
    for axes in (with_, without):
        axes.set_ylabel("[mrad, mm]")
    without.set_xlabel("time [s]")
    for axes in (top, efforts, with_, without):
        axes.grid(alpha=0.3)
        axes.margins(x=0)
    columns = 1 if robot.n <= 12 else 2
    top.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", ncols=columns)
    figure.savefig(path, dpi=110)
