"""Triangles of mesh files, as trimesh reads them."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from robcogen_ros.formats.regular_file import contents, reason

_KINDS = ("stl", "obj", "dae", "ply", "off", "gltf", "glb")
_MATERIALS = re.compile(
    rb"<(library_images|library_effects|library_materials|bind_material)[\s>].*?</\1>", re.DOTALL
)
"""Parts of COLLADA that keep pycollada from reading triangles where one refers to nothing."""
NOT_FINITE = "corners that are no numbers"


def triangles(file: Path) -> list[Any]:
    """The meshes of a file, where its nodes put them, lengths in meters: as trimesh has them.

    Of COLLADA the unit counts, and `up_axis` does not, as in RViz and Gazebo.

    Raises:
        Exception: If it cannot be read, whatever a reader of its format brings; `unreadable` says
            why.
    """
    kind, data = file.suffix.lower()[1:], contents(file)
    if kind not in _KINDS:
        raise ValueError(f"of meshes {', '.join(_KINDS).upper()} are read")
    if kind == "dae" and b"<!ENTITY" in data:
        raise ValueError("XML entities are not expanded")
    if kind == "dae":
        _check_collada(data)
    meshes = _read(file, kind, data)
    if not meshes and kind == "dae":
        meshes = _read(file, kind, _MATERIALS.sub(b"", data))
    if not meshes:
        raise ValueError("no triangles")
    return meshes


def _read(file: Path, kind: str, data: bytes) -> list[Any]:
    import trimesh

    beside = _parts_beside(file)
    try:
        scene: Any = trimesh.load(
            BytesIO(data), kind, resolver=beside, force="scene", process=False
        )
    except AttributeError as error:
        raise ValueError("no scene" if kind == "dae" else str(error)) from error
    meshes = [mesh for mesh in scene.dump() if len(getattr(mesh, "faces", ()))]
    for mesh in meshes:
        if not np.isfinite(mesh.vertices).all():  # trimesh drops these
            raise ValueError(NOT_FINITE)
        mesh.process()
        mesh.apply_scale(_meters(str(scene.units or "")) if kind == "dae" else 1.0)
    return meshes


def _check_collada(data: bytes) -> None:
    """Refuses corners that are no numbers: pycollada takes zeros for them."""
    root = ElementTree.fromstring(data)
    inputs = root.findall(".//{*}input[@semantic='POSITION']")
    named = {each.get("source", "").removeprefix("#") for each in inputs}
    for source in root.findall(".//{*}source"):
        if source.get("id") in named:
            for words in source.findall("{*}float_array"):
                text = (words.text or "").lower()
                if "nan" in text or "inf" in text:
                    raise ValueError(NOT_FINITE)


def unreadable(error: Exception) -> str:
    """Returns why a mesh cannot be read, as a text after "for"."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, OSError):
        return reason(error)
    if isinstance(error, ImportError):
        need = "pycollada" if "collada" in str(error) else str(error.name or error)
        return f"{need} is missing (pip install {need})"
    return " ".join(f"they cannot be read ({error or type(error).__name__})".split())


def _parts_beside(file: Path) -> Any:
    """Returns a resolver of the files that a mesh names, as textures; of regular files alone."""
    from trimesh.resolvers import FilePathResolver

    class Beside(FilePathResolver):
        def get(self, name: str) -> bytes:
            return contents(file.parent / name.strip())

    return Beside(str(file))


def _meters(unit: str) -> float:
    """Returns the length of a unit that is written as "meters" or "0.001 * meters"."""
    number, times, _ = unit.partition("*")
    return float(number) if times else 1.0
