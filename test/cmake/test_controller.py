"""The plugins of `robcogen_generate(CONTROLLER)`, where ros2_control is found."""

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

pytestmark = [
    needs_ros,
    needs_packages(
        "controller_interface", "hardware_interface", "control_msgs", "pluginlib", "urdf"
    ),
]


@pytest.fixture(scope="module")
def installed(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with a controller, installed."""
    directory = make_workspace(tmp_path_factory.mktemp("controlled"), "controlled_arm")
    package = directory / "src" / "controlled_arm"
    shutil.copytree(PACKAGES / "two_arms" / "urdf", package / "urdf")
    colcon_build(directory, underlay=installed.parents[1])
    return directory / "install" / "controlled_arm"


@pytest.mark.parametrize(
    ("category", "name", "base"),
    [
        (
            "controller_interface",
            "SwingingArmController",
            "controller_interface::ChainableControllerInterface",
        ),
        (
            "controller_interface",
            "SwingingArmTaskSpaceController",
            "controller_interface::ChainableControllerInterface",
        ),
        ("hardware_interface", "SwingingArmSystem", "hardware_interface::SystemInterface"),
    ],
)
def test_pluginlib_finds_the_plugins(installed: Path, category: str, name: str, base: str) -> None:
    index = installed / "share/ament_index/resource_index" / f"{category}__pluginlib__plugin"
    lines = (index / "controlled_arm").read_text().split()
    (line,) = (line for line in lines if line.endswith(f"__{name}.xml"))
    is_described(installed, line, name, base)
