"""Camera from which the whole robot is in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view.ellipsoids import drawn_axes
from robcogen_ros.view.model import Model

Array = NDArray[np.float64]

AZIMUTH, ELEVATION = 35.0, 18.0
"""Direction of view: degrees from x towards y, and above the horizon."""
_OPENING = 30.0
"""Vertical field of view [degrees]."""
_MARGIN = 1.12
_LEFT, _SHIFT = 1.0, 0.4
"""Width of what a panel leaves of a page, and its distance from the middle, by half the height."""
_ROUNDS = 8
_MOST_POINTS = 400
"""Most points of a surface that are looked at."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera.

    Attributes:
        position: Where it is (3,) [m].
        target: What it looks at (3,) [m].
        opening: Vertical field of view [rad].
    """

    position: Array
    target: Array
    opening: float

    @property
    def rotation(self) -> Array:
        """Columns: to the right, downwards, ahead (3, 3)."""
        ahead = self.target - self.position
        ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right = right / np.linalg.norm(right)
        return np.stack([right, np.cross(ahead, right), ahead], axis=1)


def beside_panel(points: Array, azimuth: float = AZIMUTH, elevation: float = ELEVATION) -> Camera:
    """The camera that sees points left of the panel of a browser's page."""
    camera = fitted(points, _LEFT, azimuth, elevation)
    away = float(np.linalg.norm(camera.target - camera.position))
    aside = _SHIFT * away * np.tan(camera.opening / 2) * camera.rotation[:, 0]
    return Camera(camera.position + aside, camera.target + aside, camera.opening)


def aim(server: Any, camera: Camera) -> None:
    """Lets browsers that open a server's page look from a camera at first."""
    server.initial_camera.position = tuple(camera.position)
    server.initial_camera.look_at = tuple(camera.target)
    server.initial_camera.fov = camera.opening


def outline(model: Model, state: RestingState, inertia: bool = False) -> Array:
    """Points of a robot in the world (k, 3): origins of its frames, some of its surfaces.

    Args:
        model: The robot.
        state: Where it is.
        inertia: Whether the ends of its ellipsoids are among them.
    """
    frames = {frame.of_link: i for i, frame in enumerate(model.tree.frames)}
    found = [state.frames[:, :3, 3]]
    for part in model.surfaces:
        pose = state.frames[frames[part.link]]
        some = part.vertices[:: max(1, len(part.vertices) // _MOST_POINTS)]
        found.append(some @ pose[:3, :3].T + pose[:3, 3])
    size = float(np.linalg.norm(np.ptp(np.concatenate(found), axis=0)))
    for each in model.ellipsoids if inertia else ():
        pose = state.frames[frames[each.link]]
        ends = each.center + np.concatenate([each.rotation.T, -each.rotation.T]) * np.tile(
            drawn_axes(each, size), 2
        ).reshape(-1, 1)
        found.append(ends @ pose[:3, :3].T + pose[:3, 3])
    return np.concatenate(found)


def fitted(
    points: Array, aspect: float, azimuth: float = AZIMUTH, elevation: float = ELEVATION
) -> Camera:
    """The camera nearest to points that sees them all.

    Args:
        points: The points (k, 3) [m].
        aspect: Width of the picture by its height.
        azimuth: From where, degrees from x towards y.
        elevation: Degrees above the horizon.
    """
    a, e = np.radians([azimuth, np.clip(elevation, -89.0, 89.0)])
    opening = float(np.radians(_OPENING))
    back = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    aside = np.array([-np.sin(a), np.cos(a), 0.0])
    axes = np.stack([aside, np.cross(back, aside), back], axis=1)
    seen = points @ axes
    slope = np.tan(opening / 2) * np.array([aspect, 1.0]) / _MARGIN
    middle = 0.5 * (seen[:, :2].min(axis=0) + seen[:, :2].max(axis=0))
    depth = float(seen[:, 2].mean())
    for _ in range(_ROUNDS):
        away = float((seen[:, 2, None] + np.abs(seen[:, :2] - middle) / slope).max())
        away = max(away, depth + 1e-3)
        sides = (seen[:, :2] - middle) / np.maximum(away - seen[:, 2, None], 1e-6)
        middle = middle + 0.5 * (sides.min(axis=0) + sides.max(axis=0)) * (away - depth)
    away = max(float((seen[:, 2, None] + np.abs(seen[:, :2] - middle) / slope).max()), depth + 1e-3)
    target = axes @ np.array([*middle, depth])
    return Camera(target + back * (away - depth), target, opening)
