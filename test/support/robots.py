"""The robots of the PyPI package `example-robot-data`."""

from __future__ import annotations

from robcogen_ros.bench.robots import robot_path as robot_path
from robcogen_ros.bench.robots import robots_directory

UNREADABLE = {
    "ur_description/urdf/ur3.urdf": "holds an empty <robot> without a name; Pinocchio refuses it",
}
"""Robots left out because the oracle cannot read them, each with the reason."""

REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "mimics a leader it has not",
}
"""Robots that we must refuse, each with the reason."""


def all_robots() -> list[str]:
    """The names of all robots, also those that are left out or refused."""
    directory = robots_directory()
    if directory is None:
        return []
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*.urdf"))


def oracle_robots() -> list[str]:
    """The names of all robots to compare with the oracle."""
    return [name for name in all_robots() if name not in UNREADABLE and name not in REFUSED]
