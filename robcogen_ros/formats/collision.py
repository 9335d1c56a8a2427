"""Shapes that a URDF gives its links for collisions: boxes and spheres, and meshes as STL."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats import located_xml, packages
from robcogen_ros.formats.geometry import Geometry, geometries
from robcogen_ros.formats.source import Source
from robcogen_ros.model.soles import Shape

Array = NDArray[np.float64]

_HEAD, _FACET = 84, 50
"""Bytes of a binary STL before its facets, and of each of these."""


def shapes(urdf: Source, package_paths: Mapping[str, str] | None = None) -> tuple[Shape, ...]:
    """The shapes of all links of a URDF; of meshes that cannot be read those say why.

    Args:
        urdf: Its text.
        package_paths: Directories of packages that hold meshes.

    Raises:
        ModelError: If it is not XML.
    """
    return of_geometries(geometries(located_xml.parse(urdf)), package_paths)


def of_geometries(
    found: Iterable[Geometry], package_paths: Mapping[str, str] | None = None
) -> tuple[Shape, ...]:
    """The same of shapes that are read; those that are there to be seen do not count."""
    shapes = []
    for geometry in found:
        shape = None if geometry.visual else _shape(geometry, package_paths or {})
        if shape is not None:
            points = shape.points @ geometry.pose[:3, :3].T + geometry.pose[:3, 3]
            shapes.append(Shape(geometry.link, points, shape.radius, shape.unread))
    return tuple(shapes)


def _shape(geometry: Geometry, package_paths: Mapping[str, str]) -> Shape | None:
    """In its own coordinates."""
    if geometry.form == "sphere":
        return Shape("", np.zeros((1, 3)), geometry.sizes[0])
    if geometry.form == "box":
        return Shape("", np.array([*product(*([-a / 2, a / 2] for a in geometry.sizes))]))
    if geometry.form != "mesh":
        return None
    try:
        return Shape("", _vertices(geometry.file(package_paths)) * geometry.sizes)
    except (packages.PackageNotFoundError, OSError, ValueError) as error:
        return Shape("", np.zeros((0, 3)), unread=_told(geometry, error))


def _told(geometry: Geometry, error: Exception) -> str:
    """Why a mesh cannot be read."""
    why = str(error)
    if isinstance(error, packages.PackageNotFoundError):
        why = f"there is no package '{error}'"
    elif isinstance(error, OSError):
        why = error.strerror or why
    return f"{Path(geometry.mesh or 'a mesh').name}: {why}"


def _vertices(path: Path) -> Array:
    """Those of a binary STL.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is none.
    """
    if path.suffix.lower() != ".stl":
        raise ValueError("of meshes only binary STL is read")
    data = path.read_bytes()
    if not facets(data):
        raise ValueError("not a binary STL")
    return np.unique(corners(data), axis=0)


def corners(data: bytes) -> Array:
    """The corners of all facets of a binary STL, (m, 3)."""
    records = np.frombuffer(
        data, np.dtype([("", "<f4", 3), ("v", "<f4", (3, 3)), ("", "<u2")]), offset=_HEAD
    )
    return records["v"].reshape(-1, 3).astype(float)


def facets(data: bytes) -> int:
    """How many facets a binary STL has; 0 if it is none."""
    count = int(struct.unpack_from("<I", data, 80)[0]) if len(data) >= _HEAD else 0
    return count if len(data) == _HEAD + _FACET * count else 0
