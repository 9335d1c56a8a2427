"""Robots that colcon built, found through the ament index."""

from __future__ import annotations

import os
from functools import partial
from hashlib import sha256
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.runtime.compiling.modules import CASADI
from robcogen_ros.runtime.evaluators.compiled import CompiledEvaluator
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.robots.robot_of import robot_of

_INDEX = Path("share") / "ament_index" / "resource_index" / "robcogen_models"
_WANTED = "FUNCTIONS of robcogen_generate()"


def load(name: str, *, threads: int = 1) -> FixedBaseRobot | FloatingBaseRobot:
    """A robot by the names of the package and of the target that `robcogen_generate()` made.

    Args:
        name: "<package>/<target>".
        threads: How many threads share the states of a call for many.

    Raises:
        RobcogenError: If no sourced workspace has it, or it cannot be loaded.
    """
    return robot_of(_loaded(name), threads)


def _loaded(name: str, digest: str = "") -> CompiledEvaluator:
    """Returns the evaluator of a robot, which must be that of a digest if one is given."""
    resource = _resource(name)
    for prefix in _prefixes():
        marker = prefix / _INDEX / resource
        if marker.is_file():
            library, symbol = _entry(marker)
            found = _digest_of(prefix / library)
            if digest not in ("", found):
                raise RobcogenError(f"model '{name}' was built anew since it was loaded: load it")
            again = partial(_loaded, name, found)
            module = partial(_module, prefix / "share" / name, name)
            return CompiledEvaluator(prefix / library, symbol, again, _WANTED, module)
    known = available()
    listed = ", ".join(known) if known else "none; is the workspace sourced?"
    raise RobcogenError(
        f"no generated model '{name}'{nearest(name, known)} (models found: {listed})"
    )


def _module(directory: Path, name: str, language: str, function: str) -> str:
    """Text of the module of CasADi functions that colcon installed; it has all of them."""
    if language != CASADI:
        raise RobcogenError(
            f"model '{name}' has no pages to read, such as {function}: READABLE of "
            "robcogen_generate() writes them into the build directory, robcogen generate "
            "--readable anywhere"
        )
    path = directory / f"{directory.name}_casadi.py"
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        if not isinstance(error, FileNotFoundError):
            raise RobcogenError(f"cannot read {path}: {error}; build its package again") from None
        raise RobcogenError(
            f"model '{name}' has no CasADi functions, such as {function}: there is no {path}; "
            "add casadi to BACKENDS of robcogen_generate() and build its package again"
        ) from None


def _digest_of(library: Path) -> str:
    try:
        return sha256(library.read_bytes()).hexdigest()
    except OSError as error:
        raise RobcogenError(f"cannot load robot library {library}: {error.strerror}") from None


def _resource(name: str) -> str:
    """The name of a model in the ament index."""
    if not isinstance(name, str):
        raise TypeError(f"name: expected '<package>/<target>', found {name!r}")
    package, _, target = name.partition("/")
    if not package or not target or "/" in target:
        raise RobcogenError(f"model '{name}': expected '<package>/<target>'")
    return f"{package}__{target}"


def _entry(marker: Path) -> list[str]:
    """Path of the library, below the prefix, and its symbol."""
    try:
        words = marker.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise RobcogenError(f"cannot read {marker}: {error}; build its package again") from error
    if len(words) != 2:
        raise RobcogenError(f"{marker} is no entry of a model; build its package again")
    return words


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
