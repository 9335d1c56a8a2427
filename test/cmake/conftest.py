"""Workspaces that several tests look at; each is built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from test.cmake.tools import colcon_build, make_workspace


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of robcogen_ros, a package with two targets and one that uses it."""
    directory = make_workspace(tmp_path_factory.mktemp("workspace"), "two_arms", "consumer")
    colcon_build(directory)
    return directory
