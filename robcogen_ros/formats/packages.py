"""Folders of ROS packages: given by the user, installed, or sources around or beside a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from robcogen_ros.model.description import ShapeDescription

SCHEME = "package://"
_MANIFEST = "package.xml"


class PackageNotFoundError(LookupError):
    """A package that is nowhere; its text is the name."""


def directory(package: str, given: Mapping[str, str], file: str | None = None) -> Path:
    """The share directory of a package.

    Args:
        package: Its name.
        given: Directories by name of package, which come first.
        file: A file that may lie in the source of the package, or beside it in a workspace.

    Raises:
        PackageNotFoundError: If it is neither given, nor installed, nor a source near the file.
    """
    if package in given:
        return Path(os.path.realpath(given[package]))
    for search in (_installed(package), _source(package, file), _beside(package, file)):
        for found in search:
            return found
    raise PackageNotFoundError(package)


def path(text: str, given: Mapping[str, str]) -> str:
    """A file's path; one that begins with package:// is looked up.

    Raises:
        PackageNotFoundError: If there is no such package.
    """
    if not text.startswith(SCHEME):
        return text
    package, _, rest = text.removeprefix(SCHEME).partition("/")
    return str(directory(package, given) / rest)


def mesh(shape: ShapeDescription, given: Mapping[str, str]) -> Path:
    """The file of a mesh; its package may be the source, or a folder of the name, with the URDF.

    Raises:
        PackageNotFoundError: If there is no such package.
    """
    if not shape.mesh.startswith(SCHEME):
        path = Path(shape.mesh.removeprefix("file://"))
        return Path(shape.files[0]).parent / path if shape.files else path
    package, _, rest = shape.mesh.removeprefix(SCHEME).lstrip("/").partition("/")
    file = next(iter(shape.files), None)
    if file and not rest:  # of one beside the URDF, as onshape-to-robot writes it
        return Path(file).parent / package
    called = {folder.name: str(folder) for folder in Path(file).resolve().parents} if file else {}
    return directory(package, {**called, **given}, file) / rest


def _installed(package: str) -> Iterator[Path]:
    """Yields the folder of a package in the prefixes of the ament index."""
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        index = Path(prefix, "share", "ament_index", "resource_index", "packages", package)
        if prefix and index.is_file():
            yield Path(prefix, "share", package)


def _source(package: str, file: str | None) -> Iterator[Path]:
    """The nearest folder above a file that is a package, if it is the one."""
    found = around(Path(file).resolve()) if file else None
    if found and name_of(found) == package:
        yield found


def _beside(package: str, file: str | None) -> Iterator[Path]:
    """Yields folders of a package's name that are it, in the repository of the file's package."""
    own = around(Path(file).resolve()) if file else None
    if own is not None:
        beside, group = own.parent / package, own.parent.parent / package
        for found in (beside, *sorted(own.parent.glob(f"*/{package}")), group):
            if name_of(found) == package:
                yield found


def around(file: Path) -> Path | None:
    """The nearest folder above a file that is a package."""
    return next((folder for folder in file.parents if (folder / _MANIFEST).is_file()), None)


def name_of(package: Path) -> str:
    """The name that a package's folder says it has; empty if it says none."""
    try:
        return (ElementTree.parse(package / _MANIFEST).getroot().findtext("name") or "").strip()
    except (OSError, ElementTree.ParseError):
        return ""
