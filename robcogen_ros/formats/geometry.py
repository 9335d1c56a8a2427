"""Shapes that a URDF gives its links, to be seen and to collide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats import packages
from robcogen_ros.formats.located_xml import Element

Array = NDArray[np.float64]

_NOISE = 1e-15
"""What rounding leaves of the sines and cosines of right angles."""

Form = Literal["box", "sphere", "cylinder", "capsule", "mesh"]
_SIZES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "sphere": (("radius", 1),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
}


@dataclass(frozen=True, slots=True)
class Geometry:
    """A shape of a link.

    Attributes:
        link: The link's name.
        visual: Whether it is there to be seen; if not, to collide.
        form: What it is.
        sizes: Edges of a box, radius and length of the others, scale of a mesh [m].
        pose: Pose link_X_shape, 4x4.
        mesh: The file of a mesh, as it is written.
        color: Red, green, blue, opacity; None where none is given.
        element: Where it is written.
    """

    link: str
    visual: bool
    form: Form
    sizes: tuple[float, ...]
    pose: Array
    mesh: str
    color: tuple[float, ...] | None
    element: Element

    def file(self, package_paths: Mapping[str, str]) -> Path:
        """Where its mesh is; packages may be the source, or a folder of the name, with the URDF.

        Raises:
            PackageNotFoundError: If there is no such package.
        """
        sources = self.element.source.files
        if not self.mesh.startswith(packages.SCHEME):
            path = Path(self.mesh.removeprefix("file://"))
            return Path(sources[0]).parent / path if sources else path
        package, _, rest = self.mesh.removeprefix(packages.SCHEME).lstrip("/").partition("/")
        folders = [folder for file in sources for folder in Path(file).resolve().parents]
        called = {folder.name: str(folder) for folder in folders}
        return packages.directory(package, {**called, **package_paths}) / rest


def geometries(robot: Element) -> Iterator[Geometry]:
    """The shapes of all links of a URDF; those that cannot be understood are left out."""
    colors = {
        material.attributes.get("name", ""): color
        for material in robot.all("material")
        if (color := _color(material)) is not None
    }
    for link in robot.all("link"):
        for part in link.all("visual", "collision"):
            geometry = part.first("geometry")
            for form in geometry.children if geometry else ():
                found = _sizes(form)
                if found is not None:
                    yield Geometry(
                        link.attributes.get("name", ""),
                        part.tag == "visual",
                        form.tag,  # type: ignore[arg-type]
                        found,
                        _pose(part.first("origin")),
                        form.attributes.get("filename", "").strip(),
                        _material(part, colors),
                        form,
                    )


def _sizes(form: Element) -> tuple[float, ...] | None:
    if form.tag == "mesh":
        scale = _numbers(form, "scale", 3)
        return (1.0, 1.0, 1.0) if scale is None else tuple(map(float, scale))
    found: list[float] = []
    for name, count in _SIZES.get(form.tag, ()):
        numbers = _numbers(form, name, count)
        if numbers is None:
            return None
        found += map(float, numbers)
    return tuple(found) or None


def _pose(origin: Element | None) -> Array:
    pose = np.eye(4)
    if origin is None:
        return pose
    xyz, rpy = _numbers(origin, "xyz", 3), _numbers(origin, "rpy", 3)
    if xyz is not None:
        pose[:3, 3] = xyz
    if rpy is not None:
        pose[:3, :3] = _rotation(rpy)
    return pose


def _rotation(angles: Array) -> Array:
    turns = np.array([np.cos(angles), np.sin(angles)])
    (cr, cp, cy), (sr, sp, sy) = np.where(abs(turns) < _NOISE, 0.0, turns)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _material(part: Element, colors: Mapping[str, tuple[float, ...]]) -> tuple[float, ...] | None:
    material = part.first("material")
    if material is None:
        return None
    return _color(material) or colors.get(material.attributes.get("name", ""))


def _color(material: Element) -> tuple[float, ...] | None:
    color = material.first("color")
    found = _numbers(color, "rgba", 4) if color else None
    return None if found is None else tuple(map(float, found))


def _numbers(element: Element, attribute: str, count: int) -> Array | None:
    """The numbers of an attribute; None if these are not as many finite ones."""
    try:
        found = np.array([float(word) for word in element.attributes.get(attribute, "").split()])
    except ValueError:
        return None
    return found if len(found) == count and bool(np.isfinite(found).all()) else None
