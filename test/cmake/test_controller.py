"""The plugins of `robcogen_generate(CONTROLLER)`, where ros2_control is found."""

from __future__ import annotations

import os
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from test.cmake.tools import PACKAGES, colcon_build, make_workspace, needs_ros, run

NEEDED = "controller_interface"
PREFIXES = [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]

pytestmark = [
    needs_ros,
    pytest.mark.skipif(
        not any((prefix / "share" / NEEDED).is_dir() for prefix in PREFIXES),
        reason="no ros2_control to build with",
    ),
]


@pytest.fixture(scope="module")
def installed(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with a controller, installed."""
    directory = make_workspace(tmp_path_factory.mktemp("controlled"), "controlled_arm")
    package = directory / "src" / "controlled_arm"
    shutil.copytree(PACKAGES / "two_arms" / "urdf", package / "urdf")
    colcon_build(directory, underlay=workspace)
    return directory / "install" / "controlled_arm"


@pytest.mark.parametrize(
    ("category", "name", "base"),
    [
        (
            "controller_interface",
            "SwingingArmController",
            "controller_interface::ChainableControllerInterface",
        ),
        ("hardware_interface", "SwingingArmSystem", "hardware_interface::SystemInterface"),
    ],
)
def test_pluginlib_finds_the_plugins(installed: Path, category: str, name: str, base: str) -> None:
    index = installed / "share/ament_index/resource_index" / f"{category}__pluginlib__plugin"
    (line,) = (index / "controlled_arm").read_text().split()
    library = ET.parse(installed / line).getroot()
    (described,) = library.findall("class")
    assert described.attrib == {
        "name": f"controlled_arm/{name}",
        "type": f"controlled_arm::{name}",
        "base_class_type": base,
    }
    file = installed / "lib" / f"lib{library.attrib['path']}.so"
    assert f"controlled_arm::{name}" in run(["nm", "--dynamic", "--demangle", file])
