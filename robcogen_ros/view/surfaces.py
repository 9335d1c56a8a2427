"""Surfaces of a robot's links, of meshes and of the simple shapes in its URDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.extras import package
from robcogen_ros.formats import packages
from robcogen_ros.formats.meshes.triangles import triangles, unreadable
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.names import listed
from robcogen_ros.model.quaternions import matrix

Array = NDArray[np.float64]
Faces = NDArray[np.int64]
Color = tuple[int, int, int]

GREY: Color = (190, 194, 200)
"""Color of surfaces without one."""
_CREASE = 0.6
"""Angle between neighbouring facets from which on their edge is sharp [rad]."""
_DARKEST = 30
"""Brightness in which black is drawn, 0 to 255."""
_MOST_COLORS = 32
"""Colors of one mesh that are told apart."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Triangles of one color on a link.

    Attributes:
        link: The link's name in the file.
        vertices: Corners (k, 3) in the link's own frame [m].
        faces: Indices of three corners each (m, 3).
        color: Red, green, blue, 0 to 255.
        opacity: 1 of what cannot be seen through.
    """

    link: str
    vertices: Array
    faces: Faces
    color: Color
    opacity: float = 1.0


def surfaces(
    shapes: Sequence[ShapeDescription], package_paths: Mapping[str, str]
) -> tuple[list[Surface], list[Problem]]:
    """The surfaces of shapes, and which of these are left out.

    Args:
        shapes: The shapes of all links; those for collisions count where none is to be seen.
        package_paths: Directories of packages that hold meshes.
    """
    found: list[Surface] = []
    missing: dict[str, dict[str, None]] = {}
    for shape in [shape for shape in shapes if shape.visual] or shapes:
        try:
            found += _surfaces(shape, package_paths)
        except packages.PackageNotFoundError as error:
            why = f"package '{error}' is not found (--package-path {error}:=DIRECTORY tells it)"
            missing.setdefault(why, {})[_called(shape)] = None
        except Exception as error:  # a reader of meshes raises whatever its format brings
            missing.setdefault(unreadable(error), {})[_called(shape)] = None
    problems = [
        Problem(f"shapes are left out, for {why}: {listed([*names])}", None, "warning")
        for why, names in missing.items()
    ]
    return _joined(found), problems


def smoothed(vertices: Array, faces: Faces, mesh: Any) -> tuple[Array, Faces]:
    """Returns the triangles with corners of their own on either side of a sharp edge.

    So a viewer that shades by the mean of the facets about a corner shows edges as edges.
    """
    smooth = mesh.face_adjacency_angles < _CREASE
    pairs, edges = mesh.face_adjacency[smooth], mesh.face_adjacency_edges[smooth]
    left, right = list[Faces](), list[Faces]()
    for end in range(2):
        for side, corners in enumerate((left, right)):
            here = faces[pairs[:, side]] == edges[:, end, None]
            corners.append(3 * pairs[:, side] + here.argmax(axis=1))
    a, b = np.concatenate(left), np.concatenate(right)
    group = np.arange(faces.size)
    while True:
        least = np.minimum(group[a], group[b])
        np.minimum.at(group, a, least)
        np.minimum.at(group, b, least)
        if np.array_equal(group[a], group[b]):
            break
    kept, index = np.unique(group, return_inverse=True)
    return vertices[faces.reshape(-1)[kept]], index.reshape(-1, 3)


def _called(shape: ShapeDescription) -> str:
    return shape.mesh.rpartition("/")[2] or f"a {shape.form} of '{shape.link}'"


def _surfaces(shape: ShapeDescription, package_paths: Mapping[str, str]) -> Iterator[Surface]:
    given = None if shape.color is None else _bytes(shape.color[:3])
    opacity = 1.0 if shape.color is None else float(shape.color[3])
    for mesh, color in _meshes(shape, package_paths):
        mesh.merge_vertices(merge_tex=True, merge_norm=True)
        points, faces = np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
        points, faces = smoothed(points, faces, mesh)
        if shape.form == "mesh":
            points = points * shape.sizes
            if np.prod(shape.sizes) < 0:
                faces = faces[:, ::-1]
        pose = matrix(shape.pose)
        points = points @ pose[:3, :3].T + pose[:3, 3]
        yield Surface(shape.link, points, faces, _lifted(color or given or GREY), opacity)


def _meshes(
    shape: ShapeDescription, package_paths: Mapping[str, str]
) -> Iterator[tuple[Any, Color | None]]:
    """Triangles in the shape's own coordinates, and their color where they have one."""
    trimesh = package("trimesh", "view")
    if shape.form != "mesh":
        yield _primitive(shape, trimesh.creation), None
        return
    for mesh in triangles(packages.mesh(shape, package_paths)):
        yield from _by_color(mesh)


def _primitive(shape: ShapeDescription, creation: Any) -> Any:
    sizes = shape.sizes
    if shape.form == "box":
        return creation.box(sizes)
    if shape.form == "sphere":
        return creation.icosphere(subdivisions=3, radius=sizes[0])
    if shape.form == "cylinder":
        return creation.cylinder(radius=sizes[0], height=sizes[1], sections=48)
    mesh = creation.capsule(radius=sizes[0], height=sizes[1], count=(24, 24))
    mesh.apply_translation(-mesh.bounds.mean(axis=0))
    return mesh


def _by_color(mesh: Any) -> Iterator[tuple[Any, Color | None]]:
    visual = mesh.visual
    if visual.kind == "texture":
        yield mesh, _color_of(visual.material)
        return
    if not visual.kind or not visual.defined:
        yield mesh, None
        return
    colors, index = np.unique(visual.face_colors[:, :3], axis=0, return_inverse=True)
    if len(colors) > _MOST_COLORS:
        yield mesh, _rgb(visual.face_colors.mean(axis=0))
        return
    for i, color in enumerate(colors):
        part = mesh.submesh([np.flatnonzero(index.reshape(-1) == i)], append=True)
        yield part, _rgb(color)


def _color_of(material: Any) -> Color:
    """A material's color; of a picture on it the mean."""
    for name in ("image", "baseColorTexture"):
        picture = getattr(material, name, None)
        if picture is not None:
            return _rgb(np.asarray(picture.convert("RGB")).reshape(-1, 3).mean(axis=0))
    return _rgb(material.main_color)


def _rgb(color: Any) -> Color:
    red, green, blue = (round(float(part)) for part in color[:3])
    return red, green, blue


def _lifted(color: Color) -> Color:
    """A color that is not so dark that its shades cannot be told."""
    red, green, blue = (_DARKEST + round(part * (255 - _DARKEST) / 255) for part in color)
    return red, green, blue


def _bytes(color: Sequence[float]) -> Color:
    return _rgb([255 * min(1.0, max(0.0, part)) for part in color])


def _joined(parts: Sequence[Surface]) -> list[Surface]:
    """One surface for each color of a link."""
    groups: dict[tuple[str, Color, float], list[Surface]] = {}
    for part in parts:
        groups.setdefault((part.link, part.color, part.opacity), []).append(part)
    return [_united(group) for group in groups.values()]


def _united(group: Sequence[Surface]) -> Surface:
    first = group[0]
    begins = np.cumsum([0, *(len(part.vertices) for part in group[:-1])])
    faces = [part.faces + begin for part, begin in zip(group, begins, strict=True)]
    vertices = np.concatenate([part.vertices for part in group])
    return Surface(first.link, vertices, np.concatenate(faces), first.color, first.opacity)
