"""ProxQP, compiled once for all robots: the solver of the programs of whole-body control."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.runtime.toolchain import (
    LIBRARY_FLAGS,
    alone,
    cache_directory,
    compile_sources,
    compiler,
    eigen_directory,
    flags_for_here,
    processor,
    proxsuite_directory,
    scratch_beside,
)

WITH_PROXQP = "-DROBCOGEN_ROS_WITH_PROXQP"
"""The option by which a robot's sources use it."""


def proxqp_key() -> str:
    """What the object of the solver depends on; empty without proxsuite."""
    proxsuite = proxsuite_directory()
    if proxsuite is None:
        return ""
    source = _source()
    digest = hashlib.sha256(repr((_command(proxsuite), processor())).encode())
    for path in (source, source.with_suffix(".hpp"), proxsuite / "proxsuite" / "config.hpp"):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def make_proxqp() -> Path | None:
    """The object of the solver, from the cache if it is there; None without proxsuite.

    Raises:
        RobcogenError: If there is no compiler, it fails, or nothing can be kept.
    """
    proxsuite = proxsuite_directory()
    if proxsuite is None:
        return None
    path = cache_directory() / proxqp_key() / "proxqp.o"
    if os.access(path, os.R_OK):
        return path
    with scratch_beside(path) as root, alone(path.parent):
        if not os.access(path, os.R_OK):
            source = root / "proxqp.cpp"
            write_changed({source: _source().read_text(encoding="utf-8")})
            command = [*_command(proxsuite), f"-I{include_directory()}"]
            Path(compile_sources(command, [source])[0]).replace(path)
    return path


def _command(proxsuite: Path) -> list[str]:
    headers = [f"-isystem{directory}" for directory in (proxsuite, eigen_directory())]
    cxx = compiler()
    flags = [flag for flag in LIBRARY_FLAGS if flag != "-DNDEBUG"]  # the source sees to it
    return [*cxx, *flags, *headers, *flags_for_here(cxx)]


def _source() -> Path:
    return include_directory() / "robcogen_ros" / "whole_body" / "proxqp.cpp"
