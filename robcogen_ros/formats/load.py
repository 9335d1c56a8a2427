"""Reads a robot's description, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from robcogen_ros.formats import source, urdf
from robcogen_ros.model.description import Description

FORMATS = ("urdf", "xacro", "kindsl")


def load(
    path: str | Path,
    *,
    xacro_args: Mapping[str, str] | None = None,
    package_paths: Mapping[str, str] | None = None,
    format: str | None = None,
) -> Description:
    """The robot that a file describes.

    Args:
        path: URDF, xacro or Kinematics-DSL file; "-" is the standard input.
        xacro_args: Arguments of a xacro.
        package_paths: Directories that `$(find package)` stands for in a xacro.
        format: One of `FORMATS`; by default seen from the file's name, else from its content.

    Raises:
        ModelError: If the file cannot be read or understood.
    """
    text = source.read(str(path))
    return urdf.read(text)
