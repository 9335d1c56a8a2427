"""Links of a robot without surfaces: thin bars from their own frame to what they carry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.extras import package
from robcogen_ros.model.quaternions import matrix, turning
from robcogen_ros.view import colors
from robcogen_ros.view.model import Model
from robcogen_ros.view.surfaces import Surface

Array = NDArray[np.float64]

_RADIUS = 0.012
"""Radius of a bar, as a share of the robot's size."""


def bones(model: Model, size: float) -> list[Surface]:
    """A ball at each joint and a bar to each frame and joint on the same link.

    Args:
        model: The robot.
        size: Its size [m].
    """
    return [
        surface for number in range(len(model.tree.links)) for surface in _bone(model, number, size)
    ]


def _bone(model: Model, number: int, size: float) -> Iterator[Surface]:
    tree, radius = model.tree, _RADIUS * size
    creation = package("trimesh", "view").creation
    link = tree.links[number]
    back = np.linalg.inv(matrix(link.frame))
    ends = [matrix(joint.pose) for joint in tree.joints if joint.predecessor == number]
    ends += [matrix(frame.pose) for frame in tree.frames if frame.link == number]
    meshes = [creation.icosphere(subdivisions=2, radius=1.6 * radius)]
    for end in np.unique(np.round([(back @ end)[:3, 3] for end in ends], 9), axis=0):
        length = float(np.linalg.norm(end))
        if length > radius:
            bar = creation.cylinder(radius=radius, height=length, sections=24)
            pose = np.eye(4)
            pose[:3, :3] = turning(np.array([0.0, 0.0, 1.0]), end / length)
            pose[:3, 3] = end / 2
            bar.apply_transform(pose)
            meshes.append(bar)
    for mesh in meshes:
        faces = np.asarray(mesh.faces)
        yield Surface(link.name, np.asarray(mesh.vertices, float), faces, colors.BONE)
