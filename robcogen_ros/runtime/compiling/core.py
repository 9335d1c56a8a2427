"""The core: objects that serve all robots, each a library, installed or compiled once."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from robcogen_ros.backends.cpp.objects import MOST_CONTACTS, MOST_JOINTS
from robcogen_ros.backends.render import include_directory
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.compile import compiled_once
from robcogen_ros.runtime.compiling.toolchain import LOADABLE, eigen_directory, proxsuite_directory


def core_library(name: str, joints: int, contacts: int) -> ctypes.CDLL:
    """A library of objects with room for a robot: installed, or compiled once and kept.

    A larger robot than usual has one with twice as much, or more.

    Args:
        name: Its name.
        joints: Coordinates of the robot.
        contacts: Its contacts.

    Raises:
        RobcogenError: If there is none and there is no compiler, it fails, or nothing can be kept
            or loaded.
    """
    room = 1
    while joints > room * MOST_JOINTS or contacts > room * MOST_CONTACTS:
        room *= 2
    return _loaded(name, room)


@lru_cache
def _loaded(name: str, room: int) -> ctypes.CDLL:
    for path in _installed(name) if room == 1 else ():
        with suppress(OSError):  # of another machine: one is compiled for this one
            return ctypes.CDLL(str(path))
    path = _compiled(name, room)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise RobcogenError(f"cannot load {path}: {error}; {LOADABLE}") from None


def _installed(name: str) -> list[Path]:
    """Returns the installed libraries; those without proxsuite count while there is none."""
    names = [name] if proxsuite_directory() else [name, f"{name}_without_proxsuite"]
    folder = Path(__file__).resolve().parents[2]
    paths = [folder / f"librobcogen_ros_{each}.so" for each in names]
    return [path for path in paths if path.exists()]


def _compiled(name: str, room: int) -> Path:
    """The library in the cache, compiled unless it is there."""
    root = include_directory() / "robcogen_ros"
    sources = [root / "core" / "objects" / f"{name}.cpp", root / "core" / "size.cpp"]
    proxsuite = proxsuite_directory()
    flags = [
        *("-isystem", str(eigen_directory())),
        f"-DEIGEN_STACK_ALLOCATION_LIMIT={room * room << 22}",  # members of objects, too
        f"-DROBCOGEN_MOST_JOINTS={room * MOST_JOINTS}",
        f"-DROBCOGEN_MOST_CONTACTS={room * MOST_CONTACTS}",
    ]
    headers = []
    if name == "whole_body" and proxsuite is not None:
        sources.append(root / "whole_body" / "proxqp.cpp")
        flags += ["-isystem", str(proxsuite), "-DROBCOGEN_ROS_WITH_PROXQP"]
        headers.append(proxsuite / "proxsuite" / "config.hpp")
    title = f"the {name} of all robots (once, 10 to 60 s of a processor)"
    return compiled_once(name, sources, flags, headers, title)
