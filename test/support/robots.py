"""The robots of the PyPI package `example-robot-data`."""

from __future__ import annotations

import sysconfig
from pathlib import Path

UNREADABLE = {
    "ur_description/urdf/ur3.urdf": "holds an empty <robot> without a name; Pinocchio refuses it",
}
"""Robots left out because the oracle cannot read them, each with the reason."""

REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "mimics a leader it has not",
}
"""Robots that we must refuse, each with the reason."""


def robots_directory() -> Path | None:
    """Where the robots are installed, None where they are not."""
    found = (
        Path(sysconfig.get_paths()[scheme], "cmeel.prefix/share/example-robot-data/robots")
        for scheme in ("purelib", "platlib")
    )
    return next((path for path in found if path.is_dir()), None)


def robot_path(name: str) -> Path:
    """The file of the robot of this name, a path below the directory of robots."""
    directory = robots_directory()
    assert directory is not None, "example-robot-data is not installed"
    return directory / name


def all_robots() -> list[str]:
    """The names of all robots, also those that are left out or refused."""
    directory = robots_directory()
    if directory is None:
        return []
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*.urdf"))


def oracle_robots() -> list[str]:
    """The names of all robots to compare with the oracle."""
    return [name for name in all_robots() if name not in UNREADABLE and name not in REFUSED]
