"""Meshes of a URDF for MuJoCo; of COLLADA, which it does not read, OBJ is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.formats import packages
from robcogen_ros.formats.meshes.named import Meshes, obstacle_of_corners
from robcogen_ros.formats.meshes.triangles import triangles, unreadable
from robcogen_ros.formats.written import free_name
from robcogen_ros.model.description import ShapeDescription

_COLLADA, _OBJ = ".dae", ".obj"


class ObjMeshes(Meshes):
    """Meshes for MuJoCo.

    Attributes:
        made: The text of each OBJ that is to be written, by its file.
    """

    def __init__(
        self,
        shapes: Sequence[ShapeDescription],
        package_paths: Mapping[str, str],
        output: Path | None,
    ) -> None:
        """Meshes of some shapes.

        Args:
            shapes: The shapes.
            package_paths: Directories of packages that hold meshes.
            output: The file that names the meshes; OBJ is made in a folder beside it.
        """
        super().__init__("MuJoCo", (".stl", _OBJ), package_paths, output and output.parent)
        self.made: dict[Path, str] = {}
        self._output = output
        self._names: dict[Path, str] = {}
        self._read: dict[Path, list[Any]] = {}
        meshes = [Path(shape.mesh) for shape in shapes]
        self._taken = {mesh.stem for mesh in meshes if mesh.suffix.lower() == _OBJ}

    def path(self, shape: ShapeDescription) -> str | None:
        """The path to write; None if the mesh is left out."""
        path = super().path(shape)
        if path is None or self._output is None or not path.lower().endswith(_COLLADA):
            return path
        file = packages.mesh(shape, self._packages).resolve()
        try:
            meshes = self._read.get(file) or [_welded(mesh) for mesh in triangles(file)]
            corners = np.concatenate([mesh.vertices for mesh in meshes])
            why = obstacle_of_corners(corners * shape.sizes)
        except Exception as error:  # a reader of meshes raises whatever its format brings
            why = unreadable(error)
        if why:
            self._leave_out(shape, why)
            return None
        if file not in self._read:
            self._read[file] = meshes
            folder = f"{self._output.stem}_meshes"
            name = f"{folder}/{free_name(file.stem, self._taken)}{_OBJ}"
            self._names[file] = name
            self.made[self._output.parent / name] = _obj(meshes)
        return self._names[file]

    def _obstacle(self, suffix: str, data: bytes, scale: tuple[float, ...]) -> str:
        if suffix != _COLLADA:
            return super()._obstacle(suffix, data, scale)
        return "" if self._output else "MuJoCo reads OBJ and STL, and OBJ is made with -o FILE"


def _welded(mesh: Any) -> Any:
    """A mesh of which corners in one place are one."""
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    return mesh


def _obj(meshes: Sequence[Any]) -> str:
    """The text of an OBJ with the triangles of some meshes in one group."""
    lines, count = list[str](), 1
    for mesh in meshes:
        lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (mesh.faces + count).tolist()]
        count += len(mesh.vertices)
    return "\n".join(lines) + "\n"
