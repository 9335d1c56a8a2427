"""The plugins that take the place of KDL's, where the interfaces are found that they implement."""

from __future__ import annotations

import os
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from test.cmake.tools import PACKAGES, colcon_build, make_workspace, needs_ros, run

PREFIXES = [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
MISSING = [
    package
    for package in ("inverse_dynamics_solver", "kinematics_interface")
    if not any((prefix / "share" / package).is_dir() for prefix in PREFIXES)
]

pytestmark = [
    needs_ros,
    pytest.mark.skipif(bool(MISSING), reason=f"not here to build with: {' '.join(MISSING)}"),
]


@pytest.fixture(scope="module")
def installed(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with two robots, both of them both plugins, installed."""
    directory = make_workspace(tmp_path_factory.mktemp("plugins"), "plugin_arms")
    package = directory / "src" / "plugin_arms"
    shutil.copytree(PACKAGES / "two_arms" / "urdf", package / "urdf")
    colcon_build(directory, underlay=workspace)
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
        library = ET.parse(installed / line).getroot()
        (described,) = library.findall("class")
        assert described.attrib == {
            "name": f"plugin_arms/{name}",
            "type": f"plugin_arms::{name}",
            "base_class_type": base,
        }
        file = installed / "lib" / f"lib{library.attrib['path']}.so"
        assert f"plugin_arms::{name}" in run(["nm", "--dynamic", "--demangle", file])
