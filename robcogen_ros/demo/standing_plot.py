"""The plot of a robot on legs: what it looked like, its trunk, forces and efforts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.standing_run import Run
from robcogen_ros.demo.stepping import AHEAD, RECOVERY, SPOT, Steps
from robcogen_ros.demo.trunk_motion import PUSH_TIME, RISE, WAYS, TrunkMotion
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.plots import style
from robcogen_ros.plots.legged import draw_footfalls, draw_force, draw_on_ground
from robcogen_ros.plots.skeleton import stick_figure

COLORS = ("C0", "C3")
"""Colors of both controllers, by their places in the style's cycle."""

_LETTER = 0.075
"""Width of a letter of a legend [inch]."""

SHOWN = {
    "roll": ("rolled", 1),
    "pitch": ("pitched", 0),
    "sway to the side": ("to the side", 1),
    "sway ahead": ("ahead", 0),
    "height": ("raised", 0),
}
"""Motions of the trunk of which the first is shown: title, and from where it is seen."""

AHEAD_FROM = SPOT + RECOVERY
"""Time when the robot begins to go ahead [s]."""


def plot(
    robot: Any,
    motion: TrunkMotion,
    runs: Sequence[Run],
    friction: float,
    steps: Steps | None,
    path: Path,
    *,
    dark: bool = False,
) -> None:
    """Writes a picture.

    Raises:
        RobcogenError: If it cannot be written.
    """
    longest = max(map(len, (*robot.joint_names, *robot.contacts)))
    size = 10.5 + 2 * _LETTER * longest, 13 if steps is None else 17
    with style.picture(path, size, dark=dark) as figure:
        fill(figure, robot, motion, runs, friction, steps)


def fill(
    figure: Any,
    robot: Any,
    motion: TrunkMotion,
    runs: Sequence[Run],
    friction: float,
    steps: Steps | None,
) -> None:
    """Draw the robot, its trunk, forces and efforts, and its steps."""
    figure.suptitle(f"{robot.name} on its legs, under its generated whole-body controller")
    heights = (1.0, 4.2) if steps is None else (1.0, 4.2, 1.6)
    figures = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)
    pictures, curves, *more = figures[:, 0]
    _pictures(robot, motion, runs, pictures)
    _curves(robot, motion, runs, friction, curves.subplots(5, 1, sharex=True))
    if steps is not None:
        _steps(robot, steps, more[0].subplots(2, 1, sharex=True))


def _pictures(robot: Any, motion: TrunkMotion, runs: Sequence[Run], figure: Any) -> None:
    """Stick figures with forces, seen from the side and from the front."""
    run, failed = runs
    pushed = motion.push_begin + 0.5 * PUSH_TIME
    moments = [
        ("crouching" if motion.crouch else "at the begin", run, 0.0, 0),
        ("standing", run, (RISE + 0.02) * motion.duration, 0),
        *((title, run, time, across) for title, time, across in moved(motion)),
        ("pushed", run, pushed, 1),
        ("gravity compensation alone", failed, failed.time[-1], 1),
    ]
    places = robot.frame_poses(np.array([motion.start, motion.standing]))[..., :3, 3]
    size = 1.1 * max(motion.height, float(np.abs(places[..., :2]).max()))
    top = max(1.7 * motion.height, 1.1 * (motion.height + float(places[..., 2].max())))
    each = figure.subplots(1, len(moments))
    for (title, of, time, across), axes in zip(moments, each, strict=True):
        k = min(int(np.searchsorted(of.time, time)), len(of.time) - 1)
        push = motion.push if of is run and title == "pushed" else np.zeros(3)
        _figure(robot, of, k, across, push, axes, motion.height)
        view = "side" if across == 0 else "front"
        axes.set_title(f"{title}\n{of.time[k]:.1f} s, from the {view}", fontsize="small")
        center = of.position[k, across]
        axes.set_xlim(center - size, center + size)
        axes.set_ylim(-0.1 * motion.height, top)
        axes.set_aspect("equal")
        if across == 1:
            axes.invert_xaxis()


def moved(motion: TrunkMotion) -> list[tuple[str, float, int]]:
    """The motion of the trunk that is shown: the first of `SHOWN` that the robot does, if any.

    Returns:
        Its title, a moment of it [s], and whether it is seen from the side (0) or the front (1).
    """
    for way, (title, across) in SHOWN.items():
        begin, end = motion.span(WAYS.index(way))
        if motion.sizes[WAYS.index(way)]:
            return [(title, begin + 0.3 * (end - begin), across)]
    return []


def _figure(
    robot: Any, run: Run, k: int, across: int, push: Array, axes: Any, height: float
) -> None:
    """Links as lines between their frames, forces as arrows as long as shares of the weight."""
    base = np.eye(4)
    base[:3, :3], base[:3, 3] = rotation(run.quaternion[k]), run.position[k]
    draw_on_ground(axes, stick_figure(robot, run.q[k]), base, across)
    places = (base @ robot.frame_poses(run.q[k]))[:, :3, 3]
    unit = 1.5 * height / (FREE_FALL * robot.total_mass())
    for contact, wrench in zip(robot.contact_records, run.wrenches[k], strict=True):
        draw_force(axes, places[contact.frame], unit * wrench[3:], "C2", height, across)
    if push.any():
        draw_force(axes, run.position[k] - unit * push, unit * push, "C3", height, across)


def _curves(
    robot: Any, motion: TrunkMotion, runs: Sequence[Run], friction: float, axes: Sequence[Any]
) -> None:
    run = runs[0]
    height, error, normal, cone, effort = axes
    labels = ("whole-body controller", "gravity compensation alone")
    wanted = {"color": style.ink(), "linestyle": ":", "label": "wanted"}
    height.plot(run.time, run.wanted_position[:, 2], linewidth=1, **wanted)
    for of, color, label in zip(runs, COLORS, labels, strict=True):
        height.plot(of.time, of.position[:, 2], color=color, label=label)
        away = 1e3 * np.linalg.norm(of.position_error, axis=1)
        error.semilogy(of.time, np.maximum(away, 1e-3), color=color, label=label)
    height.set_title("Height of the trunk", loc="left")
    height.set_ylabel("[m]")
    error.set_title("Error of the trunk", loc="left")
    error.set_ylabel("[mm]")
    for i, look in enumerate(style.lines(len(robot.contacts))):
        contact = robot.contacts[i]
        normal.plot(run.time, run.normal_forces[:, i], **look, linewidth=0.8, label=contact)
        cone.plot(run.time, run.friction_used[:, i], **look, linewidth=0.8, label=contact)
    normal.set_title("Forces of the ground along its normal", loc="left")
    normal.set_ylabel("[N]")
    cone.axhline(friction, color=style.ink(), linestyle="--", linewidth=1, label="friction cone")
    cone.set_title("Tangential by normal force", loc="left")
    for i, look in enumerate(style.lines(robot.n)):
        limit, name = robot.effort_limits[i], robot.joint_names[i]
        if np.isfinite(limit) and limit > 0:
            effort.plot(run.time, run.effort[:, i] / limit, **look, linewidth=0.6, label=name)
    effort.set_title("Efforts by their limits", loc="left")
    effort.set_xlabel("time [s]")
    for each in axes:
        each.set_xlim(0.0, motion.duration)
        each.axvspan(motion.push_begin, motion.push_begin + PUSH_TIME, color="C3", alpha=0.3)
    for each in (height, error, normal, cone):
        style.beside_axes(each)
    style.beside_axes(effort, ncols=1 + (robot.n > 8), labelspacing=0.2)


def _steps(robot: Any, steps: Steps, axes: Sequence[Any]) -> None:
    """Footfalls and speed of a robot that steps."""
    falls, speed = axes
    draw_footfalls(falls, steps.time, steps.stood, robot.contacts)
    falls.set_title(f"{steps.gait.capitalize()}: which feet stand", loc="left")
    wanted = np.where(
        (steps.time > AHEAD_FROM) & (steps.time <= AHEAD_FROM + AHEAD), steps.speed, 0.0
    )
    speed.plot(steps.time, wanted, ":", color=style.ink(), linewidth=1, label="wanted ahead")
    for k, name in enumerate(("ahead", "to the left")):
        speed.plot(steps.time, steps.velocity[:, k], color=COLORS[k], linewidth=0.8, label=name)
    speed.set_title("Speed of the trunk", loc="left")
    speed.set_ylabel("[m/s]")
    speed.set_xlabel("time [s]")
    style.beside_axes(speed)
    for each in axes:
        each.set_xlim(0.0, steps.time[-1])
        each.axvspan(SPOT, SPOT + PUSH_TIME, color="C3", alpha=0.3)
