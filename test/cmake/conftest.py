"""The workspace that several tests look at, built once for all processes side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from test.cmake.tools import colcon_build, make_workspace
from test.support.built import built

PACKAGES = "two_arms", "cranes", "consumer"


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of robcogen_ros, a robot twice, transforms, and a package that uses all.

    `again.log` has what a second build printed.
    """
    return built(tmp_path_factory, "workspace", _build)


def _build(directory: Path) -> None:
    make_workspace(directory, *PACKAGES)
    colcon_build(directory)
    again = colcon_build(directory, "--packages-select", *PACKAGES)
    (directory / "again.log").write_text(again)


@pytest.fixture(scope="session")
def installed(workspace: Path) -> Path:
    """The prefix of robcogen_ros, built and installed."""
    return workspace / "install" / "robcogen_ros"
