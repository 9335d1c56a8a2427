"""The core library, whose objects serve all robots: found, or compiled at first need and kept."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.render import include_directory
from robcogen_ros.runtime.compile import compile_library
from robcogen_ros.runtime.proxqp import WITH_PROXQP, make_proxqp, proxqp_key
from robcogen_ros.runtime.toolchain import (
    LIBRARY_FLAGS,
    cache_directory,
    compiler,
    eigen_directory,
    flags_for_here,
    processor,
    proxsuite_directory,
)

_ROOMS = ("control", "core", "ground", "legged", "observer", "parameters", "whole_body")
"""Folders of headers and sources that the core is made of, beside public headers."""

_JOINTS, _CONTACTS = 64, 8
"""Of robots that the usual core has room for; a larger robot has one with twice as much."""


def core_library(joints: int, contacts: int) -> Path:
    """The file of the core library, with room for a robot; compiled where it is not there yet.

    Args:
        joints: Coordinates of the robot.
        contacts: Its contacts.

    Raises:
        RobcogenError: If it is not there and there is no compiler, it fails, or nothing can be
            kept.
    """
    room = 1
    while joints > room * _JOINTS or contacts > room * _CONTACTS:
        room *= 2
    return _made(room)


@lru_cache
def _made(room: int) -> Path:
    cxx, solves = compiler(), proxsuite_directory() is not None
    flags = [
        *LIBRARY_FLAGS,
        *("-isystem", str(eigen_directory())),
        f"-DEIGEN_STACK_ALLOCATION_LIMIT={room * room << 22}",  # members of objects, too
        f"-DROBCOGEN_MOST_JOINTS={room * _JOINTS}",
        f"-DROBCOGEN_MOST_CONTACTS={room * _CONTACTS}",
        *[WITH_PROXQP] * solves,
        *flags_for_here(cxx),
    ]
    path = cache_directory() / _key((cxx, flags)) / "librobcogen_ros_core.so"
    if not os.access(path, os.R_OK):
        compile_library(_sources, cxx, flags, path, make_proxqp)
    return path


def _key(command: object) -> str:
    """What the core depends on: a command, its files, the solver of programs and the processor."""
    digest = hashlib.sha256(repr((command, proxqp_key(), processor())).encode())
    root = include_directory() / "robcogen_ros"
    rooms = [path for room in _ROOMS for path in (root / room).iterdir()]
    for path in sorted([*root.glob("*.h*"), *rooms]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def _sources() -> dict[PurePosixPath, str]:
    folder = include_directory() / "robcogen_ros" / "core"
    return {
        PurePosixPath("src") / path.name: path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("*.cpp"))
    }
