"""Robots that colcon built, found through the ament index."""

from __future__ import annotations

import os
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.runtime.compiled import CompiledEvaluator
from robcogen_ros.runtime.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.instruction_sets import best_library
from robcogen_ros.runtime.robot_of import robot_of

_INDEX = Path("share") / "ament_index" / "resource_index" / "robcogen_models"


def load(name: str, threads: int = 1) -> FixedBaseRobot | FloatingBaseRobot:
    """A robot by the names of the package and of the target that `robcogen_generate()` made.

    Args:
        name: "<package>/<target>".
        threads: How many threads share the states of a call for many.

    Raises:
        RobcogenError: If no sourced workspace has it, or it cannot be loaded.
    """
    package, _, target = name.partition("/")
    if not package or not target or "/" in target:
        raise RobcogenError(f"model '{name}': expected '<package>/<target>'")
    resource = f"{package}__{target}"
    for prefix in _prefixes():
        marker = prefix / _INDEX / resource
        if marker.is_file():
            library, symbol = marker.read_text(encoding="utf-8").split()
            return robot_of(CompiledEvaluator(best_library(prefix / library), symbol), threads)
    known = available()
    listed = ", ".join(known) if known else "none; is the workspace sourced?"
    raise RobcogenError(
        f"no generated model '{name}'{nearest(name, known)} (models found: {listed})"
    )


def available() -> tuple[str, ...]:
    """Names of all robots in the sourced workspaces."""
    found = {
        marker.name.replace("__", "/", 1)
        for prefix in _prefixes()
        if (prefix / _INDEX).is_dir()
        for marker in (prefix / _INDEX).iterdir()
    }
    return tuple(sorted(found))


def _prefixes() -> list[Path]:
    return [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
