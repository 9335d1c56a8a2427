"""Footfall patterns of robots on four legs, with times and lengths by their height."""

from __future__ import annotations

from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import FREE_FALL

TROT, WALK = 2.0, 16.0
"""Periods, as multiples of the root of height by gravity."""


def trot(robot: Any, posture: Array) -> dict[str, Any]:
    """Feet across from each other swing together: settings of `robot.gait()`.

    Args:
        robot: The robot; its contacts are its feet.
        posture: (n,) in which it stands, its base level.

    Raises:
        RobcogenError: If it has not four feet.
    """
    return _settings(robot, posture, TROT, 0.55, (0.0, 0.5, 0.0, 0.5))


def walk(robot: Any, posture: Array) -> dict[str, Any]:
    """One foot swings at a time: left hind, left fore, right hind, right fore. As `trot`."""
    return _settings(robot, posture, WALK, 0.9, (0.25, 0.0, 0.5, 0.75))


def height(robot: Any, posture: Array) -> float:
    """Of the base above its feet [m]."""
    return -float(_feet(robot, posture)[:, 2].mean())


def _feet(robot: Any, posture: Array) -> Array:
    """Where feet are in the base (feet, 3) [m]."""
    frames = [contact.frame for contact in robot.contact_records]
    return np.asarray(robot.frame_poses(posture)[frames, :3, 3])


def _settings(
    robot: Any, posture: Array, period: float, duty: float, phases: tuple[float, ...]
) -> dict[str, Any]:
    """Settings, of phases counter-clockwise from the left fore foot."""
    places, high = _feet(robot, posture), height(robot, posture)
    if len(places) != len(phases):
        raise RobcogenError(
            f"robot '{robot.name}' has {len(places)} feet: gaits are known of {len(phases)}"
        )
    x, y = (places - places.mean(axis=0))[:, :2].T
    around = np.argsort(np.arctan2(y, x) % (2 * np.pi))
    return {
        "posture": posture,
        "period": period * float(np.sqrt(high / FREE_FALL)),
        "duty": duty,
        "phases": {robot.contacts[foot]: phases[rank] for rank, foot in enumerate(around)},
        "swing_height": 0.13 * high,
        "longest_step": 0.4 * high,
        "settled": 0.05 * high,
    }
