"""Shapes that a URDF gives its links for collisions: boxes and spheres, and meshes as STL."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats import located_xml, packages
from robcogen_ros.formats.located_xml import Element
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
    found = []
    for link in located_xml.parse(urdf).all("link"):
        for collision in link.all("collision"):
            geometry = collision.first("geometry")
            if geometry is None:
                continue
            for shape in _shapes(geometry, package_paths or {}):
                points = shape.points @ _rotation(collision).T + _place(collision)
                name = link.attributes.get("name", "")
                found.append(Shape(name, points, shape.radius, shape.unread))
    return tuple(found)


def _shapes(geometry: Element, package_paths: Mapping[str, str]) -> Iterator[Shape]:
    """In their own coordinates."""
    for form in geometry.children:
        if form.tag == "sphere" and (radius := _numbers(form, "radius", 1)) is not None:
            yield Shape("", np.zeros((1, 3)), float(radius[0]))
        elif form.tag == "box" and (size := _numbers(form, "size", 3)) is not None:
            yield Shape("", np.array([*product(*([-a / 2, a / 2] for a in size))]))
        elif form.tag == "mesh":
            try:
                points, scale = _mesh(form, package_paths), _numbers(form, "scale", 3)
                yield Shape("", points if scale is None else points * scale)
            except (packages.PackageNotFoundError, OSError, ValueError) as error:
                yield Shape("", np.zeros((0, 3)), unread=_told(form, error))


def _told(form: Element, error: Exception) -> str:
    """Why a mesh cannot be read."""
    why = str(error)
    if isinstance(error, packages.PackageNotFoundError):
        why = f"there is no package '{error}'"
    elif isinstance(error, OSError):
        why = error.strerror or why
    return f"{Path(form.attributes.get('filename', 'a mesh')).name}: {why}"


def _mesh(form: Element, package_paths: Mapping[str, str]) -> Array:
    """Vertices of a binary STL.

    Raises:
        OSError: If the file cannot be read.
        PackageNotFoundError: If there is no package of that name.
        ValueError: If it is none.
    """
    path = _file(form, package_paths)
    if path.suffix.lower() != ".stl":
        raise ValueError("of meshes only binary STL is read")
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= _HEAD else 0
    if len(data) != _HEAD + _FACET * count or not count:
        raise ValueError("not a binary STL")
    facets = np.frombuffer(
        data, np.dtype([("", "<f4", 3), ("v", "<f4", (3, 3)), ("", "<u2")]), offset=_HEAD
    )
    return np.unique(facets["v"].reshape(-1, 3), axis=0).astype(float)


def _file(form: Element, package_paths: Mapping[str, str]) -> Path:
    """The file of a mesh; a package may be the source, or a folder of its name, that has the URDF.

    Raises:
        PackageNotFoundError: If there is no such package.
    """
    name, source = form.attributes.get("filename", ""), form.source.files
    if not name.startswith(packages.SCHEME):
        return Path(name.removeprefix("file://"))
    package, _, rest = name.removeprefix(packages.SCHEME).partition("/")
    folders = [folder for file in source for folder in Path(file).resolve().parents]
    called = {folder.name: str(folder) for folder in folders}
    return packages.directory(package, {**called, **package_paths}) / rest


def _rotation(collision: Element) -> Array:
    origin = collision.first("origin")
    angles = _numbers(origin, "rpy", 3) if origin is not None else None
    if angles is None:
        return np.eye(3)
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _place(collision: Element) -> Array:
    origin = collision.first("origin")
    place = _numbers(origin, "xyz", 3) if origin is not None else None
    return np.zeros(3) if place is None else place


def _numbers(element: Element, attribute: str, count: int) -> Array | None:
    """The numbers of an attribute; None if these are not as many finite ones."""
    try:
        found = np.array([float(word) for word in element.attributes.get(attribute, "").split()])
    except ValueError:
        return None
    return found if len(found) == count and bool(np.isfinite(found).all()) else None
