"""The outcome of a run as a picture."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.backends.render import beside
from robcogen_ros.realtime.report import Run


def plot(run: Run, path: Path) -> bool:
    """Write a PNG of both histograms; whether that could be done: it needs matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(9, 6), layout="constrained")
    FigureCanvasAgg(figure)
    scheduling = "SCHED_FIFO" if run.outcome.fifo else "usual scheduling"
    figure.suptitle(
        f"{run.robot}, {run.joints} joints: {run.mode} at {run.rate:g} Hz, {scheduling}, "
        f"{run.stress or 'no'} processes of load"
    )
    titles = list(run.times.items())[:2]
    for axes, (title, histogram) in zip(figure.subplots(2, 1), titles, strict=True):
        low = [1e-3 * first for first, _, _ in histogram.bins]
        width = [1e-3 * (last + 1 - first) for first, last, _ in histogram.bins]
        axes.bar(low, [count for _, _, count in histogram.bins], width, align="edge")
        axes.axvline(1e-3 * histogram.worst, color="C3", linewidth=0.8)
        axes.set_title(f"{title}; worst {1e-3 * histogram.worst:.1f} us", loc="left")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylabel("cycles")
        axes.grid(alpha=0.3)
    axes.set_xlabel("time [us]")
    with beside(path) as partial:
        figure.savefig(partial, dpi=110)
    return True
