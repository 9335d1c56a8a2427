"""Robots on legs: a stick figure on the ground, forces that push it, and which feet stand when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.plots import style
from robcogen_ros.plots.skeleton import Skeleton

Array = NDArray[np.float64]


def draw_on_ground(
    axes: Any,
    robot: Skeleton,
    base: Array,
    across: int = 0,
    colors: Mapping[int, str] | None = None,
    slope: float | None = 0.0,
) -> None:
    """Draws a stick figure above a line, the ground through the origin.

    Args:
        axes: Where.
        robot: What is drawn.
        base: Pose of its base in the world (4, 4).
        across: What is to the right: x, seen from a side, or y, seen from the front.
        colors: Of what a coordinate moves, by its number; the others are of the colour of text.
        slope: Rise of the ground to the right; None where it is not drawn.
    """
    axes.grid(visible=False)
    if slope is not None:
        axes.axline((0.0, 0.0), slope=slope, color=style.ink(), alpha=0.5, linewidth=1)
    for joint, *ends in robot.bones:
        points = np.array(ends) @ base[:3, :3].T + base[:3, 3]
        color = (colors or {}).get(joint, style.ink())
        axes.plot(points[:, across], points[:, 2], "-", color=color, linewidth=1.5)


def draw_force(
    axes: Any, tail: Array, force: Array, color: str, size: float, across: int = 0
) -> None:
    """Draws an arrow.

    Args:
        axes: Where.
        tail: Where it begins in the world (3,).
        force: How long it is (3,), as a length.
        color: Its colour.
        size: Height of the robot, of which the head is a share.
        across: As in `draw_on_ground`.
    """
    axes.arrow(
        tail[across],
        tail[2],
        force[across],
        force[2],
        color=color,
        head_width=0.04 * size,
        length_includes_head=True,
        linewidth=0.8,
    )


def draw_footfalls(axes: Any, time: Array, stands: NDArray[np.bool_], feet: Sequence[str]) -> None:
    """Draws a bar for each span of time in which a foot stands, a row a foot.

    Args:
        axes: Where.
        time: Instants (k) [s].
        stands: Which feet stand then (k, feet).
        feet: Names of the feet.
    """
    for i, foot in enumerate(feet):
        changes = np.flatnonzero(np.diff(np.concatenate([[0], stands[:, i], [0]])))
        begins, ends = time[changes[::2]], time[changes[1::2] - 1]
        axes.broken_barh(
            list(zip(begins, ends - begins, strict=True)), (i - 0.35, 0.7), color=f"C{i}"
        )
        axes.text(1.01, i, foot, transform=axes.get_yaxis_transform(), va="center")
    axes.set_yticks([])
    axes.set_ylim(len(feet) - 0.5, -0.5)
