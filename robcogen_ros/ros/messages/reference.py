"""Reading `trajectory_msgs/JointTrajectory`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.reference import MARGIN, Bounds, Waypoints
from robcogen_ros.errors import RobcogenError

MOST_POINTS = 1000
"""Most points of a motion of a robot on legs, as of `trajectory.hpp`."""


def waypoints(
    message: Any,
    bounds: Bounds,
    partial: bool = True,
    follows: bool = True,
    most: int = sys.maxsize,
) -> Waypoints:
    """The points of a message, in the order of the robot's joints; absent joints are left open.

    Efforts may come alone, without positions, velocities and accelerations in any point.

    Args:
        message: A `trajectory_msgs/JointTrajectory`.
        bounds: The robot's joints and their limits.
        partial: Whether joints may be absent.
        follows: Whether positions are followed; if not, there must be efforts.
        most: How many points there may be.

    Raises:
        RobcogenError: If the message must not be followed, and why.
    """
    names, joint_names = list(message.joint_names), bounds.names
    target = _targets(names, joint_names)
    absent = [name for name in joint_names if name not in names]
    if absent and not partial:
        raise RobcogenError(
            f"it leaves out joint '{absent[0]}'; name all joints, or set allow_partial_joints_goal"
        )
    points = list(message.points)
    times = point_times(points, most)
    rows = {
        what: _rows([getattr(p, what) for p in points], what, target, len(joint_names))
        for what in ("positions", "velocities", "accelerations")
    }
    efforts = _rows([p.effort for p in points], "effort", target, len(joint_names))
    alone = not np.isnan(efforts).all() and all(np.isnan(row).all() for row in rows.values())
    if np.isnan(rows["positions"][:, target]).any() and not alone:
        raise RobcogenError("a point has no positions")
    if not follows and np.isnan(efforts).all():
        raise RobcogenError("the mode follows no positions, it adds efforts; expected effort")
    _check_limits(rows["positions"], bounds)
    return Waypoints(times, **rows, efforts=np.nan_to_num(efforts))


def point_times(points: Sequence[Any], most: int) -> tuple[float, ...]:
    """Returns times of points [s].

    Raises:
        RobcogenError: If there are none or too many, or they do not increase from zero on.
    """
    if not points:
        raise RobcogenError("it has no points")
    if len(points) > most:
        raise RobcogenError(f"expected at most {most} points, found {len(points)}")
    spans = [point.time_from_start for point in points]
    times = tuple(span.sec + 1e-9 * span.nanosec for span in spans)
    if times[0] < 0 or any(b <= a for a, b in pairwise(times)):
        raise RobcogenError("times of its points do not increase from zero on")
    return times


def _targets(names: Sequence[str], joint_names: Sequence[str]) -> list[int]:
    if not names:
        raise RobcogenError("it names no joints")
    if len(set(names)) != len(names):
        raise RobcogenError("it names a joint twice")
    unknown = [name for name in names if name not in joint_names]
    if unknown:
        raise RobcogenError(f"the robot has no joint '{unknown[0]}'")
    return [list(joint_names).index(name) for name in names]


def _rows(values: Sequence[Sequence[float]], what: str, target: list[int], n: int) -> Array:
    """One row a point; NaN where a point gives nothing."""
    rows = np.full((len(values), n), np.nan)
    for row, given in zip(rows, values, strict=True):
        if len(given) not in (0, len(target)):
            raise RobcogenError(f"a point has {len(given)} {what} for {len(target)} joints")
        if not np.isfinite(given).all():
            raise RobcogenError(f"a point has {what} that are not finite")
        if len(given):
            row[target] = given
    return rows


def _check_limits(positions: Array, bounds: Bounds) -> None:
    with np.errstate(invalid="ignore"):
        beyond = (positions > bounds.upper + MARGIN) | (positions < bounds.lower - MARGIN)
    if beyond.any():
        point, joint = (int(i[0]) for i in np.nonzero(beyond))
        ends = f"{bounds.lower[joint]:g} and {bounds.upper[joint]:g}"
        where = f"point {point} has {positions[point, joint]:g} for joint '{bounds.names[joint]}'"
        raise RobcogenError(f"{where}, which is not within {ends}")
