"""$(find package) and package:// lead to packages given, installed, or being built."""

from __future__ import annotations

import pytest

import robcogen_ros
from robcogen_ros.formats.load import load
from robcogen_ros.formats.packages import mesh

XACRO = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
<xacro:include filename="$(find my_arm)/urdf/links.xacro"/></robot>
"""
LINKS = '<robot xmlns:xacro="http://ros.org/wiki/xacro"><link name="{}"/></robot>'


def package(folder, link: str, name: str = "my_arm"):
    (folder / "urdf").mkdir(parents=True)
    (folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (folder / "urdf/links.xacro").write_text(LINKS.format(link))
    (folder / "urdf/arm.urdf.xacro").write_text(XACRO)
    return folder / "urdf/arm.urdf.xacro"


def link_of(*arguments, **options) -> str:
    (link,) = load(*arguments, **options).links
    return link.name


@pytest.fixture
def installed(tmp_path, monkeypatch):
    index = tmp_path / "prefix/share/ament_index/resource_index/packages"
    index.mkdir(parents=True)
    (index / "my_arm").touch()
    package(tmp_path / "prefix/share/my_arm", "installed")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{tmp_path / 'prefix'}")


def test_the_package_that_the_file_lies_in(tmp_path, monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "")
    file = package(tmp_path / "source", "of_source")
    assert link_of(file) == "of_source"
    monkeypatch.chdir(file.parent)
    assert link_of("arm.urdf.xacro") == "of_source"


@pytest.mark.parametrize("place", ["my_arm", "other_repository/my_arm"])
def test_a_source_beside_the_package_that_the_file_lies_in(tmp_path, monkeypatch, place):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "")
    package(tmp_path / place, "beside")
    assert link_of(package(tmp_path / "bringup", "of_source", "another")) == "beside"


def test_a_folder_of_the_name_that_is_another_package_is_not_it(tmp_path, monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "")
    package(tmp_path / "my_arm", "beside", "other_arm")
    with pytest.raises(robcogen_ros.ModelError, match="package 'my_arm'"):
        load(package(tmp_path / "bringup", "of_source", "another"))


def test_an_installed_package(tmp_path, installed):
    assert link_of(package(tmp_path / "source", "of_source", "another")) == "installed"
    assert link_of("package://my_arm/urdf/arm.urdf.xacro") == "installed"


def test_a_given_directory_comes_first(tmp_path, installed):
    package(tmp_path / "mine", "given")
    paths = {"my_arm": str(tmp_path / "mine")}
    assert link_of("package://my_arm/urdf/arm.urdf.xacro", package_paths=paths) == "given"


def test_a_package_that_is_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "")
    file = package(tmp_path / "source", "of_source", "another")
    with pytest.raises(
        robcogen_ros.ModelError, match=r"arm\.urdf\.xacro:2:1: error: package 'my_arm'"
    ):
        load(file)
    with pytest.raises(robcogen_ros.RobcogenError, match="package 'my_arm' of package://my_arm/x"):
        load("package://my_arm/x.urdf")


def test_a_mesh_beside_its_file_without_a_package(tmp_path):
    """As onshape-to-robot writes it."""
    file = tmp_path / "robot.urdf"
    file.write_text(
        '<robot name="r"><link name="foot"><collision><geometry>'
        '<mesh filename="package://foot.stl"/></geometry></collision></link></robot>'
    )
    (shape,) = load(str(file)).shapes
    assert mesh(shape, {}) == tmp_path / "foot.stl"
