"""Templates to files: one Jinja environment, files rewritten only where their text changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

from robcogen_ros.backends.wrap import documented, enclosed
from robcogen_ros.errors import RobcogenError

_PACKAGE = Path(__file__).resolve().parent.parent


def template_directory() -> Path:
    """Returns the templates' folder: in the installed package, else beside it in a checkout."""
    inside = _PACKAGE / "templates"
    return inside if inside.is_dir() else _PACKAGE.parent / "templates"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_directory()),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    environment.filters["between"] = lambda items, head, tail, indent="": enclosed(
        head, items, tail, indent
    )
    environment.filters["documented"] = documented
    return environment


def render(template: str, context: Mapping[str, Any]) -> str:
    """The text of a template, named by its path below the template directory."""
    return _environment().get_template(template).render(context)


def load(templates: Iterable[str]) -> None:
    """Lets templates be ready when they are rendered."""
    for template in templates:
        _environment().get_template(template)


def write_changed(files: Mapping[Path, str]) -> None:
    """Writes files, but leaves alone those that have their text already.

    Raises:
        RobcogenError: If one cannot be written; then none is.
    """
    write_files({path: text for path, text in files.items() if not _has(path, text)})


def write_files(files: Mapping[Path, str]) -> None:
    """Writes files: all are written beside their places before the first is moved there.

    Raises:
        RobcogenError: If one cannot be written; then none is.
    """
    partials = {path: path.with_name(f".{os.getpid()}.{path.name}.partial") for path in files}
    path = Path()
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            partials[path].write_bytes(text.encode())
            if path.exists():
                shutil.copymode(path, partials[path])
        for path, partial in partials.items():
            partial.replace(path)
    except OSError as error:
        raise RobcogenError(f"cannot write {path}: {error.strerror}") from error
    finally:
        for partial in partials.values():
            with suppress(OSError):
                partial.unlink()


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Gives a path to write to, which becomes the file when all is there; else nothing remains."""
    partial = path.resolve().with_name(f".{os.getpid()}.{path.name}")
    try:
        yield partial
        partial.replace(path.resolve())
    except OSError as error:
        if error.filename == str(partial):
            error.filename = str(path)
        raise
    finally:
        partial.unlink(missing_ok=True)


def _has(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


_USERS = ("bench", "control", "demo", "editing", "plots", "realtime", "recordings", "ros", "study")
"""Rooms that use what is generated, and change nothing of it."""


def generator_files() -> list[Path]:
    """Every file whose change may change what is generated."""
    sources = [
        path
        for path in [*sorted(_PACKAGE.rglob("*.py")), *sorted(_PACKAGE.rglob("*.lark"))]
        if path.relative_to(_PACKAGE).parts[0] not in _USERS
    ]
    templates = sorted(path for path in template_directory().rglob("*") if path.is_file())
    return [*sources, *templates]


def include_directory() -> Path:
    """Returns the folder that holds `robcogen_ros/model.h`, which `-I` of a compiler takes."""
    return _folder("include", "include/robcogen_ros", "robcogen_ros/model.h")


def cmake_directory() -> Path:
    """Returns the folder that `robcogen_ros_DIR` of CMake's `find_package(robcogen_ros)` takes."""
    return _folder("cmake", "share/robcogen_ros/cmake", "robcogen_rosConfig.cmake")


def _folder(name: str, installed: str, file: str) -> Path:
    """Returns the one with `file`: in the package, in a checkout, or in an install prefix."""
    candidates = [_PACKAGE / name, _PACKAGE.parent / name]
    candidates += [parent / installed for parent in _PACKAGE.parents]
    for candidate in candidates:
        if (candidate / file).is_file():
            return candidate
    raise FileNotFoundError(f"{file} is missing: reinstall robcogen_ros")
