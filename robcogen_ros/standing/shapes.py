"""Shapes that a URDF gives its links for collisions: boxes and spheres, and meshes as STL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats import packages
from robcogen_ros.formats.meshes import stl
from robcogen_ros.formats.regular_file import contents, reason
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.standing.soles import Shape

Array = NDArray[np.float64]


def shapes(
    described: Iterable[ShapeDescription], package_paths: Mapping[str, str] | None = None
) -> tuple[Shape, ...]:
    """The shapes for collisions of all links; of meshes that cannot be read those say why.

    Args:
        described: The shapes of a description.
        package_paths: Directories of packages that hold meshes.
    """
    found = []
    for written in described:
        shape = None if written.visual else _shape(written, package_paths or {})
        if shape is not None:
            pose = matrix(written.pose)
            points = shape.points @ pose[:3, :3].T + pose[:3, 3]
            found.append(Shape(written.link, points, shape.radius, shape.unread))
    return tuple(found)


def _shape(written: ShapeDescription, package_paths: Mapping[str, str]) -> Shape | None:
    """Returns a shape in its own coordinates; None if it has none."""
    if written.form == "sphere":
        return Shape("", np.zeros((1, 3)), written.sizes[0])
    if written.form == "box":
        return Shape("", np.array([*product(*([-a / 2, a / 2] for a in written.sizes))]))
    if written.form != "mesh":
        return None
    try:
        return Shape("", _vertices(packages.mesh(written, package_paths)) * written.sizes)
    except (packages.PackageNotFoundError, OSError, ValueError) as error:
        return Shape("", np.zeros((0, 3)), unread=_why_unreadable(written, error))


def _why_unreadable(written: ShapeDescription, error: Exception) -> str:
    """Returns why a mesh cannot be read."""
    why = str(error)
    if isinstance(error, packages.PackageNotFoundError):
        why = f"there is no package '{error}'"
    elif isinstance(error, OSError):
        why = reason(error)
    return f"{Path(written.mesh or 'a mesh').name}: {why}"


def _vertices(path: Path) -> Array:
    """Returns the corners of a binary STL.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is none.
    """
    if path.suffix.lower() != ".stl":
        raise ValueError("of meshes only binary STL is read")
    data = contents(path)
    if not stl.facets(data):
        raise ValueError("not a binary STL")
    return np.unique(stl.corners(data), axis=0)
