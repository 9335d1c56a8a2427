"""Shapes that a file gives its links for collisions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats import packages
from robcogen_ros.formats.meshes import stl
from robcogen_ros.formats.meshes.triangles import triangles, unreadable
from robcogen_ros.formats.regular_file import contents
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.standing.soles import Shape

Array = NDArray[np.float64]
AXES = {"cylinder": np.array([0.0, 0.0, 1.0]), "capsule": np.zeros(3)}
"""Normals of the discs at the ends of shapes; capsules end in balls."""


def shapes(
    described: Iterable[ShapeDescription],
    links: Collection[str | None] | None = None,
    package_paths: Mapping[str, str] | None = None,
) -> tuple[Shape, ...]:
    """The shapes for collisions of links; of meshes that cannot be read those say why.

    Args:
        described: The shapes of a description.
        links: Whose shapes are wanted; None for all.
        package_paths: Directories of packages that hold meshes.
    """
    wanted = (s for s in described if not s.visual and (links is None or s.link in links))
    return tuple(_shape(each, package_paths or {}).moved(matrix(each.pose)) for each in wanted)


def _shape(written: ShapeDescription, package_paths: Mapping[str, str]) -> Shape:
    """Returns a shape in its own coordinates."""
    link, sizes = written.link, written.sizes
    if written.form == "sphere":
        return Shape(link, np.zeros((1, 3)), sizes[0])
    if written.form == "box":
        return Shape(link, np.array([*product(*([-a / 2, a / 2] for a in sizes))]))
    if written.form != "mesh":
        ends = np.array([[0.0, 0.0, -sizes[1] / 2], [0.0, 0.0, sizes[1] / 2]])
        return Shape(link, ends, sizes[0], axis=AXES[written.form])
    try:
        return Shape(link, _vertices(packages.mesh(written, package_paths)) * sizes)
    except packages.PackageNotFoundError as error:
        why = f"there is no package '{error}'"
    except Exception as error:  # a reader of meshes raises whatever its format brings
        why = unreadable(error)
    return Shape(link, np.zeros((0, 3)), unread=f"{Path(written.mesh or 'a mesh').name}: {why}")


def _vertices(path: Path) -> Array:
    """Returns the corners of a mesh; of binary STL without the packages of the viewer.

    Raises:
        Exception: If it cannot be read, or it is not known what is upwards in it.
    """
    data = contents(path)
    if path.suffix.lower() == ".dae" and not re.search(rb"<up_axis>\s*Z_UP\s*<", data):
        raise ValueError("another up_axis than Z_UP, which some programs heed and some do not")
    if path.suffix.lower() == ".stl" and stl.facets(data):
        return np.unique(stl.corners(data), axis=0)
    return np.unique(np.concatenate([mesh.vertices for mesh in triangles(path)]), axis=0)
