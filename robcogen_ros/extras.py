"""Packages that only some commands need."""

from __future__ import annotations

import importlib
from typing import Any

from robcogen_ros.errors import RobcogenError

_INSTALLED_AS = {
    "dask": "'dask[distributed]'",
    "distributed": "'dask[distributed]'",
    "ray": "ray",
    "pyarrow": "pyarrow",
    "rosbags": "rosbags",
    "scipy": "scipy",
    "matplotlib": "matplotlib",
    "casadi": "casadi",
    "jax": "'jax>=0.5'",
    "torch": "'torch>=2.4'",
    "viser": "viser pycollada",
    "trimesh": "trimesh pycollada",
}
"""Names that pip has for them."""


def package(name: str, needed_by: str) -> Any:
    """A module of a package that may be missing.

    Args:
        name: The module.
        needed_by: The command or option that needs it.

    Raises:
        RobcogenError: If it is not installed, with what to do.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        top = name.partition(".")[0]
        raise RobcogenError(
            f"{needed_by} needs {top}, which cannot be imported ({error}); "
            f"pip install {_INSTALLED_AS[top]}"
        ) from None
