"""The packages to copy: their own tests pass, and their files agree with their robots."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from robcogen_ros.backends.render import include_directory
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.ros.footing import FUNCTIONS
from test.support.cpp_program import CppRobot
from test.support.examples import EXAMPLES

ARM, QUADRUPED = EXAMPLES / "my_arm_control", EXAMPLES / "my_quadruped"
NEEDED = {
    "arm": ["inverse_dynamics", "forward_dynamics", "gravity_torques", "kinematics"],
    "robot": ["gravity_torques", "forward_dynamics", "kinematics", "total_mass"],
}
SOURCES = ("inverse_dynamics", "forward_dynamics", "kinematics")


def robot_of(package: Path):
    """The robot that a package generates, and the name of the target."""
    text = (package / "CMakeLists.txt").read_text()
    target, model = re.findall(r"robcogen_generate\((\w+) MODEL (\S+)", text)[0]
    floating = True if "FLOATING_BASE" in text else None
    return target, read(package / model, floating_base=floating).robot


@pytest.mark.slow
@pytest.mark.parametrize("package", [ARM, QUADRUPED], ids=lambda path: path.name)
def test_its_own_test_passes(package, tmp_path):
    target, robot = robot_of(package)
    library = Library(robot, NEEDED[target])
    made = CppRobot(library, tmp_path, name=target, project=package.name)
    made.compile("-O0", only=SOURCES)
    (source,) = (package / "test").glob("*.cpp")
    text = source.read_text().replace("../src/", f"{package}/src/")
    assert "WRONG" not in made.run(text, "-O0")


@pytest.mark.parametrize("package", [ARM, QUADRUPED], ids=lambda path: path.name)
def test_its_page_names_what_is_there(package):
    page = (package / "README.md").read_text()
    named = re.findall(r"`([\w*/]+(?:\.[\w.]+|/))`", page)
    launched = [f"launch/{name}" for name in re.findall(r"ros2 launch \w+ (\S+)", page)]
    roots = package, EXAMPLES.parent
    assert named
    assert [path for path in named + launched if not any(any(r.glob(path)) for r in roots)] == []


def test_the_quadruped_generates_what_its_test_and_the_nodes_need():
    text = (QUADRUPED / "CMakeLists.txt").read_text()
    (functions,) = re.findall(r"FUNCTIONS ([\w\s]+)\)", text)
    assert {*NEEDED["robot"], *FUNCTIONS} == set(functions.split())


def test_controllers_are_for_the_joints_of_the_arm():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    target, robot = robot_of(ARM)
    config = yaml.safe_load((ARM / "config" / "controllers.yaml").read_text())
    manager = config["controller_manager"]["ros__parameters"]
    assert manager["arm_controller"]["type"] == f"my_arm_control/{target.title()}Controller"
    header = include_directory() / "robcogen_ros" / "control" / "parameters.hpp"
    known = re.findall(r'ParameterEntry\{"(\w+)"', header.read_text())
    assert set(config["arm_controller"]["ros__parameters"]) <= set(known)
    trajectories = config["joint_trajectory_controller"]["ros__parameters"]
    assert tuple(trajectories["joints"]) == robot.joint_names
    commanded = [f"arm_controller/{name}" for name in robot.joint_names]
    assert trajectories["command_joints"] == commanded


def test_hardware_has_the_joints_of_the_arm():
    path = ARM / "description" / "my_arm.ros2_control.xacro"
    joints = [
        element.get("name")
        for element in ElementTree.parse(path).iter()
        if element.tag.endswith("joint_with_effort")
    ]
    assert tuple(joints) == robot_of(ARM)[1].joint_names
    assert "my_arm_control/ArmSystem" in path.read_text()


def test_the_package_depends_on_what_the_controller_needs():
    cmake = (EXAMPLES.parent / "cmake" / "robcogen_plugins.cmake").read_text()
    (needed,) = re.findall(r"\(CONTROLLER ([\w\s]+)\)", cmake)
    depends = {element.text for element in ElementTree.parse(ARM / "package.xml").iter("depend")}
    assert set(needed.split()) <= depends
