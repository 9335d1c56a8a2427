"""The demo's plot: the robot, its motion, efforts, and errors with and without feed-forward."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill as fill_text
from typing import Any

from robcogen_ros.demo.recording import Result
from robcogen_ros.plots import style
from robcogen_ros.plots.skeleton import Limb, Skeleton, draw, limbs, stick_figure

_TITLES = (
    "Motion (dotted: wanted)",
    "Efforts",
    "Error with generated feed-forward",
    "Error without: feedback and gravity",
)

_LONGEST = 24
"""Letters of a limb's title in a line above its picture."""

_LETTER = 0.075
"""Width of a letter of a legend [inch]."""


def plot(robot: Any, results: tuple[Result, Result], path: Path, *, dark: bool = False) -> None:
    """Writes a picture.

    Raises:
        RobcogenError: If it cannot be written.
    """
    shape = stick_figure(robot, results[0].position[len(results[0].position) // 2])
    with style.picture(path, size(shape), dark=dark) as figure:
        fill(figure, shape, results)


def size(shape: Skeleton) -> tuple[float, float]:
    """Width and height [inch] for all limbs and the longest name."""
    rows = limbs(shape)
    longest = max(map(len, shape.joints))
    heights = [max(2.3, 0.6 + 0.17 * len(row.joints)) for row in rows]
    return 15.0 + _LETTER * longest, 0.7 + sum(heights) + 1.2 * (len(rows) == 1)


def fill(figure: Any, shape: Skeleton, results: tuple[Result, Result]) -> None:
    """Draws a row for each limb: the robot, and four quantities of its joints."""
    figure.suptitle(f"{shape.name} under its generated controller")
    rows = limbs(shape)
    panels = figure.subplots(len(rows), 5, squeeze=False, width_ratios=(0.8, 1, 1, 1, 1))
    for limb, (picture, *curves) in zip(rows, panels, strict=True):
        looks = style.lines(len(limb.joints))
        draw(picture, shape, dict(zip(limb.joints, looks, strict=True)))
        picture.set_title(fill_text(limb.title, _LONGEST))
        _row(curves, shape, limb, results)
    for axes in panels[-1, 1:]:
        axes.set_xlabel("time [s]")
    for axes, title in zip(panels[0, 1:], _TITLES, strict=True):
        axes.set_title("\n".join(filter(None, (title, axes.get_title(loc="left")))))


def _row(panels: list[Any], shape: Skeleton, limb: Limb, results: tuple[Result, Result]) -> None:
    motion, effort, *errors = panels
    feed_forward = results[0]
    for i, look in zip(limb.joints, style.lines(len(limb.joints)), strict=True):
        motion.plot(feed_forward.time, feed_forward.position[:, i], **look, label=shape.joints[i])
        motion.plot(feed_forward.time, feed_forward.wanted[:, i], ":", color=style.ink(), lw=0.8)
        effort.plot(feed_forward.time, feed_forward.effort[:, i], **look, label=shape.joints[i])
        for axes, result in zip(errors, results, strict=True):
            axes.plot(result.time, 1e3 * result.error[:, i], **look, label=shape.joints[i])
    motion.set_ylabel(limb.unit("[rad]", "[m]"))
    effort.set_ylabel(limb.unit("[N m]", "[N]"))
    errors[0].set_ylabel(limb.unit("[mrad]", "[mm]"))
    errors[1].sharey(errors[0])
    for axes, result in zip(errors, results, strict=True):
        worst = 1e3 * result.worst[list(limb.joints)].max()
        most = f"at most {worst:.3g} {limb.unit('mrad', 'mm')}"
        axes.set_title(most)
    style.beside_axes(errors[1])
