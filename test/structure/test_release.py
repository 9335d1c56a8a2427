"""What releases are made from is whole: package.xml, changelog, and what pip is told."""

import re
from configparser import ConfigParser
from pathlib import Path

import pytest

pytest.importorskip("catkin_pkg", reason="catkin_pkg, which comes with colcon, is missing")

from catkin_pkg.changelog import Changelog, populate_changelog_from_rst
from catkin_pkg.package import parse_package

from robcogen_ros.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
MANIFESTS = [ROOT / "package.xml", *ROOT.glob("examples/*/package.xml")]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_ros_reads_each_manifest_without_a_warning(path):
    warnings = []
    package = parse_package(path, warnings=warnings)
    assert not warnings and package.package_format == 3


def test_bloom_reads_the_changelog():
    text = (ROOT / "CHANGELOG.rst").read_text()
    released = re.sub(r"^Forthcoming\n-+$", f"99.0.0 (2026-01-01)\n{'-' * 19}", text, flags=re.M)
    changelog = Changelog("robcogen_ros")
    populate_changelog_from_rst(changelog, released)
    entries = {version: content for version, _, content in changelog.foreach_version()}
    assert entries and all(entries.values())
    assert {"99.0.0", parse_package(ROOT / "package.xml").version} & set(entries)


def test_pip_is_told_what_the_environment_holds():
    told = (ROOT / "pyproject.toml").read_text()
    needed = re.search(r"^dependencies = \[(.*?)\]", told, re.DOTALL | re.MULTILINE)
    assert re.findall(r'"(.+?)"', needed[1]) == requirements("runtime")


def requirements(group):
    return (ROOT / "bootstrap" / "requirements" / f"{group}.txt").read_text().split()


def executables():
    parser = ConfigParser()
    parser.read(ROOT / "cmake" / "entry_points.cfg")
    lines = parser["options.entry_points"]["console_scripts"].strip().splitlines()
    return dict(line.split(" = ") for line in lines)


def test_every_command_and_node_is_an_executable():
    modules = {name: f"robcogen_ros.cli.{name.replace('-', '_')}:main" for name in COMMANDS}
    modules["view"] = "robcogen_ros.cli.view:command_or_node"
    modules["robcogen"] = "robcogen_ros.cli.main:main"
    modules["demo"] = "robcogen_ros.demo.__main__:main"
    for path in ROOT.glob("robcogen_ros/ros/*.py"):
        if re.search(r"^def main", path.read_text(), re.MULTILINE):
            modules[path.stem] = f"robcogen_ros.ros.{path.stem}:main"
    assert executables() == modules


def test_pip_and_colcon_put_the_same_names_on_the_path():
    setup = re.search(r"^COMMANDS = \((.*?)\)", (ROOT / "setup.py").read_text(), re.MULTILINE)
    cmake = re.search(
        r"install\(PROGRAMS (.*) DESTINATION bin\)", (ROOT / "CMakeLists.txt").read_text()
    )
    assert (
        re.findall(r"\w+", setup[1])
        == re.findall(r"/(\w+)", cmake[1])
        == ["robcogen", "urdf2kindsl"]
    )
