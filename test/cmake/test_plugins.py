"""The plugins that take the place of KDL's, where the interfaces are found that they implement."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from test.cmake.tools import (
    PACKAGES,
    colcon_build,
    is_described,
    make_workspace,
    needs_packages,
    needs_ros,
)

pytestmark = [needs_ros, needs_packages("inverse_dynamics_solver", "kinematics_interface")]


@pytest.fixture(scope="module")
def installed(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with two robots, both of them both plugins, installed."""
    directory = make_workspace(tmp_path_factory.mktemp("plugins"), "plugin_arms")
    package = directory / "src" / "plugin_arms"
    shutil.copytree(PACKAGES / "two_arms" / "urdf", package / "urdf")
    colcon_build(directory, underlay=installed.parents[1])
    return directory / "install" / "plugin_arms"


@pytest.mark.parametrize(
    ("category", "end", "base"),
    [
        (
            "inverse_dynamics_solver",
            "InverseDynamicsSolver",
            "inverse_dynamics_solver::InverseDynamicsSolver",
        ),
        ("kinematics_interface", "Kinematics", "kinematics_interface::KinematicsInterface"),
    ],
)
def test_pluginlib_finds_the_plugins_of_both_robots(
    installed: Path, category: str, end: str, base: str
) -> None:
    index = installed / "share/ament_index/resource_index" / f"{category}__pluginlib__plugin"
    lines = (index / "plugin_arms").read_text().split()
    names = [f"LeftArm{end}", f"Arm2{end}"]
    for line, name in zip(lines, names, strict=True):
        is_described(installed, line, name, base)
