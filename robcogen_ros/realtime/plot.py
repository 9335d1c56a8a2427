"""The outcome of a run as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from robcogen_ros.model.robot import Robot
from robcogen_ros.plots import style
from robcogen_ros.plots.skeleton import draw, skeleton
from robcogen_ros.realtime.report import Run


def plot(run: Run, robot: Robot, path: Path, *, dark: bool = False) -> None:
    """Writes both histograms, and the robot.

    Raises:
        RobcogenError: If it cannot be written, or matplotlib is not installed.
    """
    with style.picture(path, (11, 6), dark=dark) as figure:
        fill(figure, run, robot)


def fill(figure: Any, run: Run, robot: Robot) -> None:
    """Draws both histograms over one scale of time, and the robot."""
    scheduling = "SCHED_FIFO" if run.outcome.fifo else "usual scheduling"
    figure.suptitle(
        f"{run.robot}, {run.joints} joints: {run.mode} at {run.rate:g} Hz, {scheduling}, "
        f"{run.stress or 'no'} processes of load"
    )
    shown = list(run.times.items())[:2]
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 4))
    draw(figure.add_subplot(grid[:, 0]), skeleton(robot))
    late = figure.add_subplot(grid[0, 1])
    panels = late, figure.add_subplot(grid[1, 1], sharex=late, sharey=late)
    for axes, (title, histogram) in zip(panels, shown, strict=True):
        low = [1e-3 * first for first, _, _ in histogram.bins]
        width = [1e-3 * (last + 1 - first) for first, last, _ in histogram.bins]
        axes.bar(low, [count for _, _, count in histogram.bins], width, align="edge")
        axes.axvline(1e-3 * histogram.worst, color=style.colors()[3], linewidth=0.8)
        axes.set_title(f"{title}; worst {1e-3 * histogram.worst:.1f} us")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylabel("cycles")
    panels[1].set_xlim(right=1.3e-3 * max(histogram.worst for _, histogram in shown))
    panels[1].set_xlabel("time [us]")
