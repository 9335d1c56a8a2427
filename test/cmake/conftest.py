"""Workspaces that several tests look at; each is built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from test.cmake.tools import colcon_build, make_workspace


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prefix of robcogen_ros, built and installed."""
    directory = make_workspace(tmp_path_factory.mktemp("underlay"))
    colcon_build(directory)
    return directory / "install" / "robcogen_ros"


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of robcogen_ros, a robot twice, transforms, and a package that uses all."""
    packages = "two_arms", "cranes", "consumer"
    directory = make_workspace(tmp_path_factory.mktemp("workspace"), *packages)
    colcon_build(directory)
    return directory
