"""The picture of a gait: the robot at instants of a stride, footfalls, forces and efforts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.result import Gait
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.plots import style
from robcogen_ros.plots.legged import draw_footfalls, draw_force, draw_on_ground
from robcogen_ros.plots.skeleton import Limb, limbs, stick_figure

_INSTANTS = 6
"""Number of instants at which the robot is drawn."""
_ABREAST = 6
"""Joints whose efforts are side by side, at most."""
_FORCE = 1.2
"""Length of an arrow as long as the weight, as a share of the height of the base."""
_STEP = 0.1
"""Half the width of a step, as a share of the height of the base."""
_WIDTH, _LETTER = 11.0, 0.075
"""Width of all curves, and of a letter of a name beside them [inch]."""
_TALLEST = 4.0
"""Height of a stick figure, at most [inch]."""
_FEET, _EFFORT = 4.4, 1.35
"""Height of the curves of the feet, of a row of efforts [inch]."""


def draw(robot: Any, gait: Gait, path: Path, *, dark: bool = False) -> None:
    """Writes a picture: the robot at instants of a stride, footfalls, forces and efforts.

    Args:
        robot: The robot of the gait.
        gait: The gait.
        path: The picture, whose format its name tells.
        dark: Whether its background is dark.

    Raises:
        RobcogenError: If matplotlib is not installed, knows no such format, or cannot write it.
    """
    with style.picture(path, size(robot, gait), dark=dark) as figure:
        fill(figure, robot, gait)


def size(robot: Any, gait: Gait) -> tuple[float, float]:
    """Width and height [inch]."""
    longest = max(map(len, (*gait.feet, "friction cone")))
    return _WIDTH + _LETTER * longest, 0.5 + sum(_heights(robot, gait))


def _heights(robot: Any, gait: Gait) -> tuple[float, float, float]:
    """Returns heights of the stick figures, the curves of the feet, the efforts [inch]."""
    low, high = _extent(robot, gait)
    wide, _, tall = high - low
    rows = _rows(limbs(stick_figure(robot, gait.q[0])))
    figures = min(_WIDTH / _INSTANTS * tall / wide, _TALLEST)
    return 0.4 + figures, _FEET, 0.3 + _EFFORT * len(rows)


def fill(figure: Any, robot: Any, gait: Gait) -> None:
    """Draws all."""
    figure.suptitle(
        f"{robot.name}: {gait.speed:.3g} m/s, a stride of {gait.speed * gait.duration:.3g} m in "
        f"{gait.duration:.3g} s"
    )
    pictures, feet, efforts = figure.subfigures(3, 1, height_ratios=_heights(robot, gait))
    legs = _legs(robot, gait.feet)
    _pictures(pictures.subplots(1, _INSTANTS), robot, gait, legs)
    _feet(feet.subplots(3, 1, sharex=True), gait)
    _efforts(efforts, gait, _rows(limbs(stick_figure(robot, gait.q[0]))), legs)


def _instants(gait: Gait) -> list[int]:
    """Numbers of instants that are about evenly apart."""
    shares = (np.arange(_INSTANTS) + 0.5) / _INSTANTS
    return [int(k) for k in np.searchsorted(gait.times, gait.duration * shares)]


def _placed(robot: Any, gait: Gait, k: int) -> tuple[Array, Array, Array]:
    """Pose of the base above the origin (4, 4), places of all frames, and arrows of the forces."""
    base = gait.base_poses()[k]
    base[:3, 3] -= _passed(gait, k)
    unit = _FORCE * float(gait.on_ground()[0][0, 2, 3]) / (FREE_FALL * robot.total_mass())
    return base, (base @ robot.frame_poses(gait.q[k]))[:, :3, 3], unit * gait.forces[k]


def _passed(gait: Gait, k: int) -> Array:
    """The way from the origin to the ground below the base, as it moves on average (3,)."""
    place, normal = gait.position[0], gait.ground_normal
    begin = np.append(place[:2], -normal[:2] @ place[:2] / normal[2])
    passed: Array = begin + gait.times[k] / gait.duration * (gait.position[-1] - place)
    return passed


def _draw_steps(axes: Any, gait: Gait, k: int) -> None:
    """Draws a line where each foot stands, one stride behind and ahead too."""
    for number in (-1, 0, 1):
        way = number * (gait.position[-1] - gait.position[0]) - _passed(gait, k)
        for x, _, z in gait.footholds + way:
            ends = [x - _STEP * gait.position[0, 2], x + _STEP * gait.position[0, 2]]
            axes.plot(ends, [z, z], color=style.ink(), alpha=0.5, linewidth=1)


def _feet_of(robot: Any, gait: Gait) -> list[int]:
    return [robot.frame_names.index(foot) for foot in gait.feet]


def _extent(robot: Any, gait: Gait) -> tuple[Array, Array]:
    """Least and greatest coordinates (3,) of what is drawn at all instants."""
    drawn = [np.zeros((1, 3))]
    for k in _instants(gait):
        _, places, forces = _placed(robot, gait, k)
        drawn += [places, places[_feet_of(robot, gait)] + forces]
    low, high = np.min(np.vstack(drawn), axis=0), np.max(np.vstack(drawn), axis=0)
    margin = 0.06 * (high - low).max()
    return low - margin, high + margin


def _pictures(panels: Sequence[Any], robot: Any, gait: Gait, legs: Mapping[int, int]) -> None:
    """The robot from its right."""
    colors = {joint: f"C{foot}" for joint, foot in legs.items()}
    low, high = _extent(robot, gait)
    for k, axes in zip(_instants(gait), panels, strict=True):
        base, places, forces = _placed(robot, gait, k)
        slope = -gait.ground_normal[0] / gait.ground_normal[2]
        ground = None if gait.steps else slope
        draw_on_ground(axes, stick_figure(robot, gait.q[k]), base, colors=colors, slope=ground)
        if gait.steps:
            _draw_steps(axes, gait, k)
        for i, foot in enumerate(_feet_of(robot, gait)):
            if forces[i].any():
                draw_force(axes, places[foot], forces[i], f"C{i}", base[2, 3])
        axes.set_title(f"{100 * gait.times[k] / gait.duration:.0f} %", fontsize="small")
        axes.set_axis_off()
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[2], high[2])
        axes.set_aspect("equal")


def _legs(robot: Any, feet: Sequence[str]) -> dict[int, int]:
    """Returns the number of the foot for each joint that moves one foot alone."""
    base, names = robot.link_names[0], list(robot.joint_names)
    legs = [robot.task_joints(base, foot) for foot in feet]
    return {
        names.index(joint): i
        for i, leg in enumerate(legs)
        for joint in leg
        if sum(joint in other for other in legs) == 1
    }


def _feet(axes: Sequence[Any], gait: Gait) -> None:
    """Footfalls and forces over the stride."""
    falls, normal, cone = axes
    _, forces = gait.on_ground()
    draw_footfalls(falls, gait.times, gait.standing > 0, gait.feet)
    falls.set_title("Which feet stand")
    for i, look in enumerate(style.lines(len(gait.feet))):
        stands = gait.standing[:, i]
        force = np.where(stands[:, None], forces[:, i], np.nan)
        push = np.where(force[:, 2] > 1e-3 * np.nanmax(forces), force[:, 2], np.nan)
        used = np.hypot(force[:, 0], force[:, 1]) / push
        normal.plot(gait.times, force[:, 2], **look)
        cone.plot(gait.times, used, **look)
    normal.set_title("Forces of the ground along its normal")
    normal.set_ylabel("[N]")
    normal.set_ylim(bottom=0.0)
    cone.axhline(gait.friction, color=style.ink(), linestyle="--", lw=1, label="friction cone")
    cone.set_title("Tangential by normal force")
    cone.set_ylim(0.0, 1.1 * gait.friction)
    cone.set_xlabel("time [s]")
    cone.set_xlim(0.0, gait.duration)
    style.beside_axes(cone)


def _rows(groups: Sequence[Limb]) -> list[Limb]:
    """Limbs in rows of a few joints."""
    return [
        Limb(limb.title, limb.joints[first : first + _ABREAST], limb.lengths)
        for limb in groups
        for first in range(0, len(limb.joints), _ABREAST)
    ]


def _efforts(figure: Any, gait: Gait, rows: Sequence[Limb], legs: Mapping[int, int]) -> None:
    """A small picture a joint, with its limits; behind those of one leg when its foot stands."""
    across = max(len(row.joints) for row in rows)
    title = "Efforts (dashed: limits; shaded: the foot stands)"
    figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
    panels = figure.subplots(len(rows), across, squeeze=False, sharex=True)
    for row, line in zip(rows, panels, strict=True):
        line[0].set_ylabel(row.unit("[N m]", "[N]"))
        for joint, axes in zip(row.joints, line, strict=False):
            _effort(axes, gait, joint, legs.get(joint))
        for axes in line[len(row.joints) :]:
            axes.set_axis_off()
    for axes in panels[-1, : len(rows[-1].joints)]:
        axes.set_xlabel("time [s]")


def _effort(axes: Any, gait: Gait, joint: int, foot: int | None) -> None:
    color = style.ink() if foot is None else f"C{foot}"
    if foot is not None:
        stands, whole = gait.standing[:, foot], axes.get_xaxis_transform()
        axes.fill_between(gait.times, 0, 1, stands, transform=whole, color=color, alpha=0.12)
    axes.plot(gait.times, gait.tau[:, joint], color=color)
    for sign in (-1, 1):
        limit = sign * gait.effort_limits[:, joint]
        axes.plot(gait.times, limit, "--", color=style.ink(), linewidth=0.8)
    axes.set_xlim(0.0, gait.duration)
    axes.set_title(gait.joint_names[joint], fontsize="small")
