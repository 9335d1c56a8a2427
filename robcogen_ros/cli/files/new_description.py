"""A robot's description in a package of its own: nothing in it names what lies elsewhere."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats.meshes.named import Meshes
from robcogen_ros.formats.packages import SCHEME, around, name_of
from robcogen_ros.formats.regular_file import contents
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.xacro.expansion import Expansion
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.names import listed

_FOLDER = Path("description")
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_MESH = re.compile(r"""(<mesh\b[^>]*?\bfilename\s*=\s*)("[^"]*"|'[^']*')""")
_PART = re.compile(rb"""[^\s<>"'\0]{1,200}\.(?:mtl|png|jpe?g|tga|bmp|tiff?|bin)\b""", re.IGNORECASE)
"""The name of a material or a picture in a mesh."""
_WITH_PARTS = (".dae", ".obj", ".mtl", ".gltf")
_MESHES = (".stl", ".dae", ".obj", ".gltf", ".glb", ".ply", ".off", ".3ds", ".wrl", ".x3d", ".usd")
"""Endings of meshes, which are copied; files of other kinds stay where they are."""
_NOT_PLAIN = re.compile(r"[^\w.-]", re.ASCII)
"""Characters that mean something in CMake, in make, or in a file of dependencies."""


@dataclass(frozen=True, slots=True)
class Written:
    """A description that was written into a package.

    Attributes:
        model: Path of its main file in the package.
        told: What was done.
        arguments: Arguments that the main file takes, if it still is a xacro.
        packages: Packages that it still names, for their meshes were not found.
        problems: Findings about these.
        loops: Path of the file that closes loops in the package; None if there is none.
    """

    model: Path
    told: str
    arguments: Mapping[str, str]
    packages: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    loops: Path | None = None


def with_loops(written: Written, file: str | None) -> Written:
    """Returns what was written, with the place of a file of loops beside it."""
    return replace(written, loops=_FOLDER / _plain(Path(file).name)) if file else written


def as_it_is(package: Path, names: Iterable[str], arguments: Mapping[str, str]) -> Written | None:
    """Copies a description and what it names; None if that lies outside of its folder.

    Args:
        package: Folder of the new package.
        names: The files, absolute, the main one first.
        arguments: Arguments of a xacro.
    """
    files = [Path(file) for file in names]
    root = Path(os.path.commonpath([file.parent for file in files])) if files else Path()
    if not files or not root.is_relative_to(around(files[0]) or root):
        return None
    places = {file: _FOLDER / file.relative_to(root) for file in files}
    model = places[files[0]].with_name(_plain(files[0].name))
    if any(map(_NOT_PLAIN.search, model.parts)) or model in [places[file] for file in files[1:]]:
        return None
    _copy(package, {**places, files[0]: model})
    others = listed([file.name for file in files[1:]])
    told = f"{files[0].name} is copied{f', with {others}' if others else ''}"
    return Written(model, told, arguments)


def in_one_file(
    package: Path,
    text: Source,
    xacro: Expansion | None,
    shapes: Sequence[ShapeDescription],
    package_paths: Mapping[str, str],
) -> Written:
    """Writes a description that needs no other file but meshes, which are copied.

    Args:
        package: Folder of the new package.
        text: The main file.
        xacro: What it expands to, if it is one.
        shapes: Its shapes.
        package_paths: Directories of packages.

    Raises:
        RobcogenError: If one name stands for two meshes.
    """
    meshes = Meshes("a package", _MESHES, package_paths, None)
    found = dict[str, Path]()
    for shape in shapes:
        path = meshes.path(shape) if shape.form == "mesh" else None
        if path and found.setdefault(shape.mesh, Path(path)) != Path(path):
            message = f"'{shape.mesh}' is {found[shape.mesh]}, and {path} elsewhere; name them by"
            raise RobcogenError(f"{message} {SCHEME}PACKAGE/FILE")
    places = _places([*found.values()])
    _copy(package, places)
    names = {name: f"{SCHEME}{package.name}/{places[file]}" for name, file in found.items()}
    model = _FOLDER / _file_name(text, xacro is not None)
    place = package / model
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(_renamed(xacro.text if xacro else text.text, names, xacro).encode())
    told = f"{Path(text.name).name} is copied"
    if xacro:
        named = sorted({*xacro.packages, *_packages(shape.mesh for shape in shapes)})
        elsewhere = f"files of {listed(named)}" if named else "what lies elsewhere"
        told = f"{Path(text.name).name} is expanded, for it names {elsewhere}"
    told += f"; meshes that are copied: {len(found)}" if found else ""
    left = _packages(shape.mesh for shape in shapes if shape.mesh not in found)
    return Written(model, told, {}, sorted(left), meshes.problems())


def _packages(meshes: Iterable[str]) -> set[str]:
    """The packages that the names of meshes begin with."""
    return {name.split("/")[2] for name in meshes if name.startswith(SCHEME)} - {""}


def _copy(package: Path, places: Mapping[Path, Path]) -> None:
    for file, place in places.items():
        (package / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, package / place)


def _file_name(text: Source, expanded: bool) -> str:
    xml = text.text.lstrip().startswith("<")
    name = (
        Path(text.name).name if Path(text.name).suffix else f"robot.{'urdf' if xml else 'kindsl'}"
    )
    if expanded:
        name = f"{name.removesuffix('.xacro').removesuffix('.urdf')}.urdf"
    return _plain(name)


def _plain(name: str) -> str:
    return _NOT_PLAIN.sub("_", name)


def _renamed(text: str, names: Mapping[str, str], xacro: Expansion | None) -> str:
    """A text in UTF-8 with other names of meshes, and without directories of packages."""

    def named(found: re.Match[str]) -> str:
        name = names.get(unescape(found[2][1:-1]).strip())
        return found[1] + (quoteattr(name) if name else found[2])

    text = _MESH.sub(named, text)
    for package, directory in (xacro.packages if xacro else {}).items():
        for scheme in ("file:///", "file://", ""):
            text = text.replace(f"{scheme}{escape(directory)}/", f"{SCHEME}{package}/")
    declared = _DECLARATION.match(text)
    return f'<?xml version="1.0"?>{text[declared.end() :]}' if declared else text


def _places(meshes: Sequence[Path]) -> dict[Path, Path]:
    """Returns the places of meshes and of the files they name, as they lie in their packages."""
    places = dict[Path, Path]()
    loose = [mesh.parent for mesh in meshes if around(mesh) is None]
    root = Path(os.path.commonpath(loose)) if loose else Path()
    for mesh in meshes:
        home = around(mesh)
        folder = re.sub(r"\W", "_", name_of(home) or home.name) if home else "meshes"
        for file in _whole(mesh, home or root):
            places[file] = _FOLDER / folder / file.relative_to(home or root)
    return places


def _whole(mesh: Path, home: Path) -> Iterator[Path]:
    """A mesh, and what it and its materials name in a folder."""
    found = {mesh: None}
    for file in (pending := [mesh]):
        named = _PART.findall(contents(file)) if file.suffix.lower() in _WITH_PARTS else ()
        for name in named:
            part = Path(os.path.normpath(file.parent / os.fsdecode(name)))
            if part not in found and part.is_relative_to(home) and part.is_file():
                found[part] = None
                pending.append(part)
    yield from found
